"""Say in words whether a memory is used and what a person can do, and when it was true and was believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.models import Memory
from memories.models.labels import say_day
from memories.values import HELD_BY_BOUND, UNPROVEN, Kind, Layer, Status

#: The reason of the link to a successor → what became of the memory.
_REPLACED: Final[Mapping[str, Promise]] = {
    "edited": _("A newer wording took its place."),
    "merged": _("It was merged with another memory."),
    "compressed": _("It was summed up together with others."),
    "corrected": _("It was wrong; another memory took its place."),
    "resolved": _("It was wrong; another memory took its place."),
    "ended": _("It was true once, and is not any more."),
}
_USED: Final = _("It is in use: replies can recall it.")
_IF_NOT_RIGHT: Final = _(
    "If it is not right, edit it: the old wording stays in the history. If it should not be used, forget it."
)
_LEFT_BRANCH: Final = _("It was learnt on a branch that you left, so replies do not recall it.")
_IF_LEFT_BRANCH: Final = _("It is recalled again when that branch is the current one, or when you keep it.")
_WAITS: Final = _("It waits for your decision: replies do not recall it until you keep it.")
_IF_WAITS: Final = _("Keep it if it is right, edit it if it is nearly right, or forget it.")
_UNPROVEN: Final = _("It waits for your decision: a model concluded it, and nothing else shows it yet.")
_HELD: Final = _("It waits for your decision: a model wanted to replace many memories at once.")
_DISPUTED: Final = _("It is disputed: it and another memory cannot both be true.")
_IF_DISPUTED: Final = _("Decide which one is right. Until then, replies may recall both.")
_OVER: Final = _("It was true once, and is not any more.")
_WITHDRAWN: Final = _("It was withdrawn: the change that wrote it was undone.")
_IF_PAST: Final = _("Replies do not take it as true now. It is kept so that you can see what changed.")
_IF_FORGOTTEN: Final = _("Restore it to use it again, or erase it so that nothing of it is left.")


@dataclass(frozen=True, slots=True)
class StatusWords:
    """Whether the memory is used, and what the person can do about it."""

    state: str
    advice: str


def describe_status(memory: Memory, *, replaced_for: str | None, on_left_branch: bool) -> StatusWords:
    """Return a memory's status in words.

    Args:
        memory: The memory.
        replaced_for: The reason of the link to its successor; None without a successor.
        on_left_branch: Whether recall leaves it out because it was learnt on an abandoned branch.
    """
    if memory.status == Status.FORGOTTEN:
        return StatusWords(_describe_forgetting(memory), str(_IF_FORGOTTEN))
    if memory.status == Status.PENDING:
        return StatusWords(_describe_waiting(memory), str(_IF_WAITS))
    if memory.status == Status.DISPUTED:
        return StatusWords(str(_DISPUTED), str(_IF_DISPUTED))
    if memory.status == Status.DEPRECATED:
        ended = _OVER if memory.ended_at else _WITHDRAWN
        return StatusWords(str(_REPLACED.get(replaced_for or "", ended)), str(_IF_PAST))
    if on_left_branch:
        return StatusWords(str(_LEFT_BRANCH), str(_IF_LEFT_BRANCH))
    return StatusWords(str(_USED), str(_IF_NOT_RIGHT))


def describe_truth(memory: Memory, *, now: datetime) -> str:
    """Return when the memory was true in the world."""
    if memory.layer == Layer.EPISODIC and memory.occurred_at:
        spoken = gettext("It was said on %(day)s.")
        happened = gettext("It happened on %(day)s.")
        return (spoken if memory.kind == Kind.CONVERSATION else happened) % {
            "day": say_day(memory.occurred_at)
        }
    begin, end = memory.valid_from, memory.valid_until
    if begin and end:
        return gettext("True from %(begin)s until %(end)s.") % {"begin": say_day(begin), "end": say_day(end)}
    if begin:
        since = gettext("True since %(begin)s.") if begin <= now else gettext("True from %(begin)s on.")
        return since % {"begin": say_day(begin)}
    if end:
        until = gettext("True until %(end)s; since when is not known.")
        return until % {"end": say_day(end)}
    return gettext("Since when it is true is not known.")


def describe_belief(memory: Memory) -> str:
    """Return when Memsite believed the memory, and when it learnt that it had ended."""
    days = {"begin": say_day(memory.created_at)}
    until = memory.retired_at or memory.forgotten_at
    if memory.status == Status.PENDING:
        return gettext("Proposed on %(begin)s; Memsite does not believe it until you keep it.") % days
    if until and until.date() == memory.created_at.date():
        return gettext("Memsite believed it only for a while on %(begin)s.") % days
    if memory.retired_at:
        return gettext("Memsite believed it from %(begin)s until %(end)s.") % {
            **days,
            "end": say_day(memory.retired_at),
        }
    if memory.ended_at:
        ended = gettext("Memsite has known it since %(begin)s, and learnt on %(end)s that it had ended.")
        return ended % {**days, "end": say_day(memory.ended_at)}
    if memory.forgotten_at:
        forgotten = gettext("Memsite believed it from %(begin)s until it was forgotten on %(end)s.")
        return forgotten % {**days, "end": say_day(memory.forgotten_at)}
    return gettext("Memsite has believed it since %(begin)s.") % days


def _describe_forgetting(memory: Memory) -> str:
    days = {"day": say_day(memory.forgotten_at)} if memory.forgotten_at else {"day": ""}
    if memory.forgotten_by == "person":
        return gettext("It was forgotten on %(day)s: replies never recall it.") % days
    return gettext("It had faded and was forgotten on %(day)s: replies never recall it.") % days


def _describe_waiting(memory: Memory) -> str:
    if memory.metadata.get(UNPROVEN):
        return str(_UNPROVEN)
    return str(_HELD if memory.metadata.get(HELD_BY_BOUND) else _WAITS)
