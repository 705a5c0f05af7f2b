"""Define a finding: one thing that a person may want to fix, by ids of memories, never by text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from memsite.values import TextEnum


class FindingKind(TextEnum):
    """The fault of the memories of a finding, the most serious first."""

    DISPUTE = "dispute"
    CONFLICT = "conflict"
    DUPLICATES = "duplicates"
    WAITING = "waiting"
    UNSURE = "unsure"
    LOW_VALUE = "low_value"
    NEVER_USED = "never_used"
    STALE = "stale"


class Mend(TextEnum):
    """An act that fixes a finding. `FIRST` means the first act of the finding's kind."""

    FIRST = ""
    KEEP = "keep"
    PAST = "past"
    BOTH = "both"
    MERGE = "merge"
    CONFIRM = "confirm"
    FORGET = "forget"
    PIN = "pin"


#: The acts for each kind of findings; the first act is the one for a single click.
MENDS: Final[Mapping[FindingKind, tuple[Mend, ...]]] = {
    FindingKind.DISPUTE: (Mend.KEEP, Mend.PAST, Mend.BOTH),
    FindingKind.CONFLICT: (Mend.KEEP, Mend.PAST, Mend.BOTH),
    FindingKind.DUPLICATES: (Mend.MERGE, Mend.BOTH),
    FindingKind.WAITING: (Mend.CONFIRM, Mend.FORGET),
    FindingKind.UNSURE: (Mend.CONFIRM, Mend.FORGET),
    FindingKind.LOW_VALUE: (Mend.FORGET, Mend.PIN),
    FindingKind.NEVER_USED: (Mend.FORGET, Mend.PIN),
    FindingKind.STALE: (Mend.FORGET, Mend.PIN),
}
#: Acts that are offered for each memory, not for all of them at once.
TAKE_A_SIDE: Final = frozenset({Mend.KEEP})

#: Reasons of a conflict. Those found by rules are named by `contradiction.find_contradiction`.
DISPUTED: Final = "disputed"
JUDGED: Final = "judged"


@dataclass(frozen=True, slots=True)
class ReportFinding:
    """One finding.

    Attributes:
        memories: One; two or more for disputes, conflicts and duplicates. Oldest first.
        why: `disputed` for a dispute (the same subject and predicate, another object). For a conflict,
            `judged` (by a model) or the name of a rule: `negation`, `antonym`, `value`. Otherwise empty.
    """

    kind: FindingKind
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
        kind = FindingKind(value["kind"])
        return cls(kind, tuple(UUID(memory) for memory in value["memories"]), value["why"])


def make_finding(kind: FindingKind, memories: Iterable[UUID], why: str = "") -> ReportFinding:
    """Return a finding with its memories oldest first. Ids are ordered by time."""
    return ReportFinding(kind, tuple(sorted(memories)), why)
