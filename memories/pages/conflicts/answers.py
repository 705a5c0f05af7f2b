"""Apply a person's answer to a dispute: it changed, one side was wrong, or all are true."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Final
from uuid import UUID

from django.utils import timezone
from django.utils.dateparse import parse_date

from memories import curation
from memories.curation import ChangeResult
from memories.pages.acts import PERSON
from memories.pages.conflicts.disputes import Dispute, Side
from memsite.errors import Conflict, InvalidInput
from memsite.values import parse_id

CHANGED: Final = "changed"
WRONG: Final = "wrong"
RIGHT: Final = "right"
BOTH: Final = "both"


def answer_dispute(dispute: Dispute, answer: str, *, since: str = "", owner: UUID) -> ChangeResult:
    """Apply an answer, as one batch that can be undone.

    Args:
        dispute: The dispute.
        answer: `changed`: the newest is true now, the others were true before; `both`: all are true;
            `wrong:<id>`: this one was never true; `right:<id>`: the others were never true.
        since: For `changed`, the day it changed, as YYYY-MM-DD; empty if the person does not know.
        owner: The owner.

    Raises:
        InvalidInput: If there is no such answer or day.
        Conflict: If the dispute was settled meanwhile.
    """
    act, _colon, given = answer.partition(":")
    newest = dispute.newest.memory.pk
    if act == CHANGED:
        began = _parse_change(since) or _estimate_change(dispute)
        return curation.resolve_dispute(newest, owner=owner, actor=PERSON, how="past", since=began)
    if act == BOTH:
        return curation.resolve_dispute(_widest(dispute), owner=owner, actor=PERSON, how="both")
    side = next((side for side in dispute.sides if side.memory.pk == parse_id(given)), None)
    if act not in {WRONG, RIGHT} or side is None:
        raise InvalidInput("This is no answer to this conflict.", {"answer": "unknown"})
    if act == RIGHT:
        return curation.resolve_dispute(side.memory.pk, owner=owner, actor=PERSON, how="wrong")
    keep = _opponent(side, dispute)
    return curation.resolve_dispute(keep, [side.memory.pk], owner=owner, actor=PERSON, how="wrong")


def _opponent(wrong: Side, dispute: Dispute) -> UUID:
    """Return the newest of the sides that this one is in dispute with."""
    opponents = {opponent.memory_id for opponent in wrong.memory.opponents}
    found = [side.memory.pk for side in dispute.sides if side.memory.pk in opponents]
    if not found:
        raise Conflict("This has been settled already.")
    return found[-1]


def _widest(dispute: Dispute) -> UUID:
    """Return the side that is in dispute with most of the others."""
    return max(dispute.sides, key=lambda side: len(side.memory.opponents)).memory.pk


def _parse_change(text: str) -> datetime | None:
    if not text:
        return None
    try:
        day: date | None = parse_date(text)
    except ValueError:
        day = None
    if day is None:
        raise InvalidInput("This is no day.", {"since": "invalid"})
    began = datetime(day.year, day.month, day.day, tzinfo=UTC)
    if began > timezone.now():
        raise InvalidInput("This day is in the future.", {"since": "too late"})
    return began


def _estimate_change(dispute: Dispute) -> datetime | None:
    """Return when it changed, for sides that begin together: when the newest was said, or else written."""
    if not dispute.is_tied:
        return None
    newest = dispute.newest
    return newest.stated_at if newest.stated_at > newest.begins else newest.memory.created_at
