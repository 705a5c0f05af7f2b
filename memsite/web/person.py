"""Whose page it is."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest

from memsite.errors import NotAuthenticated


def owner_of(request: HttpRequest) -> UUID:
    """The id of the signed-in person. Raises NotAuthenticated when nobody is signed in."""
    owner = request.user.pk
    if owner is None:
        raise NotAuthenticated("Please sign in.")
    return owner
