"""Define a finding: one thing that a person may want to fix, by ids of memories, never by text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

#: The kinds of findings and the acts for each; the first act is the one for a single click.
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
#: Acts that are offered for each memory, not for all of them at once.
TAKE_A_SIDE: Final = frozenset({"keep"})

#: Reasons of a conflict. Those found by rules are named by `contradiction.find_contradiction`.
DISPUTED: Final = "disputed"
JUDGED: Final = "judged"


@dataclass(frozen=True, slots=True)
class ReportFinding:
    """One finding.

    Attributes:
        kind: One of `KINDS`.
        memories: One; two for conflicts; two or more for duplicates. Oldest first.
        why: For a conflict, `disputed` (the same subject and predicate, another object), `judged` (by a
            model) or the name of a rule: `negation`, `antonym`, `value`. Otherwise empty.
    """

    kind: str
    memories: tuple[UUID, ...]
    why: str = ""

    @property
    def id(self) -> str:
        """16 hexadecimal digits; the same in every report with the same finding."""
        parts = [self.kind, *sorted(memory.hex for memory in self.memories)]
        return hashlib.blake2b(" ".join(parts).encode(), digest_size=8).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """Return the finding in the form that a report stores."""
        return {
            "id": self.id,
            "kind": self.kind,
            "memories": [str(memory) for memory in self.memories],
            "why": self.why,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> ReportFinding:
        """Return the finding that a report stored."""
        return cls(value["kind"], tuple(UUID(memory) for memory in value["memories"]), value["why"])


def make_finding(kind: str, memories: Iterable[UUID], why: str = "") -> ReportFinding:
    """Return a finding with its memories oldest first. Ids are ordered by time."""
    return ReportFinding(kind, tuple(sorted(memories)), why)
