"""Sets of an owner's memories. With `access`, the only door to them; each function asks whose."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import Count, Exists, Max, Min, OuterRef, Q, QuerySet
from django.db.models.base import ModelState
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from memories.models import (
    STANDS,
    LinkKind,
    Memory,
    MemoryEmbedding,
    MemoryLink,
    MemorySource,
    Reflection,
    Status,
)
from memories.values import EPISODIC

#: What only the index reads.
INDEX_FIELDS: Final = ("terms", "entity_terms", "wording")
#: Fields that a list or search filters by equality (several values: any of them).
EQUAL_FIELDS: Final = (
    "status",
    "layer",
    "kind",
    "category",
    "subject",
    "predicate",
    "object",
    "speaker",
    "session",
    "lifespan",
    "written_by",
    "abstraction_level",
    "forgotten_by",
)
#: Fields that a list filters by one value.
PLAIN_FIELDS: Final = (
    "pinned",
    "sensitive",
    "single_valued",
    "importance",
    "base_importance",
    "confidence",
    "strength",
    "turn",
    "occurrence_count",
    "access_count",
    "occurred_at",
    "valid_from",
    "valid_until",
)


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """What to keep of an owner's memories; an empty field keeps all.

    tags, participants: all of them must be there. since, until: half-open range of occurred_at, or
    of created_at where nothing says when it occurred. as_of, believed_at: see `answers`.
    """

    status: tuple[str, ...] = ()
    layer: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    category: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()
    predicate: tuple[str, ...] = ()
    object: tuple[str, ...] = ()
    speaker: tuple[str, ...] = ()
    session: tuple[str, ...] = ()
    lifespan: tuple[str, ...] = ()
    written_by: tuple[str, ...] = ()
    abstraction_level: tuple[str, ...] = ()
    forgotten_by: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    participants: tuple[str, ...] = ()
    pinned: bool | None = None
    sensitive: bool | None = None
    single_valued: bool | None = None
    importance: float | None = None
    base_importance: float | None = None
    confidence: float | None = None
    strength: float | None = None
    turn: int | None = None
    occurrence_count: int | None = None
    access_count: int | None = None
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    believed_at: datetime | None = None
    contains: str = ""

    @property
    def in_time(self) -> bool:
        """Whether it asks for what held at a time."""
        return self.as_of is not None or self.believed_at is not None


def list_memories(
    filters: MemoryFilter | None = None, *, owner: UUID, hidden: Collection[UUID] = ()
) -> QuerySet[Memory]:
    """The owner's memories that pass the filter, in no order yet; not evaluated.

    hidden: memories left out; whose only ending came from one of them has not ended.
    """
    filters = filters or MemoryFilter()
    reopened = reopened_by(hidden, owner=owner) if hidden and filters.in_time else ()
    rows = Memory.objects.filter(_conditions(filters, reopened), owner_id=owner).defer(*INDEX_FIELDS)
    if hidden:
        rows = rows.exclude(id__in=list(hidden))
    return rows.annotate(last_used_at=Greatest("created_at", Coalesce("last_accessed_at", "created_at")))


def answers(
    as_of: datetime | None = None,
    believed_at: datetime | None = None,
    *,
    reopened: Collection[UUID] = (),
) -> Q:
    """Which rows hold for the world at `as_of`, as we believed at `believed_at`; both default to now.

    created_at ≤ b < coalesce(retired_at, ∞), coalesce(valid_from, −∞) ≤ a, and
    (valid_until is null or valid_until > a or ended_at > b). Forgotten rows never answer.
    reopened: rows that count as neither retired nor ended.
    """
    now = timezone.now()
    world, belief = as_of or now, believed_at or now
    begun = Q(created_at__lte=belief) & (Q(valid_from=None) | Q(valid_from__lte=world))
    lasting = (Q(retired_at=None) | Q(retired_at__gt=belief)) & (
        Q(valid_until=None) | Q(valid_until__gt=world) | Q(ended_at__gt=belief)
    )
    if reopened:
        lasting |= Q(id__in=list(reopened))
    return begun & lasting & ~Q(status__in=[Status.FORGOTTEN, Status.PENDING])


#: Rows that others ended, all of them hidden. Parameters: owner, hidden.
REOPENED: Final = """
SELECT k.other_id FROM memories_memorylink AS k
JOIN memories_memory AS m ON m.owner_id = k.owner_id AND m.id = k.other_id
WHERE k.owner_id = %(owner)s AND k.kind = 'supersedes' AND m.status = 'deprecated'
GROUP BY k.other_id HAVING bool_and(k.memory_id = ANY(%(hidden)s::uuid[]))
"""


def reopened_by(hidden: Collection[UUID], *, owner: UUID) -> tuple[UUID, ...]:
    """Memories whose only ending came from hidden ones. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(REOPENED, {"owner": owner, "hidden": list(hidden)})
        return tuple(memory_id for (memory_id,) in cursor.fetchall())


