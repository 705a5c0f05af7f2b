"""Count the memories that support a statement, and compute its confidence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.conf import REFLECTION
from memories.maintenance.reflection.conf import LEAST_COVERED, SAME_MATTER
from memories.maintenance.reflection.sources.coverage import compute_coverage
from memories.maintenance.reflection.sources.similarity import compute_text_similarities
from memories.models import Memory
from memories.text import find_contradiction, find_invented_details

Origins = Mapping[UUID, Collection[str]]


def count_occurrences(memories: Sequence[Memory], origins: Origins) -> int:
    """Return how often the memories were stated. Memories from the same message count once.

    Args:
        memories: The memories.
        origins: Source references of each memory that has any.
    """
    groups: list[set[str]] = []
    for memory in memories:
        mine = set(origins.get(memory.pk, ())) or {str(memory.pk)}
        touching = [group for group in groups if group & mine]
        groups = [group for group in groups if not group & mine]
        groups.append(mine.union(*touching))
    return len(groups)


def compute_confidence(shown: int, against: int) -> float:
    """Return shown / (shown + against): the share of occurrences that support the statement."""
    return round(shown / (shown + against), 4) if shown else 0.0


def is_pattern(shown: int, sure: float) -> bool:
    """Return whether it occurred at least twice, with a confidence of at least 0.8."""
    return shown >= REFLECTION.least_seen and sure >= REFLECTION.pattern_confidence


def compute_strength(shown: int, sure: float) -> float:
    """Return the strength of a habit in [0, 1]: confidence · n / (n + 1)."""
    return round(sure * shown / (shown + 1), 4)


@dataclass(frozen=True, slots=True)
class StatementSupport:
    """The memories that may support a text, with the reference similarity of the text to each."""

    content: str
    similarities: Mapping[UUID, float]

    def shown_by(self, memory: Memory) -> bool:
        """Return whether a memory is about the same thing and does not contradict the text."""
        return self._of_the_matter(memory) and not find_contradiction(memory.content, self.content)

    def denied_by(self, memory: Memory) -> bool:
        """Return whether a memory is about exactly the same thing and contradicts the text."""
        same = compute_coverage(self.content, [memory.content]) >= LEAST_COVERED
        return same and bool(find_contradiction(memory.content, self.content))

    def is_supported_by(self, memories: Sequence[Memory]) -> bool:
        """Return whether the memories together support the text.

        The text must add no number, name or date. Also, most of its words must occur in the memories, or it
        must be similar to each of them.
        """
        texts = [memory.content for memory in memories]
        if not texts or find_invented_details(texts, self.content):
            return False
        least = min(self.similarities.get(memory.pk, 0.0) for memory in memories)
        return least >= SAME_MATTER or compute_coverage(self.content, texts) >= LEAST_COVERED

    def _of_the_matter(self, memory: Memory) -> bool:
        similarity = self.similarities.get(memory.pk, 0.0)
        return similarity >= SAME_MATTER or compute_coverage(self.content, [memory.content]) > 0


def find_support(contents: Sequence[str], memories: Sequence[Memory]) -> list[StatementSupport]:
    """Return the backing of each text. One call of the embedder."""
    similarities = compute_text_similarities(contents, memories)
    ids = [memory.pk for memory in memories]
    return [
        StatementSupport(content, dict(zip(ids, map(float, row), strict=True)))
        for content, row in zip(contents, similarities, strict=True)
    ]
