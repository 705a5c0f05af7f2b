"""The site's routes, read from the URL resolver; policy tests are generated from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Route:
    """One route.

    Attributes:
        path: As a template, `api/memories/<str:memory_id>`.
        parameters: Names in the path.
    """

    path: str
    name: str
    parameters: tuple[str, ...]
    methods: tuple[str, ...]

    def url(self, values: dict[str, str]) -> str:
        """Return the URL with its parameters filled in."""
        filled = re.sub(r"<(?:\w+:)?(\w+)>", lambda match: values[match[1]], self.path)
        return "/" + filled

    def __str__(self) -> str:
        return self.path or "home"


def all_routes() -> list[Route]:
    """Return every route of the site, including those of the admin and allauth."""
    return list(_walk(get_resolver().url_patterns, ""))


def _walk(patterns: list[Any], prefix: str) -> Iterator[Route]:
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern):
            names = tuple(re.findall(r"<(?:\w+:)?(\w+)>", path))
            yield Route(path, pattern.name or "", names, _methods(pattern))


def _methods(pattern: URLPattern) -> tuple[str, ...]:
    view = getattr(pattern.callback, "cls", None) or getattr(pattern.callback, "view_class", None)
    if view is None:
        return METHODS
    return tuple(method for method in METHODS if hasattr(view, method))
