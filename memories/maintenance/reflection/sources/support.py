"""How many memories show a thing, and how sure that makes it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.maintenance.reflection.conf import LEAST_CONFIDENCE, LEAST_COVERED, LEAST_SEEN, SAME_MATTER
from memories.maintenance.reflection.sources.coverage import coverage
from memories.maintenance.reflection.sources.likeness import nearness
from memories.models import Memory
from memories.text import contradictory, invented

Origins = Mapping[UUID, Collection[str]]


def occurrences(memories: Sequence[Memory], origins: Origins) -> int:
    """How often the memories were said: those that come from one and the same message count once.

    origins: the source references of each memory, where it has any.
    """
    groups: list[set[str]] = []
    for memory in memories:
        mine = set(origins.get(memory.pk, ())) or {str(memory.pk)}
        touching = [group for group in groups if group & mine]
        groups = [group for group in groups if not group & mine]
        groups.append(mine.union(*touching))
    return len(groups)


def confidence(shown: int, against: int) -> float:
    """occurrences / memories looked at, which are those on this very matter: for it or against it."""
    return round(shown / (shown + against), 4) if shown else 0.0


def is_pattern(shown: int, sure: float) -> bool:
    """Seen at least twice, and with confidence of at least 0.8."""
    return shown >= LEAST_SEEN and sure >= LEAST_CONFIDENCE


def strength(shown: int, sure: float) -> float:
    """How firm a habit is, in [0, 1]: confidence · n / (n + 1)."""
    return round(sure * shown / (shown + 1), 4)


@dataclass(frozen=True, slots=True)
class Backing:
    """Memories on which a text may rest, with the text's nearness to each on the reference scale."""

    content: str
    near: Mapping[UUID, float]

    def shown_by(self, memory: Memory) -> bool:
        """Whether the memory speaks of what the text says and does not deny it."""
        return self._of_the_matter(memory) and not contradictory(memory.content, self.content)

    def denied_by(self, memory: Memory) -> bool:
        """Whether the memory is about the very same and says otherwise."""
        same = coverage(self.content, [memory.content]) >= LEAST_COVERED
        return same and bool(contradictory(memory.content, self.content))

    def carried_by(self, memories: Sequence[Memory]) -> bool:
        """Whether the memories together hold what the text says: no number, name or date is its own, and
        most of its words are theirs, or it is near each of them in meaning."""
        texts = [memory.content for memory in memories]
        if not texts or invented(texts, self.content):
            return False
        near = min(self.near.get(memory.pk, 0.0) for memory in memories)
        return near >= SAME_MATTER or coverage(self.content, texts) >= LEAST_COVERED

    def _of_the_matter(self, memory: Memory) -> bool:
        near = self.near.get(memory.pk, 0.0)
        return near >= SAME_MATTER or coverage(self.content, [memory.content]) > 0


def backings(contents: Sequence[str], memories: Sequence[Memory]) -> list[Backing]:
    """One for each text. One call of the embedder."""
    near = nearness(contents, memories)
    ids = [memory.pk for memory in memories]
    return [
        Backing(content, dict(zip(ids, map(float, row), strict=True)))
        for content, row in zip(contents, near, strict=True)
    ]
