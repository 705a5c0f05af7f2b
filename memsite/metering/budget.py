"""The daily limit of model tokens per owner."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings

from memsite.errors import ModelError
from memsite.metering import usage


def check_budget(*, owner: UUID) -> None:
    """Raise ModelError with reason `budget` if the day's tokens are used up.

    This is checked before a call, so simultaneous calls may exceed the budget by their own tokens.
    """
    allowed = settings.MEMSITE_MODEL_DAILY_TOKENS
    if allowed and usage.sum_tokens_today(owner=owner).tokens >= allowed:
        raise ModelError("today's budget of model tokens is used up", {"reason": "budget"})