def standing(*, owner: UUID) -> QuerySet[Memory]:
    """Rows neither retired, nor ended, nor forgotten."""
    return Memory.objects.filter(STANDS, owner_id=owner)


def disputes_of(memory_ids: Collection[UUID], *, owner: UUID) -> list[tuple[UUID, UUID]]:
    """The pairs in dispute that these memories are part of."""
    ids = list(memory_ids)
    links = MemoryLink.objects.filter(Q(memory_id__in=ids) | Q(other_id__in=ids), owner_id=owner)
    return list(links.filter(kind=LinkKind.DISPUTES).values_list("memory_id", "other_id"))


def disputes(*, owner: UUID) -> QuerySet[MemoryLink]:
    """Links between two memories that are both disputed still."""
    disputed = Memory.objects.filter(owner_id=owner, status=Status.DISPUTED).values("id")
    links = MemoryLink.objects.filter(owner_id=owner, kind=LinkKind.DISPUTES)
    return links.filter(memory_id__in=disputed, other_id__in=disputed)


def attach_links(memories: Collection[Memory], *, owner: UUID) -> None:
    """Set `source_references` and `superseded_ids` on rows that lack them; two queries at any number."""
    memories = [memory for memory in memories if "source_references" not in memory.__dict__]
    ids = [memory.pk for memory in memories]
    if not ids:
        return
    sources = sources_of(ids, owner=owner)
    superseded: dict[UUID, list[UUID]] = {}
    links = MemoryLink.objects.filter(owner_id=owner, memory_id__in=ids, kind=LinkKind.SUPERSEDES)
    for memory_id, other_id in links.values_list("memory_id", "other_id"):
        superseded.setdefault(memory_id, []).append(other_id)
    for memory in memories:
        memory.source_references = sources.get(memory.pk, [])
        memory.superseded_ids = superseded.get(memory.pk, [])


def with_links(rows: QuerySet[Memory]) -> QuerySet[Memory]:
    """The rows with `source_references` and `superseded_ids`, in the same statement."""
    sources = MemorySource.objects.filter(owner_id=OuterRef("owner_id"), memory_id=OuterRef("id"))
    links = MemoryLink.objects.filter(
        owner_id=OuterRef("owner_id"), memory_id=OuterRef("id"), kind=LinkKind.SUPERSEDES
    )
    return rows.annotate(  # type: ignore[no-redef]  # the model names them for those who read its rows
        source_references=ArraySubquery(sources.order_by("id").values("reference")),
        superseded_ids=ArraySubquery(links.order_by("id").values("other_id")),
    )


def memories_by_id(memory_ids: Collection[UUID], *, owner: UUID) -> dict[UUID, Memory]:
    """The owner's memories of these ids, with sources, `superseded_ids` and `disputed_ids`. One query.

    The statement is written out, and rows are filled in by hand: composing these forty columns anew, and
    asking each whether it is set, took most of a search's time.
    """
    found: dict[UUID, Memory] = {}
    with connection.cursor() as cursor:
        cursor.execute(_BY_ID, [owner, list(memory_ids)])
        for *values, sources, superseded, disputed in cursor.fetchall():
            memory = _row(values)
            memory.metadata = json.loads(str(memory.metadata))
            memory.source_references, memory.superseded_ids = sources, superseded
            memory.disputed_ids = disputed or []
            found[memory.pk] = memory
    return found


def _row(values: list[Any]) -> Memory:
    memory = Memory.__new__(Memory)
    memory._state = state = ModelState()  # noqa: SLF001 - what Model.from_db sets, without its forty calls
    state.adding, state.db = False, "default"
    memory.__dict__.update(zip(_NAMES, values, strict=True))
    return memory


def sources_of(memory_ids: Collection[UUID], *, owner: UUID) -> dict[UUID, list[str]]:
    """References by memory, oldest first."""
    found: dict[UUID, list[str]] = {}
    rows = MemorySource.objects.filter(owner_id=owner, memory_id__in=list(memory_ids)).order_by("id")
    for memory_id, reference in rows.values_list("memory_id", "reference"):
        found.setdefault(memory_id, []).append(reference)
    return found


