"""The signed-in person of a page request."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest

from memsite.errors import NotAuthenticated


def get_owner(request: HttpRequest) -> UUID:
    """Return the id of the signed-in person. Raises NotAuthenticated if nobody is signed in."""
    owner = request.user.pk
    if owner is None:
        raise NotAuthenticated("Please sign in.")
    return owner
