"""Who did it, as events record it."""

from __future__ import annotations

from rest_framework.request import Request

from memsite.accounts.models import ApiKey


def actor_of(request: Request) -> str:
    """`key:<prefix>` for a program, `person` for somebody signed in."""
    return f"key:{request.auth.prefix}" if isinstance(request.auth, ApiKey) else "person"
