"""Query sets of an owner's memories. Every function requires the owner.

Together with `access`, this is the only way to read memories.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, Max, Min, OuterRef, Q, QuerySet
from django.db.models.base import ModelState
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from memories.models import (
    IS_ACTIVE,
    IS_REQUIREMENT,
    LinkKind,
    Memory,
    MemoryEmbedding,
    MemoryLink,
    MemorySource,
    Reflection,
)
from memories.text import RequirementTag
from memories.values import Layer, Lifespan, Opponent, Status, Writer

#: Columns that only the index reads.
INDEX_FIELDS: Final = ("terms", "entity_terms", "wording")
#: Fields that lists and searches filter by equality; several values match any of them.
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
#: The statuses of active rows.
_ACTIVE_STATUSES: Final = frozenset({Status.PENDING, Status.ACTIVE, Status.DISPUTED})
#: Fields that lists filter by a single value.
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
    """A filter of an owner's memories. An empty field matches everything.

    Attributes:
        tags, participants: All of them must be present.
        since, until: Half-open range of `occurred_at`, or of `created_at` where that is None.
        metadata: JSON of names and values that the metadata must contain.
        as_of: See `active_at_condition`.
        believed_at: See `active_at_condition`.
    """

    status: tuple[Status, ...] = ()
    layer: tuple[Layer, ...] = ()
    kind: tuple[str, ...] = ()
    category: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()
    predicate: tuple[str, ...] = ()
    object: tuple[str, ...] = ()
    speaker: tuple[str, ...] = ()
    session: tuple[str, ...] = ()
    lifespan: tuple[Lifespan, ...] = ()
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
    metadata: str = ""

    @property
    def in_time(self) -> bool:
        """Whether the filter asks for what was true or believed at a time."""
        return self.as_of is not None or self.believed_at is not None


def list_memories(
    filters: MemoryFilter | None = None, *, owner: UUID, hidden: Collection[UUID] = ()
) -> QuerySet[Memory]:
    """Return the owner's memories that pass the filter, unordered and not evaluated.

    Args:
        filters: The filter, or None for all.
        owner: The owner.
        hidden: Memories to leave out. A memory that only hidden ones ended counts as not ended.
    """
    filters = filters or MemoryFilter()
    reopened = list_reopened_by(hidden, owner=owner) if hidden and filters.in_time else ()
    rows = Memory.objects.filter(_conditions(filters, reopened), owner_id=owner).defer(*INDEX_FIELDS)
    if hidden:
        rows = rows.exclude(id__in=list(hidden))
    return rows.annotate(last_used_at=Greatest("created_at", Coalesce("last_accessed_at", "created_at")))


def active_at_condition(
    as_of: datetime | None = None,
    believed_at: datetime | None = None,
    *,
    reopened: Collection[UUID] = (),
) -> Q:
    """Return the condition for rows that were true at `as_of`, as believed at `believed_at`.

    created_at ≤ b < coalesce(retired_at, ∞), coalesce(valid_from, −∞) ≤ a, and (valid_until is null or
    valid_until > a or ended_at > b). Forgotten and pending rows never match.

    Args:
        as_of: The time in the world (a); now if None.
        believed_at: The time of belief (b); now if None.
        reopened: Rows that count as neither retired nor ended.
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


#: Rows that other rows ended, all of which are hidden. Parameters: owner, hidden.
REOPENED: Final = """
SELECT k.other_id FROM memories_memorylink AS k
JOIN memories_memory AS m ON m.owner_id = k.owner_id AND m.id = k.other_id
WHERE k.owner_id = %(owner)s AND k.kind = 'supersedes' AND m.status = 'deprecated'
GROUP BY k.other_id HAVING bool_and(k.memory_id = ANY(%(hidden)s::uuid[]))
"""


def list_reopened_by(hidden: Collection[UUID], *, owner: UUID) -> tuple[UUID, ...]:
    """Return the memories that only hidden memories ended. Makes one statement."""
    with connection.cursor() as cursor:
        cursor.execute(REOPENED, {"owner": owner, "hidden": list(hidden)})
        return tuple(memory_id for (memory_id,) in cursor.fetchall())


def list_active_memories(*, owner: UUID) -> QuerySet[Memory]:
    """Return the active rows: neither retired, nor ended, nor forgotten."""
    return Memory.objects.filter(IS_ACTIVE, owner_id=owner)


