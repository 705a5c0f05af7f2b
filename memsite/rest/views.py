"""The base of every API view: scopes, rate limit, strict input, the header with the effective owner."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar
from uuid import UUID

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest
from pydantic import BaseModel
from pydantic_core import to_json
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memsite.errors import InvalidInput, MemsiteError, NotAuthenticated, TooLarge
from memsite.rest.parsing import read_query_values
from memsite.rest.throttling import count_request, name_address_caller, name_person_caller
from memsite.serving.postgres import act_for

OWNER_HEADER = "Memsite-Owner"

M = TypeVar("M", bound=BaseModel)


class ApiView(APIView):
    """Base of API views.

    Attributes:
        scopes: The scope a method needs, if it differs from the default of read or write by method, for
            example for a POST that only reads.
        takes_uploads: Whether the body is a file, whose size the view limits.
    """

    scopes: ClassVar[dict[str, str]] = {}
    takes_uploads: ClassVar[bool] = False

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not self.takes_uploads:
            _measure_body(request._request)  # noqa: SLF001 - what DRF wraps; DRF's own reading has no limit

    def perform_authentication(self, request: Request) -> None:
        """Authenticate, act for the owner in the database, and count the request at once.

        Requests that are then refused for their scope count, too.
        """
        super().perform_authentication(request)
        act_for(get_owner(request))
        # For an application's key, count its owner, because end users can be created without limit.
        person: UUID = getattr(request.auth, "owner_id", None) or get_owner(request)
        count_request(name_person_caller(person))

    def handle_exception(self, exc: Exception) -> Response:
        unknown = getattr(self.request, "_user", None) is None
        if unknown and isinstance(exc, (MemsiteError, APIException)):
            try:
                count_request(name_address_caller(self.request.META.get("REMOTE_ADDR", "")))
            except Exception as error:  # noqa: BLE001 - the limit's own word, or a database away: both have an answer
                exc = error
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        final = super().finalize_response(request, response, *args, **kwargs)
        user = getattr(request, "_user", None)
        if user is not None and user.pk:
            final[OWNER_HEADER] = str(user.pk)
        return final


def _measure_body(request: HttpRequest) -> None:
    """Raise TooLarge if the body exceeds the limit.

    A body of unannounced length is read here, because DRF takes it for an empty one.
    """
    length = request.META.get("CONTENT_LENGTH") or ""
    if not length and "HTTP_TRANSFER_ENCODING" in request.META:
        length = request.META["CONTENT_LENGTH"] = str(len(request.body))
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if length.isdigit() and limit is not None and int(length) > limit:
        raise TooLarge(f"A request may have {limit // 1024**2} MB.", {"bytes": limit})


def get_owner(request: Request) -> UUID:
    """Return the id of the user this request acts for."""
    owner: UUID = get_person(request).pk
    return owner


def get_person(request: Request) -> AbstractBaseUser:
    """Return the user this request acts for. The permission check has made sure that there is one."""
    if not isinstance(request.user, AbstractBaseUser):
        raise NotAuthenticated("Sign in, or send an API key: Authorization: Bearer KEY.")
    return request.user


def parse_body(model: type[M], request: Request) -> M:
    """Return the request's body as `model`; no value is taken for one of another type.

    JSON has no times and no ids, so these are texts there: only pydantic's reader of JSON takes them for such
    and all else strictly.

    Raises:
        InvalidInput: If the body is no object.
        ValidationError: If it is no such model. The error handler answers 400.
    """
    if not isinstance(request.data, dict):
        raise InvalidInput("The body must be a JSON object.")
    return model.model_validate_json(to_json(request.data), strict=True)


def parse_query(model: type[M], request: Request) -> M:
    """Return the request's query parameters as `model`; an unknown one is an error."""
    return model.model_validate(read_query_values(request.query_params))
