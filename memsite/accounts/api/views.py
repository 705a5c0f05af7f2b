"""API of keys and preferences.

Keys need the scope `admin`, so that a leaked reading key cannot issue other keys.
"""

from __future__ import annotations

from typing import Any, ClassVar, cast

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memsite.accounts.api import schema
from memsite.accounts.applications import find_or_create_application
from memsite.accounts.audit import record_own
from memsite.accounts.keys import issue_key, list_keys, revoke_key
from memsite.accounts.models import ApiKey, Preferences, User
from memsite.accounts.preferences import get_preferences, set_preferences
from memsite.accounts.signing import queue_key_alert
from memsite.errors import NotAllowed
from memsite.rest.views import ApiView, get_owner, get_person, parse_body


class KeysView(ApiView):
    """The caller's API keys."""

    scopes: ClassVar[dict[str, str]] = {"GET": "admin", "POST": "admin"}

    @extend_schema(operation_id="list_keys", summary="List API keys", responses=schema.KeysOut)
    def get(self, request: Request) -> Response:
        """List all keys of the caller, newest first, without the keys themselves."""
        return Response({"results": [key_json(row) for row in list_keys(owner=get_user(request))]})

    @extend_schema(
        operation_id="issue_key",
        summary="Issue an API key",
        request=schema.KeyIn,
        responses={201: schema.IssuedKeyOut},
    )
    def post(self, request: Request) -> Response:
        """Issue a key. Only this answer shows it."""
        body = parse_body(schema.KeyIn, request)
        owner = get_user(request)
        if owner.application_id is not None:
            raise NotAllowed("An application's end user has no keys of its own.")
        with transaction.atomic():  # a refused key leaves no application behind
            application = find_or_create_application(owner, body.application) if body.application else None
            row, key = issue_key(
                owner, name=body.name, scopes=body.scopes, expires_at=body.expires_at, application=application
            )
            record_own(request, owner, "issue key", "API keys", [row.pk])
            queue_key_alert(row)
        return Response(key_json(row) | {"key": key}, status=201)


class KeyView(ApiView):
    """One API key."""

    scopes: ClassVar[dict[str, str]] = {"DELETE": "admin"}

    @extend_schema(operation_id="revoke_key", summary="Revoke an API key", responses={200: schema.KeyOut})
    def delete(self, request: Request, key_id: str) -> Response:
        """Revoke a key at once and permanently. Its row stays in the list."""
        row = revoke_key(key_id, owner=get_user(request))
        record_own(request, get_user(request), "revoke key", "API keys", [row.pk])
        return Response(key_json(row))


class PreferencesView(ApiView):
    """The caller's preferences."""

    @extend_schema(operation_id="get_preferences", summary="Get preferences", responses=schema.PreferencesOut)
    def get(self, request: Request) -> Response:
        """Return the person's choices about their memory."""
        return Response(preferences_json(get_preferences(get_owner(request))))

    @extend_schema(
        operation_id="change_preferences",
        summary="Change preferences",
        request=schema.PreferencesPatch,
        responses=schema.PreferencesOut,
    )
    def patch(self, request: Request) -> Response:
        """Change memory, auto-extract, citations, the kinds always kept or never learnt, or the language."""
        body = parse_body(schema.PreferencesPatch, request)
        changed = set_preferences(get_owner(request), **body.model_dump(exclude_none=True))
        return Response(preferences_json(changed))


def get_user(request: Request) -> User:
    """Return the caller as this site's own user model."""
    return cast("User", get_person(request))


def key_json(row: ApiKey) -> dict[str, Any]:
    """Return a key's row as JSON, without the key itself."""
    return {
        "id": str(row.pk),
        "name": row.name,
        "prefix": row.prefix,
        "scopes": row.scopes,
        "application": row.application.name if row.application else None,
        "created_at": row.created_at,
        "expires_at": row.expires_at,
        "last_used_at": row.last_used_at,
        "last_used_address": row.last_used_address,
        "revoked_at": row.revoked_at,
    }


def preferences_json(row: Preferences) -> dict[str, Any]:
    """Return the choices as JSON."""
    return {
        "memory_on": row.memory_on,
        "auto_extract": row.auto_extract,
        "citations_on": row.citations_on,
        "kept_kinds": row.kept_kinds,
        "refused_kinds": row.refused_kinds,
        "language": row.language,
    }
