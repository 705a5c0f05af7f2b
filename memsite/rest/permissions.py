"""Permissions of API keys."""

from __future__ import annotations

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from memsite.errors import NotAllowed, NotAuthenticated

_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class HasScope(BasePermission):
    """A key needs the view's scope for the method; a person's own session has all scopes."""

    def has_permission(self, request: Request, view: object) -> bool:
        if request.user is None or request.user.pk is None:
            raise NotAuthenticated("Sign in, or send an API key: Authorization: Bearer KEY.")
        granted = getattr(request.auth, "scopes", None)
        needed = get_required_scope(view, request.method or "GET")
        if granted is not None and needed not in granted:
            raise NotAllowed(f"This key lacks the scope {needed!r}.", {"scope": needed})
        return True


def get_required_scope(view: object, method: str) -> str:
    """Return the scope a method of a view needs: from the view's `scopes`, else read or write by method."""
    scopes: dict[str, str] = getattr(view, "scopes", {})
    return scopes.get(method, "read" if method in _READING else "write")