def list_requirements(*, owner: UUID, tags: Iterable[RequirementTag] = RequirementTag) -> list[Memory]:
    """Return the requirements with one of the tags that are true now; at most 100, partly loaded.

    The pinned ones come first, then the person's own, then those that a program wrote or imported, each the
    newest first: a program that writes many takes no room from the person's own.
    """
    rows = Memory.objects.filter(IS_REQUIREMENT, active_at_condition(), owner_id=owner)
    rows = rows.filter(tags__overlap=list(tags)).only("content", "tags")
    foreign = ExpressionWrapper(Q(written_by__in=(Writer.PROGRAM, Writer.IMPORT)), BooleanField())
    return list(rows.order_by("-pinned", foreign, "-created_at", "-id")[:100])


def list_disputes_of(memory_ids: Collection[UUID], *, owner: UUID) -> list[tuple[UUID, UUID]]:
    """Return the disputed pairs that these memories are part of."""
    ids = list(memory_ids)
    links = MemoryLink.objects.filter(Q(memory_id__in=ids) | Q(other_id__in=ids), owner_id=owner)
    return list(links.filter(kind=LinkKind.DISPUTES).values_list("memory_id", "other_id"))


def list_disputes(*, owner: UUID) -> QuerySet[MemoryLink]:
    """Return the links between two memories that are both still disputed."""
    disputed = Memory.objects.filter(owner_id=owner, status=Status.DISPUTED).values("id")
    links = MemoryLink.objects.filter(owner_id=owner, kind=LinkKind.DISPUTES)
    return links.filter(memory_id__in=disputed, other_id__in=disputed)


def attach_links(memories: Collection[Memory], *, owner: UUID) -> None:
    """Set `source_references` and `superseded_ids` on rows that lack them. Always makes two queries."""
    memories = [memory for memory in memories if "source_references" not in memory.__dict__]
    ids = [memory.pk for memory in memories]
    if not ids:
        return
    sources = load_sources(ids, owner=owner)
    superseded: dict[UUID, list[UUID]] = {}
    links = MemoryLink.objects.filter(owner_id=owner, memory_id__in=ids, kind=LinkKind.SUPERSEDES)
    for memory_id, other_id in links.values_list("memory_id", "other_id"):
        superseded.setdefault(memory_id, []).append(other_id)
    for memory in memories:
        memory.source_references = sources.get(memory.pk, [])
        memory.superseded_ids = superseded.get(memory.pk, [])


def add_links(rows: QuerySet[Memory]) -> QuerySet[Memory]:
    """Add `source_references` and `superseded_ids` to the rows, in the same statement."""
    sources = MemorySource.objects.filter(owner_id=OuterRef("owner_id"), memory_id=OuterRef("id"))
    links = MemoryLink.objects.filter(
        owner_id=OuterRef("owner_id"), memory_id=OuterRef("id"), kind=LinkKind.SUPERSEDES
    )
    return rows.annotate(  # type: ignore[no-redef]  # the model names them for those who read its rows
        source_references=ArraySubquery(sources.order_by("id").values("reference")),
        superseded_ids=ArraySubquery(links.order_by("id").values("other_id")),
    )


def load_memories(memory_ids: Collection[UUID], *, owner: UUID) -> dict[UUID, Memory]:
    """Return the owner's memories of these ids, with sources, `superseded_ids` and `opponents`. One query.

    The SQL is written out and the rows are filled by hand: composing these forty columns, and checking each
    for whether it is set, took most of a search's time.
    """
    found: dict[UUID, Memory] = {}
    with connection.cursor() as cursor:
        cursor.execute(_BY_ID, [owner, list(memory_ids)])
        for *values, sources, superseded, disputed in cursor.fetchall():
            memory = _row(values)
            memory.metadata = json.loads(str(memory.metadata))
            memory.source_references, memory.superseded_ids = sources, superseded
            memory.opponents = _opponents(disputed)
            found[memory.pk] = memory
    return found


def _opponents(stored: object) -> tuple[Opponent, ...]:
    rows = json.loads(str(stored)) if stored else ()
    return tuple(Opponent(UUID(row["id"]), row["object"], row["content"]) for row in rows)


def _row(values: list[Any]) -> Memory:
    memory = Memory.__new__(Memory)
    memory._state = state = ModelState()  # noqa: SLF001 - what Model.from_db sets, without its forty calls
    state.adding, state.db = False, "default"
    memory.__dict__.update(zip(_NAMES, values, strict=True))
    return memory


def load_sources(memory_ids: Collection[UUID], *, owner: UUID) -> dict[UUID, list[str]]:
    """Return the source references of each memory, oldest first."""
    found: dict[UUID, list[str]] = {}
    rows = MemorySource.objects.filter(owner_id=owner, memory_id__in=list(memory_ids)).order_by("id")
    for memory_id, reference in rows.values_list("memory_id", "reference"):
        found.setdefault(memory_id, []).append(reference)
    return found


