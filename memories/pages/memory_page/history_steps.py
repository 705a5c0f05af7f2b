"""Turn the events of a memory and its wordings into steps: what happened, by whom, which words changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.curation import WordingChain
from memories.models import Event, EventType, Memory
from memories.models.labels import (
    DISPUTE_LABELS,
    EVENT_LABELS,
    KIND_LABELS,
    LIFESPAN_LABELS,
    get_actor_label,
    get_label,
    say_day,
)
from memories.pages.memory_page.word_difference import SAME, Part, compare_wordings, fold_parts
from memories.values import Status

#: The reason for which a new wording supersedes another → what happened.
_SUPERSEDED: Final[Mapping[str, Promise]] = {
    "merged": _("Merged"),
    "compressed": _("Summed up with others"),
    "corrected": _("Corrected"),
    "edited": _("Edited"),
    "ended": _("It changed"),
    "said before and after a change": _("Said before and after a change"),
}
#: The reason of an event → what happened; of several events, the first that is listed here counts.
_HAPPENED: Final[Mapping[str, Promise]] = {
    "undone": _("A change was undone"),
    "merged": _("Merged"),
    "compressed": _("Summed up with others"),
    "resolved": _("Decided"),
    "confirmed": _("Confirmed"),
    "corrected": _("Corrected"),
    "ended": _("No longer true"),
    "settled": _("No longer disputed"),
    "kept apart": _("Found to be different from another"),
    "dispute open again": _("Disputed again"),
    "said before": _("Began earlier than was known"),
    "said again": _("Said again"),
    "judged in a context": _("Rated in a reply"),
}
#: The longest text of a wording that is shown without a comparison.
_LONGEST: Final = 400
#: The most characters and lines of a wording before the rest is folded away.
_SHOWN: Final = 650
_SHOWN_LINES: Final = 8
#: The most wordings that are compared with the one before.
_MOST_COMPARED: Final = 25


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field and its values before and after, in words."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class NewWording:
    """A wording that a step wrote.

    Attributes:
        shown: The comparison with the wording before, or the text if there was none, or several.
        folded: The rest of it, which is folded away if it is long.
        merged: The memories that became this one, if there were several.
    """

    memory: Memory
    shown: tuple[Part, ...]
    folded: tuple[Part, ...]
    merged: tuple[Memory, ...]

    @property
    def folded_text(self) -> str:
        """The text that is folded away."""
        return "".join(part.text for part in self.folded)


@dataclass(frozen=True, slots=True)
class Step:
    """The changes of one batch to the wordings of a memory.

    Attributes:
        note: Why, if it is known.
        others: The changed wordings, if the one that the page is about is not among them.
        size: How many wordings of the memory the step wrote or changed.
        can_undo: Whether the step did more than to write a first wording.
    """

    title: str
    note: str
    actor: str
    at: datetime
    batch_id: UUID
    wordings: tuple[NewWording, ...]
    changes: tuple[FieldChange, ...]
    others: tuple[Memory, ...]
    size: int
    can_undo: bool


@dataclass(frozen=True, slots=True)
class _Change:
    """An event with the values that its fields had afterwards."""

    event: Event
    memory: Memory
    after: Mapping[str, Any]


def build_steps(chain: WordingChain, memory: Memory) -> list[Step]:
    """Return the steps of a memory's history, oldest first."""
    changes = list(_follow_back(chain))
    steps: list[Step] = []
    compared = 0
    for batch_id, batch in groupby(changes, key=lambda change: change.event.batch_id):
        of_batch = list(batch)
        steps.append(_build_step(batch_id, of_batch, chain, memory, compare=compared < _MOST_COMPARED))
        compared += len(steps[-1].wordings)
    return steps[::-1]


def _follow_back(chain: WordingChain) -> Iterator[_Change]:
    """Yield the events, newest first. The value after an event is the one before the next change."""
    fields = ("status", "pinned", *_FIELDS)
    values = {row.pk: row.snapshot(fields) for row in chain.rows.values()}
    for event in chain.events:
        row = chain.rows.get(event.memory_id) if event.memory_id else None
        if row is None:
            continue
        state = values[row.pk]
        yield _Change(event, row, dict(state))
        state.update({name: value for name, value in (event.before or {}).items() if name in state})


