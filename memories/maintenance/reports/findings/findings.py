"""One thing that a person may want to mend, by the ids of the memories it is about; never by their text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

#: What may be the matter, and what a person can do about it; the first is what one click does.
MENDS: Final[Mapping[str, tuple[str, ...]]] = {
    "conflict": ("keep", "past", "both"),
    "duplicates": ("merge", "both"),
    "waiting": ("confirm", "forget"),
    "unsure": ("confirm", "forget"),
    "low_value": ("forget", "pin"),
    "never_used": ("forget", "pin"),
    "stale": ("forget", "pin"),
}
KINDS: Final = tuple(MENDS)
#: Acts that are offered beside each memory, not for all of them at once.
TAKE_A_SIDE: Final = frozenset({"keep"})

#: Why two memories are in conflict. What rules find is named by `contradiction.contradictory`.
DISPUTED: Final = "disputed"
JUDGED: Final = "judged"


@dataclass(frozen=True, slots=True)
class Finding:
    """kind: one of `KINDS`. memories: one, or for conflicts two and for duplicates two or more, oldest first.

    why: of a conflict `disputed` (the same subject and predicate, another object), `judged` (by a model) or
    the rule's word: `negation`, `antonym`, `value`; else empty.
    """

    kind: str
    memories: tuple[UUID, ...]
    why: str = ""

    @property
    def id(self) -> str:
        """16 hexadecimal digits, the same in every report that finds the same."""
        parts = [self.kind, *sorted(memory.hex for memory in self.memories)]
        return hashlib.blake2b(" ".join(parts).encode(), digest_size=8).hexdigest()

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.kind,
            "memories": [str(memory) for memory in self.memories],
            "why": self.why,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Finding:
        return cls(value["kind"], tuple(UUID(memory) for memory in value["memories"]), value["why"])


def of(kind: str, memories: Iterable[UUID], why: str = "") -> Finding:
    """A finding with its memories in the order of time, which is that of their ids."""
    return Finding(kind, tuple(sorted(memories)), why)
