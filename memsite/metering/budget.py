"""The tokens an owner may use of models in a day."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings

from memsite.errors import ModelError
from memsite.metering import usage


def check(*, owner: UUID) -> None:
    """Raise ModelError with reason `budget` when the day's tokens are used up.

    Looked at before a call, so calls under way at once may pass the budget by what they use themselves.
    """
    allowed = settings.MEMSITE_MODEL_DAILY_TOKENS
    if allowed and usage.used_today(owner=owner).tokens >= allowed:
        raise ModelError("today's budget of model tokens is used up", {"reason": "budget"})
