"""API of the caller's identity and of the end users of a person's applications."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Final, Literal
from uuid import UUID

from drf_spectacular.utils import extend_schema
from pydantic import BaseModel
from rest_framework.request import Request
from rest_framework.response import Response

from memsite.accounts.api.schema import ScopeName
from memsite.accounts.api.views import get_user
from memsite.accounts.applications import list_end_users
from memsite.accounts.deletion import delete_end_user
from memsite.accounts.models import ApiKey, User
from memsite.rest.openapi import describe_query
from memsite.rest.pagination import PageQuery, page_json, paginate
from memsite.rest.views import ApiView, parse_query
from memsite.values import parse_id

SORTS: Final = {"created_at": "date_joined"}


class MeKeyOut(BaseModel):
    """The API key of the caller."""

    id: UUID
    name: str
    prefix: str
    scopes: list[ScopeName]
    application: str | None
    expires_at: datetime | None


class MeOut(BaseModel):
    """The caller.

    `kind`: `person`, or `end_user` of the `application`. `key`: null for a browser's session.
    """

    id: UUID
    kind: Literal["person", "end_user"]
    username: str
    application: str | None
    external_id: str | None
    key: MeKeyOut | None


class EndUserOut(BaseModel):
    """An end user of an application."""

    id: UUID
    application: str
    external_id: str
    is_active: bool
    created_at: datetime


class EndUsersOut(BaseModel):
    """A page of end users."""

    results: list[EndUserOut]
    next: str | None
    previous: str | None


class EndUsersQuery(PageQuery):
    """Filters of the list; each matches exactly."""

    application: str = ""
    external_id: str = ""


class MeView(ApiView):
    """The caller's identity."""

    @extend_schema(operation_id="get_me", summary="Who is calling", responses=MeOut)
    def get(self, request: Request) -> Response:
        """Return the user for whom the request acts, and what its key may do."""
        key = request.auth if isinstance(request.auth, ApiKey) else None
        return Response(_me_json(get_user(request), key))


class EndUsersView(ApiView):
    """The end users of the caller's applications."""

    scopes: ClassVar[dict[str, str]] = {"GET": "admin"}

    @extend_schema(
        operation_id="list_end_users",
        summary="List end users",
        parameters=describe_query(EndUsersQuery),
        responses=EndUsersOut,
    )
    def get(self, request: Request) -> Response:
        """List the end users of the caller's applications, newest first.

        A key of an application lists only that application's end users.
        """
        query = parse_query(EndUsersQuery, request)
        rows = list_end_users(
            get_user(request),
            application=getattr(request.auth, "application", None),
            name=query.application,
            external_id=query.external_id,
        )
        return Response(page_json(paginate(rows, query, SORTS), _end_user_json, request))


class EndUserView(ApiView):
    """One end user."""

    scopes: ClassVar[dict[str, str]] = {"DELETE": "admin"}

    @extend_schema(operation_id="delete_end_user", summary="Delete an end user", responses={200: EndUserOut})
    def delete(self, request: Request, user_id: str) -> Response:
        """Delete the end user with all memories and threads, permanently."""
        application = getattr(request.auth, "application", None)
        deleted = delete_end_user(parse_id(user_id), owner=get_user(request), application=application)
        return Response(_end_user_json(deleted))


def _me_json(user: User, key: ApiKey | None) -> dict[str, Any]:
    application = user.application
    return {
        "id": user.pk,
        "kind": "end_user" if application else "person",
        "username": user.username,
        "application": application.name if application else None,
        "external_id": user.external_id or None,
        "key": key
        and {
            "id": key.pk,
            "name": key.name,
            "prefix": key.prefix,
            "scopes": key.scopes,
            "application": key.application.name if key.application else None,
            "expires_at": key.expires_at,
        },
    }


def _end_user_json(user: User) -> dict[str, Any]:
    return {
        "id": user.pk,
        "application": user.application.name if user.application else "",
        "external_id": user.external_id,
        "is_active": user.is_active,
        "created_at": user.date_joined,
    }