@dataclass(frozen=True, slots=True)
class MemoryCounts:
    """The numbers of an owner's memories. A count of 0 is left out.

    Attributes:
        layers: The number of active memories of each layer.
        kinds: The number of active memories of each kind.
        statuses: The number of all memories of each status.
    """

    layers: Mapping[str, int]
    kinds: Mapping[str, int]
    statuses: Mapping[str, int]


def count_memories(*, owner: UUID) -> MemoryCounts:
    """Return how many memories there are of each layer, kind and status. Makes one query.

    It reads the index `memories_memory_counts` alone: whether a row is active follows from its status, by the
    constraint `memories_memory_status`.
    """
    rows = Memory.objects.filter(owner_id=owner).values_list("layer", "kind", "status").order_by()
    layers: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    for layer, kind, status, count in rows.annotate(count=Count("*")):
        statuses[status] += count
        if status in _ACTIVE_STATUSES:
            layers[layer] += count
            kinds[kind] += count
    return MemoryCounts(*(dict(sorted(one.items())) for one in (layers, kinds, statuses)))


def get_reflection_state(*, owner: UUID) -> dict[str, Any]:
    """Return the number of episodes not yet reflected on, the oldest, and the last reflection. 2 queries."""
    waiting = list_active_memories(owner=owner).filter(layer=Layer.EPISODIC, reflected_at=None)
    finished = Reflection.objects.filter(owner_id=owner).aggregate(last=Max("finished_at"))
    return waiting.aggregate(waiting=Count("id"), oldest=Min("created_at")) | finished


def list_not_embedded(model: str, *, owner: UUID | None) -> QuerySet[Memory]:
    """Return the memories, except forgotten ones, without a vector of this model.

    An `owner` of None means all owners, and is for the sweep only.
    """
    seen = MemoryEmbedding.objects.filter(
        owner_id=OuterRef("owner_id"), memory_id=OuterRef("id"), model=model
    )
    rows = Memory.objects.filter(~Exists(seen)).exclude(status=Status.FORGOTTEN)
    return (rows if owner is None else rows.filter(owner_id=owner)).order_by("owner_id", "id")


def count_embedding_models(*, owner: UUID) -> dict[str, int]:
    """Return the number of memories that have a vector of each embedding model."""
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
    CASE WHEN m.status = 'disputed' THEN (
        SELECT jsonb_agg(
            jsonb_build_object('id', d.id, 'object', d.object, 'content', d.content) ORDER BY d.id
        ) FROM memories_memory AS d
        WHERE d.owner_id = m.owner_id AND d.status = 'disputed' AND d.id IN (
            SELECT k.other_id FROM memories_memorylink AS k
            WHERE k.owner_id = m.owner_id AND k.memory_id = m.id AND k.kind = 'disputes'
            UNION
            SELECT k.memory_id FROM memories_memorylink AS k
            WHERE k.owner_id = m.owner_id AND k.other_id = m.id AND k.kind = 'disputes'
        )
    ) END AS opponents
FROM memories_memory AS m WHERE m.owner_id = %s AND m.id = ANY(%s)
"""  # noqa: S608 - built from the model's own columns, nothing from outside


def _conditions(filters: MemoryFilter, reopened: Collection[UUID] = ()) -> Q:
    conditions = Q()
    for field in EQUAL_FIELDS:
        if values := getattr(filters, field):
            conditions &= Q(**{f"{field}__in": values})
    for field in ("tags", "participants"):
        if values := getattr(filters, field):
            conditions &= Q(**{f"{field}__contains": list(values)})
    for field in PLAIN_FIELDS:
        if getattr(filters, field) is not None:
            conditions &= Q(**{field: getattr(filters, field)})
    if filters.contains:
        conditions &= Q(content__icontains=filters.contains)
    if filters.metadata:
        conditions &= Q(metadata__contains=json.loads(filters.metadata))
    if filters.in_time:
        conditions &= active_at_condition(filters.as_of, filters.believed_at, reopened=reopened)
    return conditions & _period_condition(filters.since, filters.until)


def _period_condition(since: datetime | None, until: datetime | None) -> Q:
    """Return the condition for rows of [since, until) by `occurred_at`, or else by `created_at`."""
    conditions = Q()
    if since is not None:
        conditions &= Q(occurred_at__gte=since) | Q(occurred_at=None, created_at__gte=since)
    if until is not None:
        conditions &= Q(occurred_at__lt=until) | Q(occurred_at=None, created_at__lt=until)
    return conditions
