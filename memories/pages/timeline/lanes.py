"""Build the lanes of a page of the timeline: their values, in words and as bars on one axis."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext

from memories import ports
from memories.models.labels import say_day, say_name
from memories.models.predicate_labels import get_predicate_label
from memories.pages.timeline.drawing import Axis, Bar, Strip, build_axis, draw_strip, fit_words
from memories.pages.timeline.timeline_query import TimelineQuery
from memories.storage import Clock, SlotSummary, SlotValue, list_slots, load_slot_values
from memories.values import Status

_LANES: Final = 12
_VALUES: Final = 24
#: Values of a lane that are listed; the others are folded away.
_LISTED: Final = 4


@dataclass(frozen=True, slots=True)
class LaneValue:
    """A value of a lane.

    Attributes:
        tone: How it is drawn: `now`, `past`, `retired` or `disputed`.
        period: When it was so, or was believed, in words.
        bar: Its bar; None if it lies outside the axis or overlaps too many others.
        words: As much of the value as fits into its bar; `short_words`: on a phone.
    """

    value: SlotValue
    tone: str
    period: str
    on_left_branch: bool
    bar: Bar | None
    words: str
    short_words: str


@dataclass(frozen=True, slots=True)
class Lane:
    """The values of one slot, the newest first.

    Attributes:
        listed: The values in the list; `folded`: those folded away.
        left: How many older values are not loaded.
    """

    slot: str
    subject: str
    predicate: str
    is_changed: bool
    strip: Strip
    listed: tuple[LaneValue, ...]
    folded: tuple[LaneValue, ...]
    left: int

    @property
    def is_disputed(self) -> bool:
        """Whether a person has to decide between values."""
        return any(one.tone == "disputed" for one in (*self.listed, *self.folded))

    @property
    def drawn(self) -> list[LaneValue]:
        """The values that have a bar."""
        return [one for one in (*self.listed, *self.folded) if one.bar is not None]


@dataclass(frozen=True, slots=True)
class Timeline:
    """One page of lanes. `next`: the query string of the next page; empty at the end."""

    query: TimelineQuery
    lanes: tuple[Lane, ...]
    axis: Axis
    next: str


def load_timeline(query: TimelineQuery, *, owner: UUID) -> Timeline:
    """Return one page of lanes. The number of queries does not depend on what there is."""
    found = list_slots(query.filter(), query.clock, owner=owner, most=_LANES + 1, after=query.after)
    slots = found[:_LANES]
    values = load_slot_values([one.slot for one in slots], query.clock, owner=owner, most=_VALUES)
    now = timezone.now()
    every = [value for of_slot in values.values() for value in of_slot]
    axis = build_axis(every, now=now, since=query.begins, until=query.ends)
    hidden = ports.hidden(None, owner=owner) if every else frozenset()
    lanes = tuple(_build_lane(slot, values[slot.slot], axis, query.clock, hidden, now) for slot in slots)
    following = query.next_page(slots[-1]) if len(found) > _LANES else ""
    return Timeline(query, lanes, axis, following)


def _build_lane(
    slot: SlotSummary,
    values: list[SlotValue],
    axis: Axis,
    clock: Clock,
    hidden: frozenset[UUID],
    now: datetime,
) -> Lane:
    strip = draw_strip(values, axis)
    bars = {bar.number: bar for bar in strip.bars}
    built = tuple(
        _build_value(value, bars.get(number), strip, clock, now, on_left_branch=value.memory_id in hidden)
        for number, value in enumerate(values)
    )
    return Lane(
        slot=slot.slot,
        subject=say_name(values[0].subject) if values else "",
        predicate=get_predicate_label(values[0].predicate) if values else "",
        is_changed=slot.is_changed,
        strip=strip,
        listed=built[:_LISTED],
        folded=built[_LISTED:],
        left=max(0, slot.count - len(values)),
    )


def _build_value(
    value: SlotValue, bar: Bar | None, strip: Strip, clock: Clock, now: datetime, *, on_left_branch: bool
) -> LaneValue:
    width = bar.width if bar and strip.has_words else 0
    return LaneValue(
        value=value,
        tone=_choose_tone(value, now),
        period=describe_period(value, clock, now),
        on_left_branch=on_left_branch,
        bar=bar,
        words=fit_words(value.object, width, on_phone=False),
        short_words=fit_words(value.object, width, on_phone=True),
    )


def _choose_tone(value: SlotValue, now: datetime) -> str:
    if value.status == Status.DISPUTED:
        return "disputed"
    if value.is_retired:
        return "retired"
    return "past" if value.end is not None and value.end <= now else "now"


def describe_period(value: SlotValue, clock: Clock, now: datetime) -> str:
    """Return in words when a value was so, or was believed."""
    days = {"begin": say_day(value.begin), "end": say_day(value.end) if value.end else ""}
    if clock is Clock.BELIEF:
        return _describe_belief(value) % days
    if not value.is_begin_stated:
        since = gettext("known since %(begin)s") % days
        until = gettext("until %(end)s; since when is not known") % days
        return until if value.end else since
    if value.end:
        return gettext("from %(begin)s until %(end)s") % days
    return (gettext("since %(begin)s") if value.begin <= now else gettext("from %(begin)s on")) % days


def _describe_belief(value: SlotValue) -> str:
    if value.end is None:
        return gettext("believed since %(begin)s")
    if value.is_retired:
        return gettext("believed from %(begin)s until %(end)s, then withdrawn")
    return gettext("believed from %(begin)s; on %(end)s Memsite learnt that it had ended")
