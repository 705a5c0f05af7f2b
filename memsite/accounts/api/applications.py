"""API of a person's applications and their settings at the OpenAI-compatible endpoint."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Literal
from uuid import UUID

from drf_spectacular.utils import extend_schema
from pydantic import BaseModel, Field
from rest_framework.request import Request
from rest_framework.response import Response

from memsite.accounts.api.views import get_user
from memsite.accounts.applications import SECRET_CHARACTERS, change_application, get_application
from memsite.accounts.audit import record_own
from memsite.accounts.models import Application
from memsite.errors import NotFound
from memsite.rest.parsing import Body
from memsite.rest.views import ApiView, parse_body
from memsite.values import parse_id

HeaderName = Literal[
    "x-openwebui-user-jwt",
    "x-openwebui-user-id",
    "x-litellm-end-user-id",
    "x-sm-user-id",
    "x-openwebui-chat-id",
    "x-conversation-id",
    "x-litellm-session-id",
    "session-id",
]


class ApplicationOut(BaseModel):
    """An application, without its secret."""

    id: UUID
    name: str
    headers: list[HeaderName] = Field(description="headers of chat programs that are read at /v1")
    user_header: str = Field(description="one more header that names the end user")
    has_token_secret: bool
    require_user: bool
    finds_side_requests: bool
    created_at: datetime


class ApplicationsOut(BaseModel):
    """All applications of the caller."""

    results: list[ApplicationOut]


class ApplicationPatch(Body):
    """The settings to change; missing ones stay the same."""

    headers: list[HeaderName] | None = Field(None, max_length=8)
    user_header: str | None = Field(None, max_length=64)
    token_secret: str | None = Field(
        None, max_length=SECRET_CHARACTERS, description="of X-OpenWebUI-User-Jwt; empty to remove it"
    )
    require_user: bool | None = None
    finds_side_requests: bool | None = None


class ApplicationsView(ApiView):
    """The caller's applications."""

    scopes: ClassVar[dict[str, str]] = {"GET": "admin"}

    @extend_schema(operation_id="list_applications", summary="List applications", responses=ApplicationsOut)
    def get(self, request: Request) -> Response:
        """List the caller's applications by name; with an application's key, only that one."""
        rows = Application.objects.filter(owner=get_user(request)).order_by("name")
        own = getattr(request.auth, "application_id", None)
        if own is not None:
            rows = rows.filter(id=own)
        return Response({"results": [_application_json(row) for row in rows]})


class ApplicationView(ApiView):
    """One application."""

    scopes: ClassVar[dict[str, str]] = {"PATCH": "admin"}

    @extend_schema(
        operation_id="change_application",
        summary="Change an application's settings",
        request=ApplicationPatch,
        responses=ApplicationOut,
    )
    def patch(self, request: Request, application_id: str) -> Response:
        """Change how requests at /v1 name the end user and the conversation."""
        body = parse_body(ApplicationPatch, request)
        owner, identifier = get_user(request), parse_id(application_id)
        own = getattr(request.auth, "application_id", None)
        if own is not None and own != identifier:
            raise NotFound("There is no such application.")
        row = get_application(identifier, owner=owner)
        change_application(row, body.model_dump(exclude_none=True))
        record_own(request, owner, "change application", "applications", [row.pk])
        return Response(_application_json(row))


def _application_json(row: Application) -> dict[str, Any]:
    return {
        "id": row.pk,
        "name": row.name,
        "headers": row.headers,
        "user_header": row.user_header,
        "has_token_secret": bool(row.token_secret),
        "require_user": row.require_user,
        "finds_side_requests": row.finds_side_requests,
        "created_at": row.created_at,
    }