def counts_by(field: str, *, owner: UUID) -> dict[str, int]:
    """How many standing memories of each layer, kind or status; every status counts when field is it."""
    rows = Memory.objects.filter(owner_id=owner) if field == "status" else standing(owner=owner)
    return dict(rows.values_list(field).annotate(count=Count("id")).order_by(field))


def reflection_state(*, owner: UUID) -> dict[str, Any]:
    """How many episodes wait for reflection, the oldest of them, when reflection last ended. 2 queries."""
    waiting = standing(owner=owner).filter(layer=EPISODIC, reflected_at=None)
    finished = Reflection.objects.filter(owner_id=owner).aggregate(last=Max("finished_at"))
    return waiting.aggregate(waiting=Count("id"), oldest=Min("created_at")) | finished


def not_embedded(model: str, *, owner: UUID | None) -> QuerySet[Memory]:
    """Memories, but for forgotten ones, that a model has not seen. owner None: for the sweep alone."""
    seen = MemoryEmbedding.objects.filter(
        owner_id=OuterRef("owner_id"), memory_id=OuterRef("id"), model=model
    )
    rows = Memory.objects.filter(~Exists(seen)).exclude(status=Status.FORGOTTEN)
    return (rows if owner is None else rows.filter(owner_id=owner)).order_by("owner_id", "id")


def embedding_models(*, owner: UUID) -> dict[str, int]:
    """How many memories each embedding model has seen."""
    rows = MemoryEmbedding.objects.filter(owner_id=owner).values_list("model")
    return dict(rows.annotate(count=Count("id")).order_by("model"))


_NAMES: Final = [field.attname for field in Memory._meta.concrete_fields if field.name not in INDEX_FIELDS]
_COLUMNS: Final = ", ".join(f"m.{name}" for name in _NAMES)
_BY_ID: Final = f"""
SELECT {_COLUMNS},
    ARRAY(
        SELECT s.reference FROM memories_memorysource AS s
        WHERE s.owner_id = m.owner_id AND s.memory_id = m.id ORDER BY s.id
    ) AS source_references,
    ARRAY(
        SELECT k.other_id FROM memories_memorylink AS k
        WHERE k.owner_id = m.owner_id AND k.memory_id = m.id AND k.kind = 'supersedes' ORDER BY k.id
    ) AS superseded_ids,
    CASE WHEN m.status = 'disputed' THEN ARRAY(
        SELECT d.id FROM memories_memory AS d
        WHERE d.owner_id = m.owner_id AND d.status = 'disputed' AND d.id IN (
            SELECT k.other_id FROM memories_memorylink AS k
            WHERE k.owner_id = m.owner_id AND k.memory_id = m.id AND k.kind = 'disputes'
            UNION
            SELECT k.memory_id FROM memories_memorylink AS k
            WHERE k.owner_id = m.owner_id AND k.other_id = m.id AND k.kind = 'disputes'
        ) ORDER BY d.id
    ) END AS disputed_ids
FROM memories_memory AS m WHERE m.owner_id = %s AND m.id = ANY(%s)
"""  # noqa: S608 - built from the model's own columns, nothing from outside


def _conditions(filters: MemoryFilter, reopened: Collection[UUID] = ()) -> Q:
    conditions = Q()
    for field in EQUAL_FIELDS:
        values = getattr(filters, field)
        if values:
            conditions &= Q(**{f"{field}__in": values})
    if filters.tags:
        conditions &= Q(tags__contains=list(filters.tags))
    if filters.participants:
        conditions &= Q(participants__contains=list(filters.participants))
    for field in PLAIN_FIELDS:
        if getattr(filters, field) is not None:
            conditions &= Q(**{field: getattr(filters, field)})
    if filters.contains:
        conditions &= Q(content__icontains=filters.contains)
    if filters.in_time:
        conditions &= answers(filters.as_of, filters.believed_at, reopened=reopened)
    return conditions & _within(filters.since, filters.until)


def _within(since: datetime | None, until: datetime | None) -> Q:
    """Rows of [since, until) by when it occurred, else by when it was written."""
    conditions = Q()
    if since is not None:
        conditions &= Q(occurred_at__gte=since) | Q(occurred_at=None, created_at__gte=since)
    if until is not None:
        conditions &= Q(occurred_at__lt=until) | Q(occurred_at=None, created_at__lt=until)
    return conditions
