"""The circuit breaker: every process stops calling a server that keeps failing, for a while.

Closed: calls pass. After 5 failures in a row the breaker opens: calls are refused at once, so that the rules
answer without a wait. After the pause it is half-open: one trial call passes, the others are still refused.
If the server answers, the breaker closes; if it fails, it opens for twice as long, up to 5 minutes. All times
are those of the database's clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from django.conf import settings
from django.db import connection
from django.db.models.functions import Now

from memsite.errors import ModelError
from memsite.metering.models import Breaker

#: Failures in a row that may pass, each counted after its own retries. Five of them have already cost people
#: over a minute of waiting; a lower number would open the breaker on one bad moment of a busy server.
FAILURES_TO_OPEN: Final = 5
#: Seconds without calls; doubled each time the trial call fails, too.
PAUSE: Final = 30
PAUSE_MAX: Final = 300
#: Most characters of a model's name that are stored.
NAME_LENGTH: Final = 200


State = Literal["closed", "open", "half-open", "off"]

# While open, only the failure of the trial call extends the pause: the other calls began before it opened.
_FAILED: Final = """
    INSERT INTO metering_breaker AS b (model, failures, openings, open_until, changed_at)
    VALUES (%(model)s, 1, 0, NULL, statement_timestamp())
    ON CONFLICT (model) DO UPDATE SET
        failures = b.failures + 1,
        openings = CASE
            WHEN b.open_until IS NOT NULL THEN b.openings + %(tried)s::int
            WHEN b.failures + 1 >= %(enough)s THEN 1
            ELSE 0 END,
        open_until = CASE
            WHEN b.open_until IS NOT NULL AND NOT %(tried)s THEN b.open_until
            WHEN b.open_until IS NOT NULL OR b.failures + 1 >= %(enough)s
            THEN statement_timestamp()
                + make_interval(secs => least(%(longest)s, %(pause)s * 2.0 ^ least(b.openings, 9)))
            END,
        changed_at = statement_timestamp()
"""
# The process that makes the trial call moves the end of the pause past the longest duration of the call, in
# case the process dies.
_TRY: Final = """
    UPDATE metering_breaker
    SET open_until = statement_timestamp() + make_interval(secs => %(seconds)s), changed_at = now()
    WHERE model = %(model)s AND open_until <= statement_timestamp()
"""


@dataclass(frozen=True, slots=True)
class BreakerState:
    """The state of one model's breaker.

    Attributes:
        state: `closed`, `open`, `half-open`, or `off` if the breaker is disabled.
        failures: Failures in a row.
        retry_in: Seconds until the next trial call while it is open, else 0.
    """

    state: State
    failures: int = 0
    retry_in: float = 0.0


def get_breaker_state(model: str) -> BreakerState:
    """Return the state of this model's breaker. Costs one statement; none if the breaker is disabled."""
    if not settings.MEMSITE_MODEL_BREAKER:
        return BreakerState("off")
    row = (
        Breaker.objects.filter(model=model[:NAME_LENGTH]).values_list("failures", "open_until", Now()).first()
    )
    return _compute_state(*row) if row else BreakerState("closed")


def admit_call(model: str, *, longest: float) -> bool:
    """Admit a call, or refuse it.

    Args:
        model: Name of the model.
        longest: Seconds after which the call has certainly ended.

    Returns:
        Whether this is the trial call.

    Raises:
        ModelError: With reason `breaker`, if the call is refused.
    """
    found = get_breaker_state(model)
    if found.state in {"closed", "off"}:
        return False
    if found.state == "half-open" and _take_the_try(model, longest):
        return True
    raise ModelError(
        "the model server keeps failing and is left alone for a while",
        {"reason": "breaker", "retry_in": round(found.retry_in)},
    )


def record_answer(model: str) -> None:
    """Close the breaker: the server answered, whatever it answered."""
    if settings.MEMSITE_MODEL_BREAKER:
        Breaker.objects.filter(model=model, failures__gt=0).update(
            failures=0, openings=0, open_until=None, changed_at=Now()
        )


def record_failure(model: str, *, tried: bool) -> None:
    """Count a temporary failure of the server.

    Args:
        model: Name of the model.
        tried: The return value of `admit_call`.
    """
    if not settings.MEMSITE_MODEL_BREAKER:
        return
    values: dict[str, str | int] = {
        "model": model,
        "tried": tried,
        "enough": FAILURES_TO_OPEN,
        "pause": PAUSE,
        "longest": PAUSE_MAX,
    }
    with connection.cursor() as cursor:
        cursor.execute(_FAILED, values)


def _compute_state(failures: int, open_until: datetime | None, now: datetime) -> BreakerState:
    if open_until is None:
        return BreakerState("closed", failures)
    left = (open_until - now).total_seconds()
    return BreakerState("open", failures, left) if left > 0 else BreakerState("half-open", failures)


def _take_the_try(model: str, seconds: float) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_TRY, {"model": model, "seconds": seconds})
        return bool(cursor.rowcount)
