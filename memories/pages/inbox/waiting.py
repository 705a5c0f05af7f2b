"""Load what waits for a person: pending memories by the message they come from, disputes, merge proposals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.utils import timezone

from memories import curation, ports
from memories.maintenance import DisplayedFinding, displayed_report
from memories.models import Memory
from memories.pages.conflicts.disputes import Dispute, load_disputes
from memories.ports import SourceText
from memories.storage import MemoryFilter, list_memories, load_sources
from memories.values import HELD_BY_BOUND, UNPROVEN, Status, Writer
from memsite.accounts.models import Preferences
from memsite.accounts.preferences import get_preferences
from memsite.errors import MemsiteError

#: How many pending memories are shown at once; the next follow when these are decided.
PAGE_SIZE: Final = 20
#: How many disputes are shown; all of them are on the page of conflicts.
MOST_DISPUTES: Final = 5
PENDING: Final = MemoryFilter(status=(Status.PENDING,))


@dataclass(frozen=True, slots=True)
class PendingMemory:
    """One memory that waits.

    Attributes:
        note: `guess` for a conclusion that nothing proves, `bound` for one held back because it would have
            replaced many others, or "".
    """

    memory: Memory
    note: str


@dataclass(frozen=True, slots=True)
class MessageGroup:
    """Pending memories of one message; without a message, of one writer."""

    source: SourceText | None
    writer: Writer
    memories: tuple[PendingMemory, ...]


@dataclass(frozen=True, slots=True)
class MergeProposal:
    """Memories that may be one. `text` is what the merge would say; empty if a person must write it."""

    memories: tuple[Memory, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Inbox:
    """Everything that waits.

    Attributes:
        more_disputes: How many disputes are not shown.
        more_pending: Whether pending memories are not shown.
        listed_at: When it was read.
    """

    groups: tuple[MessageGroup, ...]
    disputes: tuple[Dispute, ...]
    more_disputes: int
    proposals: tuple[MergeProposal, ...]
    more_pending: bool
    preferences: Preferences
    listed_at: datetime

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not (self.groups or self.disputes or self.proposals)


def load_inbox(*, owner: UUID) -> Inbox:
    """Return what waits, newest first. The number of queries does not depend on how much that is."""
    listed_at = timezone.now()
    rows = list_memories(PENDING, owner=owner).order_by("-created_at", "-id")
    pending = list(rows[: PAGE_SIZE + 1])
    disputes, count = load_disputes(owner=owner, most=MOST_DISPUTES)
    findings = displayed_report.list_open_findings("duplicates", owner=owner)
    return Inbox(
        groups=_group(pending[:PAGE_SIZE], owner=owner),
        disputes=tuple(disputes),
        more_disputes=count - len(disputes),
        proposals=tuple(_propose(finding) for finding in findings),
        more_pending=len(pending) > PAGE_SIZE,
        preferences=get_preferences(owner),
        listed_at=listed_at,
    )


def _group(pending: Sequence[Memory], *, owner: UUID) -> tuple[MessageGroup, ...]:
    """Return the memories by their first message that still exists, in the order of the newest of each."""
    references = load_sources([memory.pk for memory in pending], owner=owner) if pending else {}
    every = sorted({reference for listed in references.values() for reference in listed})
    sources = {source.reference: source for source in ports.sources(every, owner=owner)} if every else {}
    groups: dict[str, list[Memory]] = {}
    for memory in pending:
        groups.setdefault(_find_key(memory, references, sources), []).append(memory)
    return tuple(
        MessageGroup(
            source=sources.get(key),
            writer=Writer(memories[0].written_by),
            memories=tuple(PendingMemory(memory, _find_note(memory)) for memory in memories),
        )
        for key, memories in groups.items()
    )


def _find_key(
    memory: Memory, references: Mapping[UUID, Sequence[str]], sources: Mapping[str, SourceText]
) -> str:
    return next((one for one in references.get(memory.pk, ()) if one in sources), memory.written_by)


def _find_note(memory: Memory) -> str:
    if memory.metadata.get(UNPROVEN):
        return "guess"
    return "bound" if memory.metadata.get(HELD_BY_BOUND) else ""


def _propose(finding: DisplayedFinding) -> MergeProposal:
    memories = tuple(memory for memory in finding.memories if memory.status in {"active", "disputed"})
    try:
        return MergeProposal(memories, curation.join_memories(memories))
    except MemsiteError:
        return MergeProposal(memories, "")
