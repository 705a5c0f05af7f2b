"""The base of every API view: scopes, rate limit, strict input, the effective owner's header."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar
from uuid import UUID

from django.contrib.auth.base_user import AbstractBaseUser
from pydantic import BaseModel
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memsite.errors import InvalidInput, NotAuthenticated
from memsite.rest.parsing import query_values
from memsite.rest.throttling import count_request

OWNER_HEADER = "Memsite-Owner"

M = TypeVar("M", bound=BaseModel)


class ApiView(APIView):
    """`scopes`: what a method needs where read/write by method is not right, e.g. a POST that only reads."""

    scopes: ClassVar[dict[str, str]] = {}

    def check_throttles(self, request: Request) -> None:
        key = getattr(request.auth, "pk", None)
        count_request(f"key:{key}" if key else f"user:{request.user.pk}")

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, NotAuthenticated):
            try:
                count_request(f"address:{self.request.META.get('REMOTE_ADDR', '')}")
            except Exception as error:  # noqa: BLE001 - the limit's own word, or a database away: both have an answer
                exc = error
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        final = super().finalize_response(request, response, *args, **kwargs)
        user = getattr(request, "_user", None)
        if user is not None and user.pk:
            final[OWNER_HEADER] = str(user.pk)
        return final


def owner_of(request: Request) -> UUID:
    """The id of whom this request acts for."""
    owner: UUID = person_of(request).pk
    return owner


def person_of(request: Request) -> AbstractBaseUser:
    """Whom this request acts for. The permission check has made sure that it is somebody."""
    if not isinstance(request.user, AbstractBaseUser):
        raise NotAuthenticated("Sign in, or send an API key: Authorization: Bearer KEY.")
    return request.user


def parse_body(model: type[M], request: Request) -> M:
    """The request's body as `model`. Raises InvalidInput (by the error handler) for anything else."""
    if not isinstance(request.data, dict):
        raise InvalidInput("The body must be a JSON object.")
    return model.model_validate(request.data)


def parse_query(model: type[M], request: Request) -> M:
    """The request's query parameters as `model`; an unknown one is an error."""
    return model.model_validate(query_values(request.query_params))
