"""Define the input of the write path: utterances to learn from and candidates to write.

Only frozen values and the vocabularies of long-term memory; no Django, no database.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

EPISODIC: Final = "episodic"
SEMANTIC: Final = "semantic"
PROCEDURAL: Final = "procedural"

#: The kinds of each layer; the first is the layer's default.
KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    EPISODIC: ("conversation", "event", "summary"),
    SEMANTIC: (
        "fact",
        "preference",
        "lesson",
        "goal",
        "context",
        "project",
        "skill",
        "relation",
        "entity",
    ),
    PROCEDURAL: ("preference", "habit", "pattern"),
}
LAYERS: Final = tuple(KINDS)
LIFESPANS: Final = ("core", "long", "working", "temporary")
#: Metadata key: a model says that the slot has one value. It may cause a dispute, but end no other value.
ONE_VALUE_PROPOSED: Final = "single_valued_proposed"
#: Metadata key: the memory is pending because its job had retired as many memories as a model's answer may.
HELD_BY_BOUND: Final = "held_by_bound"
#: Metadata key: a model's inference that no known relation proves. It is written as pending.
UNPROVEN: Final = "unproven"
ABSTRACTION_LEVELS: Final = ("shallow", "intermediate", "deep")

_IMPORTANCE: Final[Mapping[str, float]] = {
    "preference": 0.9,
    "habit": 0.9,
    "lesson": 0.85,
    "fact": 0.8,
    "project": 0.8,
    "skill": 0.8,
    "relation": 0.8,
    "pattern": 0.8,
    "goal": 0.7,
    "entity": 0.6,
    "context": 0.4,
}
_EPISODE_IMPORTANCE: Final = 0.5
_CORE_KINDS: Final = frozenset({"preference", "lesson", "skill", "relation", "entity"})


def default_importance(layer: str, kind: str) -> float:
    """Return the importance, from 0 to 1, of a memory whose writer gave none."""
    return _EPISODE_IMPORTANCE if layer == EPISODIC else _IMPORTANCE[kind]


def default_lifespan(layer: str, kind: str) -> str:
    """Return the lifespan of a memory whose writer gave none; it determines how fast the memory fades."""
    if layer == PROCEDURAL or (layer == SEMANTIC and kind in _CORE_KINDS):
        return "core"
    return "temporary" if kind == "context" else "long"


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
        role: `user` or `assistant`.
        at: When it was said; timezone-aware.
        speaker: A name, if known.
    """

    reference: str
    role: str
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
        written_by: Who proposes it (`person`, `program`, `rules`, `model`, `thread`).
    """

    content: str
    layer: str = SEMANTIC
    kind: str = "fact"
    category: str = ""
    tags: tuple[str, ...] = ()
    participants: tuple[str, ...] = ()
    importance: float | None = None
    confidence: float | None = None
    lifespan: str | None = None
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
    written_by: str = "program"
    strength: float | None = None
    abstraction_level: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