def _build_step(
    batch_id: UUID, changes: Sequence[_Change], chain: WordingChain, memory: Memory, *, compare: bool
) -> Step:
    created = [change for change in changes if change.event.type == EventType.CREATED]
    changed = {change.memory.pk: change.memory for change in changes}
    is_elsewhere = not created and memory.pk not in changed
    first = changes[0].event
    return Step(
        title=_name_step(changes, created, chain),
        note=next((str(DISPUTE_LABELS[one]) for one in _reasons(changes) if one in DISPUTE_LABELS), ""),
        actor=get_actor_label(first.actor),
        at=first.created_at,
        batch_id=batch_id,
        wordings=tuple(_build_wording(change.memory, chain, compare=compare) for change in created),
        changes=tuple(_list_field_changes(changes, memory)),
        others=tuple(changed.values()) if is_elsewhere else (),
        size=len(changed),
        can_undo=len(changes) > len(created),
    )


def _build_wording(memory: Memory, chain: WordingChain, *, compare: bool) -> NewWording:
    before = [chain.rows[other] for one, other in chain.links if one == memory.pk and other in chain.rows]
    text = memory.content
    parts = [Part(SAME, text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")]
    if compare and len(before) == 1:
        parts = compare_wordings(before[0].content, text)
    shown, folded = fold_parts(parts, characters=_SHOWN, lines=_SHOWN_LINES)
    return NewWording(memory, shown, folded, merged=tuple(before) if len(before) > 1 else ())


def _name_step(changes: Sequence[_Change], created: Sequence[_Change], chain: WordingChain) -> str:
    if created:
        touched = {change.memory.pk for change in changes}
        new = {change.memory.pk for change in created}
        links = {
            reason for (one, other), reason in chain.links.items() if one in new and other in touched - new
        }
        replaced = next((label for reason, label in _SUPERSEDED.items() if reason in links), None)
        waits = all(change.after["status"] == Status.PENDING for change in created)
        return str(replaced or (_("Proposed") if waits else EVENT_LABELS[EventType.CREATED]))
    reasons = _reasons(changes)
    happened = next((label for reason, label in _HAPPENED.items() if reason in reasons), None)
    return str(happened or _name_change(changes))


def _name_change(changes: Iterable[_Change]) -> str:
    """Return what the type of the events says, or whether the memory was pinned."""
    for change in changes:
        if change.event.type != EventType.UPDATED:
            return get_label(EVENT_LABELS, change.event.type)
        if "pinned" in (change.event.before or {}):
            return gettext("Pinned") if change.after["pinned"] else gettext("No longer pinned")
    return get_label(EVENT_LABELS, EventType.UPDATED)


def _reasons(changes: Iterable[_Change]) -> set[str]:
    return {change.event.reason for change in changes}


def _list_field_changes(changes: Sequence[_Change], memory: Memory) -> Iterator[FieldChange]:
    """Yield the changed fields of the page's memory, or of the only changed wording."""
    rows = {change.memory.pk for change in changes}
    chosen = memory.pk if memory.pk in rows else next(iter(rows))
    for change in changes:
        before = (change.event.before or {}) if change.memory.pk == chosen else {}
        for name, (label, describe) in _FIELDS.items():
            if name in before and before[name] != change.after[name]:
                yield FieldChange(str(label), describe(before[name]), describe(change.after[name]))


def _describe_text(value: Any) -> str:  # noqa: ANN401 - a field's value of an event
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value if value is not None else "")
    return (text if len(text) <= _LONGEST // 4 else text[: _LONGEST // 4 - 1] + "…") or gettext("nothing")


def _describe_share(value: Any) -> str:  # noqa: ANN401 - as above
    return f"{value:.0%}" if isinstance(value, (int, float)) else _describe_text(value)


def _describe_moment(value: Any) -> str:  # noqa: ANN401 - as above
    moment = parse_datetime(value) if isinstance(value, str) else value
    return say_day(moment) if moment else gettext("not known")


def _describe_switch(value: Any) -> str:  # noqa: ANN401 - as above
    return gettext("Yes") if value else gettext("No")


#: Field → its label, and how its values are said.
_FIELDS: Final[Mapping[str, tuple[Promise, Callable[[Any], str]]]] = {
    "kind": (_("Kind"), lambda value: get_label(KIND_LABELS, value)),
    "valid_from": (_("True from"), _describe_moment),
    "valid_until": (_("True until"), _describe_moment),
    "occurred_at": (_("Happened"), _describe_moment),
    "subject": (_("Subject"), _describe_text),
    "predicate": (_("Predicate"), _describe_text),
    "object": (_("Object"), _describe_text),
    "category": (_("Category"), _describe_text),
    "tags": (_("Tags"), _describe_text),
    "base_importance": (_("Importance"), _describe_share),
    "confidence": (_("Certainty"), _describe_share),
    "lifespan": (_("Kept for"), lambda value: get_label(LIFESPAN_LABELS, value)),
    "sensitive": (_("Sensitive"), _describe_switch),
}
