"""Load disputes with their sides, the messages that they come from, and when each side began."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Final
from uuid import UUID

from memories import ports
from memories.models import Memory, MemoryLink
from memories.ports import SourceText
from memories.storage import get_memory, group_pairs, list_disputes, load_memories

#: How many sides of a dispute are listed beside other disputes.
MOST_SIDES: Final = 5
_EAST_ASIAN: Final = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_TOKENS: Final = re.compile(rf"[^\W{_EAST_ASIAN}]+|.", re.DOTALL)
_IS_EAST_ASIAN: Final = re.compile(rf"[{_EAST_ASIAN}]")
#: Words, or Chinese characters, with which statements begin if they answer one question.
_LEAST_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class Side:
    """One memory of a dispute.

    Attributes:
        number: Its place among the sides, from 1.
        sources: The messages that it comes from.
        begins: Since when it is true, as far as is known.
        stated_at: When it was said, or else written.
    """

    number: int
    memory: Memory
    sources: tuple[SourceText, ...]
    begins: datetime
    stated_at: datetime


@dataclass(frozen=True, slots=True)
class Dispute:
    """Memories that cannot all be true, the oldest first.

    Attributes:
        reason: Why time does not decide (see `memories.writing.conflicts`).
    """

    sides: tuple[Side, ...]
    reason: str

    @property
    def question(self) -> str:
        """What the sides answer; "" if that is not known."""
        return name_question([side.memory.content for side in self.sides])

    @property
    def listed(self) -> tuple[Side, ...]:
        """The newest sides; all of them are on the page of the dispute."""
        return self.sides[-MOST_SIDES:]

    @property
    def unlisted(self) -> int:
        """How many sides are older than those."""
        return len(self.sides) - len(self.listed)

    @property
    def newest(self) -> Side:
        """The side that began last, or was said last if they began together."""
        return self.sides[-1]

    @property
    def is_tied(self) -> bool:
        """Whether two sides or more begin at the same moment as the newest."""
        return any(side.begins >= self.newest.begins for side in self.sides[:-1])

    @property
    def about(self) -> Memory:
        """The memory whose slot names the subject of the dispute."""
        return self.newest.memory


def name_question(statements: Sequence[str]) -> str:
    """Return what statements answer: the words with which all begin, and "…?"; "" if they are too few."""
    places = zip(*map(_TOKENS.findall, statements), strict=False)
    shared = [tokens[0] for tokens in takewhile(lambda tokens: len(set(tokens)) == 1, places)]
    words = [token for token in shared if token[0].isalnum()]
    if len(words) < _LEAST_WORDS:
        return ""
    whole = "".join(shared).rstrip()
    return f"{whole}……？" if _IS_EAST_ASIAN.match(words[-1]) else f"{whole} …?"


def load_disputes(*, owner: UUID, start: int = 0, most: int | None = None) -> tuple[list[Dispute], int]:
    """Return disputes, the newest first, and how many there are. The number of queries is fixed.

    Args:
        owner: The owner.
        start: How many to skip.
        most: The most to load; None for all.
    """
    links = list(list_disputes(owner=owner).order_by("-created_at", "-id"))
    groups = group_pairs((link.memory_id, link.other_id) for link in links)
    chosen = groups[start:] if most is None else groups[start : start + most]
    return _build(chosen, links, owner=owner), len(groups)


def load_dispute(memory_id: UUID, *, owner: UUID) -> Dispute | None:
    """Return the dispute that a memory is in now, or None if it is in none.

    Raises:
        NotFound: If the owner has no such memory.
    """
    get_memory(memory_id, owner=owner)
    links = list(list_disputes(owner=owner))
    groups = group_pairs((link.memory_id, link.other_id) for link in links)
    found = [group for group in groups if memory_id in group]
    return next(iter(_build(found, links, owner=owner)), None)


def _build(groups: Sequence[Collection[UUID]], links: Iterable[MemoryLink], *, owner: UUID) -> list[Dispute]:
    ids = {memory_id for group in groups for memory_id in group}
    if not ids:
        return []
    rows = load_memories(ids, owner=owner)
    references = sorted({reference for row in rows.values() for reference in row.source_references})
    sources = {source.reference: source for source in ports.sources(references, owner=owner)}
    reasons = {end: link.reason for link in links for end in (link.memory_id, link.other_id)}
    return [_dispute([rows[one] for one in group], sources, reasons) for group in groups]


def _dispute(
    memories: Sequence[Memory], sources: Mapping[str, SourceText], reasons: Mapping[UUID, str]
) -> Dispute:
    ordered = sorted(memories, key=lambda memory: (_begin(memory), _stated(memory), memory.pk))
    sides = tuple(
        Side(
            number=number,
            memory=memory,
            sources=tuple(sources[one] for one in memory.source_references if one in sources),
            begins=_begin(memory),
            stated_at=_stated(memory),
        )
        for number, memory in enumerate(ordered, start=1)
    )
    return Dispute(sides, reasons.get(sides[-1].memory.pk, ""))


def _begin(memory: Memory) -> datetime:
    return memory.valid_from or memory.created_at


def _stated(memory: Memory) -> datetime:
    return memory.occurred_at or memory.created_at
