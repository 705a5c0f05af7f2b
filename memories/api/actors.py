"""Name the actor of a request, as events record it."""

from __future__ import annotations

from rest_framework.request import Request

from memsite.accounts.models import ApiKey


def get_actor(request: Request) -> str:
    """Return `key:<prefix>` for a program, or `person` for a signed-in user."""
    return f"key:{request.auth.prefix}" if isinstance(request.auth, ApiKey) else "person"
