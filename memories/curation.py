"""What a person does to their memories: confirm, edit, pin, forget, restore, undo.

Each verb is one batch in one transaction, and every batch can be undone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, cast
from uuid import UUID

from django.db import IntegrityError
from django.db.models import Field
from django.utils import timezone

from memories import drafting
from memories.access import get_memories, get_memory
from memories.candidates import KINDS, Candidate
from memories.events import events_of_batch
from memories.gate import redact, redact_json
from memories.models import Event, Memory
from memories.models.event import EventType
from memories.models.link import LinkKind
from memories.models.memory import Status
from memories.normalisation import normalise
from memories.queries import sources_of, standing_by_fingerprint
from memories.store import Draft, Writing, writing
from memsite.errors import Conflict, InvalidInput, NotFound, RefusedByGate

#: Fields a PATCH may change in place. content is not among them: an edit writes a successor.
EDITABLE: Final = frozenset(
    {
        "kind",
        "category",
        "tags",
        "participants",
        "importance",
        "confidence",
        "lifespan",
        "pinned",
        "sensitive",
        "speaker",
        "valid_from",
        "valid_until",
        "metadata",
    }
)
#: Kinds whose identity is not their words: nothing becomes one of them, or stops being one, by an edit.
_FIXED_KINDS: Final = frozenset({"relation", "entity"})

Mode = Literal["replace", "append"]


@dataclass(frozen=True, slots=True)
class Changed:
    """One batch of changes: the rows as they stand now, and the id that undoes them."""

    memories: tuple[Memory, ...]
    batch_id: UUID


def edit(
    memory_id: str | UUID, changes: Mapping[str, Any], *, owner: UUID, actor: str, mode: Mode = "replace"
) -> Changed:
    """Change fields in place. mode `append` adds to lists and metadata instead of replacing them.

    Raises NotFound, InvalidInput for a field that cannot be edited or a kind that does not fit.
    """
    with _standing_once(), writing(owner=owner, actor=actor, reason="edited") as batch:
        memory = get_memory(memory_id, owner=owner)
        batch.change(memory, EventType.UPDATED, **_values(memory, changes, mode, batch.now))
    return Changed((memory,), batch.batch_id)


def rewrite(
    memory_id: str | UUID,
    content: str,
    changes: Mapping[str, Any] | None = None,
    *,
    owner: UUID,
    actor: str,
    mode: Mode = "replace",
) -> Changed:
    """Give a memory new words: a successor supersedes it and the old wording is retired, not lost.

    changes, mode: as in `edit`, made on the successor.
    Raises NotFound, Conflict when the memory no longer stands or the new words stand already, and
    RefusedByGate.
    """
    seen = get_memory(memory_id, owner=owner)
    draft = _successor(seen, content, owner=owner)
    drafting.embed([draft])
    with writing(owner=owner, actor=actor, reason="edited") as batch:
        memory = get_memory(memory_id, owner=owner)
        if not memory.stands:
            raise Conflict("This memory no longer stands; edit the one that followed it.")
        if memory.updated_at != seen.updated_at:
            raise Conflict("This memory has changed meanwhile; look at it again.")
        key = bytes(draft.memory.fingerprint)
        other = standing_by_fingerprint([key], owner=owner).get(key)
        if other is not None and other.pk != memory.pk:
            raise Conflict("Another memory says this already.", {"id": str(other.pk)})
        for name, value in _values(memory, changes or {}, mode, batch.now).items():
            setattr(draft.memory, name, value)
        draft.memory.status = draft.memory.settled_status()
        batch.change(memory, EventType.UPDATED, status=Status.DEPRECATED, retired_at=batch.now)
        batch.insert(draft)
        batch.link(draft.memory, memory.pk, LinkKind.SUPERSEDES, reason="edited")
    return Changed((draft.memory,), batch.batch_id)


def confirm(memory_ids: Sequence[UUID], *, owner: UUID, actor: str) -> Changed:
    """Make pending memories active. Raises Conflict for one that no longer stands."""
    with writing(owner=owner, actor=actor, reason="confirmed") as batch:
        memories = get_memories(memory_ids, owner=owner)
        for memory in memories:
            if not memory.stands:
                raise Conflict("A memory that no longer stands cannot be confirmed.", {"id": str(memory.pk)})
            if memory.status == Status.PENDING:
                batch.change(memory, EventType.UPDATED, status=Status.ACTIVE)
    return Changed(tuple(memories), batch.batch_id)


def forget(memory_ids: Sequence[UUID], *, owner: UUID, actor: str) -> Changed:
    """Let memories go: never recalled, greyed in lists, restorable. Forgetting twice changes nothing."""
    with writing(owner=owner, actor=actor, reason="forgotten") as batch:
        memories = get_memories(memory_ids, owner=owner)
        for memory in memories:
            if memory.forgotten_at is None:
                batch.change(
                    memory,
                    EventType.FORGOTTEN,
                    status=Status.FORGOTTEN,
                    forgotten_at=batch.now,
                    forgotten_by="person",
                )
    return Changed(tuple(memories), batch.batch_id)


def restore(memory_ids: Sequence[UUID], *, owner: UUID, actor: str) -> Changed:
    """Bring forgotten memories back as they were. Raises Conflict when their words stand elsewhere."""
    with _standing_once(), writing(owner=owner, actor=actor, reason="restored") as batch:
        memories = get_memories(memory_ids, owner=owner)
        for memory in memories:
            if memory.forgotten_at is not None:
                batch.change(
                    memory, EventType.RESTORED, forgotten_at=None, forgotten_by="", **_unforgotten(memory)
                )
    return Changed(tuple(memories), batch.batch_id)


def undo(batch_id: UUID, *, owner: UUID, actor: str) -> Changed:
    """Take a whole batch back, as a new batch that can be undone in turn.

    What the batch created is retired (it was believed meanwhile); what it changed becomes as it was.
    Raises NotFound for an unknown batch, Conflict when a later batch changed the same rows, or when
    something was erased.
    """
    with _standing_once(), writing(owner=owner, actor=actor, reason="undone") as batch:
        events = list(events_of_batch(batch_id, owner=owner))
        if not events:
            raise NotFound("There is no such batch.")
        rows = Memory.objects.filter(owner_id=owner).in_bulk([event.memory_id for event in events])
        _check_untouched(events, rows, owner=owner)
        for event in events:
            _undo_event(event, rows[event.memory_id], batch)
    return Changed(tuple(rows.values()), batch.batch_id)


def _values(memory: Memory, changes: Mapping[str, Any], mode: Mode, now: datetime) -> dict[str, Any]:
    """What the fields would become, checked."""
    unknown = sorted(set(changes) - EDITABLE)
    if unknown:
        raise InvalidInput("These fields cannot be edited.", dict.fromkeys(unknown, "not editable"))
    values = {name: _edited(memory, name, value, mode) for name, value in changes.items()}
    _check_kind(memory, values.get("kind", memory.kind))
    _check_period(memory, values)
    if "importance" in values:
        values["base_importance"] = values["importance"]
    if "valid_until" in values:
        values |= _ending(memory, values["valid_until"], now)
    return values


def _ending(memory: Memory, until: datetime | None, now: datetime) -> dict[str, Any]:
    """What an end in the world means for belief: one that has passed is learnt now, unless it was before."""
    if until is None or until > now:
        revived = memory.status == Status.DEPRECATED and memory.retired_at is None
        return {"ended_at": None} | ({"status": Status.ACTIVE} if revived else {})
    ended = {"ended_at": memory.ended_at or now}
    return ended | ({"status": Status.DEPRECATED} if memory.forgotten_at is None else {})


def _edited(memory: Memory, name: str, value: Any, mode: Mode) -> Any:  # noqa: ANN401 - a model field's value
    safe = _gated(name, value)
    current = getattr(memory, name)
    if mode == "append" and isinstance(current, list):
        return list(dict.fromkeys([*current, *safe]))
    if mode == "append" and isinstance(current, dict):
        return {**current, **safe}
    return list(safe) if isinstance(current, list) else safe


def _gated(name: str, value: Any) -> Any:  # noqa: ANN401 - a model field's value
    if isinstance(value, str):
        return drafting.fit(name, redact(value).text)
    if isinstance(value, (list, tuple)):
        return [drafting.fit(name, text) for text in cast("list[str]", redact_json(list(value)))]
    return redact_json(value) if isinstance(value, dict) else value


def _check_kind(memory: Memory, kind: str) -> None:
    if kind not in KINDS[memory.layer]:
        raise InvalidInput(
            f"A {memory.layer} memory is one of {', '.join(KINDS[memory.layer])}.", {"kind": "unknown"}
        )
    if kind != memory.kind and {kind, memory.kind} & _FIXED_KINDS:
        raise InvalidInput("A relation or entity keeps its kind.", {"kind": "fixed"})


def _check_period(memory: Memory, values: Mapping[str, Any]) -> None:
    begin = values.get("valid_from", memory.valid_from)
    end = values.get("valid_until", memory.valid_until)
    if begin is not None and end is not None and begin > end:
        raise InvalidInput("valid_until lies before valid_from.", {"valid_until": "too early"})


def _successor(memory: Memory, content: str, *, owner: UUID) -> Draft:
    """The same memory in new words. What it says of its subject stays while the words still name it."""
    told = normalise(memory.object) in normalise(content)
    candidate = Candidate(
        content=content,
        layer=memory.layer,
        kind=memory.kind,
        category=memory.category,
        tags=tuple(memory.tags),
        participants=tuple(memory.participants),
        importance=memory.importance,
        confidence=memory.confidence,
        lifespan=memory.lifespan,
        subject=memory.subject,
        predicate=memory.predicate if told else "",
        object=memory.object if told else "",
        single_valued=memory.single_valued and told,
        entities=tuple(memory.participants),
        speaker=memory.speaker,
        session=memory.session,
        occurred_at=memory.occurred_at,
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        sensitive=memory.sensitive,
        strength=memory.strength,
        abstraction_level=memory.abstraction_level,
        written_by="person",
        metadata=memory.metadata,
    )
    made = drafting.draft(candidate, owner=owner, now=timezone.now())
    if not isinstance(made, Draft):
        raise RefusedByGate(made.reason)
    made.memory.turn = memory.turn
    made.memory.pinned = memory.pinned
    made.sources = tuple(sources_of([memory.pk], owner=owner).get(memory.pk, ()))
    return made


def _unforgotten(memory: Memory) -> dict[str, Any]:
    ended = memory.retired_at is not None or memory.ended_at is not None
    return {"status": Status.DEPRECATED if ended else Status.ACTIVE}


def _check_untouched(events: Sequence[Event], rows: Mapping[UUID, Memory], *, owner: UUID) -> None:
    gone = [str(event.memory_id) for event in events if event.memory_id not in rows]
    if gone:
        raise Conflict("Something of this batch was erased for good; it cannot be undone.", {"ids": gone})
    later = Event.objects.filter(
        owner_id=owner, memory_id__in=list(rows), sequence__gt=events[0].sequence
    ).exclude(batch_id=events[0].batch_id)
    if later.exists():
        touched = sorted({str(memory_id) for memory_id in later.values_list("memory_id", flat=True)})
        raise Conflict("A later change touched the same memories; undo that one first.", {"ids": touched})


def _undo_event(event: Event, memory: Memory, batch: Writing) -> None:
    if event.before is None:
        values: dict[str, Any] = {"retired_at": batch.now}
        if memory.forgotten_at is None:
            values["status"] = Status.DEPRECATED
    else:
        values = {name: _field(name).to_python(value) for name, value in event.before.items()}
    back = event.type == EventType.FORGOTTEN
    batch.change(memory, EventType.RESTORED if back else EventType.UPDATED, **values)


def _field(name: str) -> Field[Any, Any]:
    return cast("Field[Any, Any]", Memory._meta.get_field(name))


class _standing_once:  # noqa: N801 - reads as a statement
    """The database lets a fingerprint stand once; its word for that becomes ours."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, IntegrityError):
            raise Conflict("Another memory says the same already.") from None
