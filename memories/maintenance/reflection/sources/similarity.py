"""The similarity of an owner's memories on the reference scale, and clusters of similar ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memories.maintenance.reflection.conf import MOST_TRIED
from memories.models import Memory, MemoryEmbedding
from memsite.errors import ModelError
from memsite.llm.embedding import get_embedder


@dataclass(frozen=True, slots=True, eq=False)
class SimilarityMatrix:
    """Memories and their (n, n) similarities on the reference scale, 0 on the diagonal."""

    memories: tuple[Memory, ...]
    similarity: NDArray[np.float64]


def compute_similarities(memories: Sequence[Memory], *, owner: UUID) -> SimilarityMatrix:
    """Compute the similarities of those memories that the current model has embedded. One query."""
    embedder = get_embedder()
    ids = [memory.pk for memory in memories]
    rows = MemoryEmbedding.objects.filter(owner_id=owner, memory_id__in=ids, model=embedder.model)
    vectors = dict(rows.values_list("memory_id", "vector"))
    kept = tuple(memory for memory in memories if memory.pk in vectors)
    if not kept:
        return SimilarityMatrix((), np.zeros((0, 0)))
    matrix = np.stack([vectors[memory.pk] for memory in kept]).astype(np.float32)
    similarity = embedder.profile.to_reference(matrix @ matrix.T)
    np.fill_diagonal(similarity, 0.0)
    return SimilarityMatrix(kept, similarity)


def compute_text_similarities(texts: Sequence[str], memories: Sequence[Memory]) -> NDArray[np.float64]:
    """Return the (texts, memories) reference similarity of each text to each memory.

    One call of the embedder. All values are 0 if it fails.
    """
    if not texts or not memories:
        return np.zeros((len(texts), len(memories)))
    embedder = get_embedder()
    try:
        vectors = embedder.embed([*texts, *(memory.content for memory in memories)])
    except ModelError:
        return np.zeros((len(texts), len(memories)))
    return embedder.profile.to_reference(vectors[: len(texts)] @ vectors[len(texts) :].T)


def find_clusters(
    found: SimilarityMatrix, *, least: float, most: int, may_join: Callable[[Memory, Memory], bool]
) -> Iterator[list[Memory]]:
    """Yield groups of 2 to `most` memories, the most similar first. No memory is in two groups.

    Greedy complete linkage: starting with the most similar pair, the memory with the largest minimum
    similarity to the members is added. The search stops after 2,000 pairs that may not be joined.

    Args:
        found: Memories and similarities.
        least: Least similarity of every two members.
        most: Largest size of a group.
        may_join: Whether two memories may be in one group.
    """
    similarity = found.similarity.copy()
    tried = 0
    while tried < MOST_TRIED and similarity.size and (best := float(similarity.max())) >= least and best > 0:
        first, second = (int(index) for index in np.unravel_index(similarity.argmax(), similarity.shape))
        if not may_join(found.memories[first], found.memories[second]):
            similarity[first, second] = similarity[second, first] = 0.0
            tried += 1
            continue
        members = _grown([first, second], found, similarity, least, most, may_join)
        yield [found.memories[index] for index in members]
        similarity[members, :] = similarity[:, members] = 0.0


def _grown(
    members: list[int],
    found: SimilarityMatrix,
    similarity: NDArray[np.float64],
    least: float,
    most: int,
    may_join: Callable[[Memory, Memory], bool],
) -> list[int]:
    nearest = similarity[members].min(axis=0)
    for index in np.argsort(-nearest):
        candidate = int(index)
        if len(members) >= most or nearest[candidate] < least:
            break
        if candidate in members or similarity[members, candidate].min() < least:
            continue
        if all(may_join(found.memories[candidate], found.memories[member]) for member in members):
            members = [*members, candidate]
    return members
