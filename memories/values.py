"""Define the input of the write path: utterances to learn from and candidates to write.

Only frozen values and the vocabularies of long-term memory; no Django, no database.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from memsite.values import MessageRole, TextEnum


class Layer(TextEnum):
    """The type of knowledge in a memory: what happened, what is known, or how the person works."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"


class Kind(TextEnum):
    """The subject matter of a memory, within its layer."""

    CONVERSATION = "conversation"
    EVENT = "event"
    SUMMARY = "summary"
    FACT = "fact"
    PREFERENCE = "preference"
    LESSON = "lesson"
    GOAL = "goal"
    CONTEXT = "context"
    PROJECT = "project"
    SKILL = "skill"
    RELATION = "relation"
    ENTITY = "entity"
    HABIT = "habit"
    PATTERN = "pattern"


class Status(TextEnum):
    """Whether a memory answers searches, and if not, why."""

    PENDING = "pending"
    ACTIVE = "active"
    DISPUTED = "disputed"
    DEPRECATED = "deprecated"
    FORGOTTEN = "forgotten"


class Lifespan(TextEnum):
    """The speed at which a memory fades, the slowest first."""

    CORE = "core"
    LONG = "long"
    WORKING = "working"
    TEMPORARY = "temporary"


class AbstractionLevel(TextEnum):
    """The degree to which a pattern generalises; empty for other memories."""

    NONE = ""
    SHALLOW = "shallow"
    INTERMEDIATE = "intermediate"
    DEEP = "deep"


class Writer(TextEnum):
    """The origin of a memory: who stated it, or what learnt it."""

    PERSON = "person"
    PROGRAM = "program"
    RULES = "rules"
    MODEL = "model"
    THREAD = "thread"
    REFLECTION = "reflection"
    IMPORT = "import"


class Action(TextEnum):
    """The result for a candidate, or the effect of an act on a memory."""

    CREATED = "created"
    STRENGTHENED = "strengthened"
    MERGED = "merged"
    SUPERSEDED = "superseded"
    DISPUTED = "disputed"
    RESTORED = "restored"
    PENDING = "pending"
    KNOWN = "known"
    REFUSED = "refused"
    UPDATED = "updated"
    FORGOTTEN = "forgotten"
    RETIRED = "retired"
    ERASED = "erased"
    UNDONE = "undone"
    RESOLVED = "resolved"
    MENDED = "mended"


#: The layers by the numbers that the index stores for them.
LAYERS: Final = tuple(Layer)
#: The lifespans, the slowest first.
LIFESPANS: Final = tuple(Lifespan)
#: The kinds of each layer; the first is the layer's default.
KINDS: Final[Mapping[Layer, tuple[Kind, ...]]] = {
    Layer.EPISODIC: (Kind.CONVERSATION, Kind.EVENT, Kind.SUMMARY),
    Layer.SEMANTIC: (
        Kind.FACT,
        Kind.PREFERENCE,
        Kind.LESSON,
        Kind.GOAL,
        Kind.CONTEXT,
        Kind.PROJECT,
        Kind.SKILL,
        Kind.RELATION,
        Kind.ENTITY,
    ),
    Layer.PROCEDURAL: (Kind.PREFERENCE, Kind.HABIT, Kind.PATTERN),
}
#: Metadata key: a model says that the slot has one value. It may cause a dispute, but end no other value.
ONE_VALUE_PROPOSED: Final = "single_valued_proposed"
#: Metadata key: the memory is pending because models had retired as many memories in a day as they may.
HELD_BY_BOUND: Final = "held_by_bound"
#: Metadata key: a model's inference that no known relation proves. It is written as pending.
UNPROVEN: Final = "unproven"

_IMPORTANCE: Final[Mapping[Kind, float]] = {
    Kind.PREFERENCE: 0.9,
    Kind.HABIT: 0.9,
    Kind.LESSON: 0.85,
    Kind.FACT: 0.8,
    Kind.PROJECT: 0.8,
    Kind.SKILL: 0.8,
    Kind.RELATION: 0.8,
    Kind.PATTERN: 0.8,
    Kind.GOAL: 0.7,
    Kind.ENTITY: 0.6,
    Kind.CONTEXT: 0.4,
}
_EPISODE_IMPORTANCE: Final = 0.5
_CORE_KINDS: Final = frozenset({Kind.PREFERENCE, Kind.LESSON, Kind.SKILL, Kind.RELATION, Kind.ENTITY})


def default_importance(layer: Layer, kind: Kind) -> float:
    """Return the importance, from 0 to 1, of a memory whose writer gave none."""
    return _EPISODE_IMPORTANCE if layer == Layer.EPISODIC else _IMPORTANCE[kind]


def default_lifespan(layer: Layer, kind: Kind) -> Lifespan:
    """Return the lifespan of a memory whose writer gave none; it determines how fast the memory fades."""
    if layer == Layer.PROCEDURAL or (layer == Layer.SEMANTIC and kind in _CORE_KINDS):
        return Lifespan.CORE
    return Lifespan.TEMPORARY if kind == Kind.CONTEXT else Lifespan.LONG


@dataclass(frozen=True, slots=True)
class Opponent:
    """A memory that a disputed memory is in conflict with."""

    memory_id: UUID
    object: str
    content: str


@dataclass(frozen=True, slots=True)
class Utterance:
    """One message as the memory engine reads it, from any thread or program.

    Attributes:
        reference: Opaque source reference, unique per message (`message:<uuid>`).
        role: `USER` or `ASSISTANT`.
        at: When it was said; timezone-aware.
        speaker: A name, if known.
    """

    reference: str
    role: MessageRole
    content: str
    at: datetime
    speaker: str = ""
    session: str = "default"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may become a memory. Nothing about it has been checked yet.

    Attributes:
        importance: From 0 to 1; None takes the default of the kind.
        confidence: From 0 to 1; None takes 0.9.
        sources: Opaque references of the utterances it was learnt from; empty if stated directly.
        only_changes: Whether it is written only if its words end or correct a memory, because it is too vague
            to be kept for its own sake.
    """

    content: str
    layer: Layer = Layer.SEMANTIC
    kind: Kind = Kind.FACT
    category: str = ""
    tags: tuple[str, ...] = ()
    participants: tuple[str, ...] = ()
    importance: float | None = None
    confidence: float | None = None
    lifespan: Lifespan | None = None
    subject: str = ""
    predicate: str = ""
    object: str = ""
    single_valued: bool = False
    entities: tuple[str, ...] = ()
    speaker: str = ""
    session: str = "default"
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    sensitive: bool = False
    sources: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    written_by: Writer = Writer.PROGRAM
    strength: float | None = None
    abstraction_level: AbstractionLevel = AbstractionLevel.NONE
    metadata: Mapping[str, Any] = field(default_factory=dict)
    only_changes: bool = False
