"""The API's OpenAPI description, generated once per process because it depends only on the code."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

from django.http import HttpResponse
from django.utils.cache import get_conditional_response
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


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
