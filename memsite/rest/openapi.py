"""The API's OpenAPI description: the answers that all operations share, and the view that serves it."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any, Final

from django.http import HttpResponse
from django.utils.cache import get_conditional_response
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from pydantic import BaseModel
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

_ERROR: Final = {
    "type": "object",
    "required": ["code", "message", "detail"],
    "properties": {
        "code": {"type": "string", "description": "names the kind of error for programs"},
        "message": {"type": "string", "description": "one sentence for people"},
        "detail": {"description": "facts, such as errors by field; null where there are none"},
    },
}
_FAILURES: Final = {
    "400": "Invalid input: unknown field, wrong type, out of range.",
    "401": "No key, or a key that is not valid.",
    "403": "The key lacks the scope, or the person switched this off.",
    "404": "Not there, or not yours.",
    "408": "The body came too slowly.",
    "409": "Taken, or changed meanwhile.",
    "413": "Too large.",
    "422": "Refused by the gate.",
    "429": "Too many requests.",
    "503": "Something this needs is away.",
}


def describe_query(model: type[BaseModel]) -> Any:  # noqa: ANN401 - drf-spectacular takes pydantic models; its types do not say so
    """Return a pydantic model as the `parameters` of `extend_schema`."""
    return [model]


def describe_failures(result: dict[str, Any], **_context: object) -> dict[str, Any]:
    """Add the error answers to every operation (drf-spectacular's postprocessing hook)."""
    result["components"]["schemas"]["Error"] = _ERROR
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for operations in result["paths"].values():
        for operation in operations.values():
            for status, description in _FAILURES.items():
                operation["responses"].setdefault(status, {"description": description, "content": content})
    return result


class DescriptionView(SpectacularAPIView):
    """OpenAPI as YAML or JSON, with an ETag."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Return the description; 304 if the caller has it already."""
        renderer: Any = request.accepted_renderer
        kind: Any = type(renderer)
        content, etag = _rendered(kind)
        response = HttpResponse(content, content_type=renderer.media_type)
        response["ETag"] = etag
        # caches may keep it but must ask each time whether it is still valid
        response["Cache-Control"] = "no-cache"
        found = get_conditional_response(request._request, etag=etag, response=response)  # noqa: SLF001 - what DRF wraps
        return found or response


@cache
def _rendered(renderer: type[BaseRenderer]) -> tuple[bytes, str]:
    """Return the description in a renderer's format, and its ETag."""
    generator: Any = DescriptionView.generator_class()
    content: Any = renderer().render(generator.get_schema(request=None, public=True), renderer_context={})
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'
