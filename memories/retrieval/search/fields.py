"""Choose the memories that an answer in the query's field of life must respect.

"Add an endpoint for refunds" names no tool and no style, so that no preference for one is relevant enough to
be recalled, and yet each applies. Of a memory of the same field less relevance is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.models import Memory
from memories.retrieval.estimates import find_fields, find_members
from memories.retrieval.index import OwnerIndex
from memories.retrieval.search.echoes import is_only_question, is_reply
from memories.text import REQUIREMENT_CHARACTERS, RequirementTag
from memories.values import Layer, Status

#: Least relevance of such a memory.
_LEAST_RELEVANCE: Final = 0.3
#: Memories of a field at most, the most relevant.
_MOST: Final = 20
_TAGS: Final = frozenset(RequirementTag)


def list_by_field(
    index: OwnerIndex, sentence: NDArray[np.float32], relevance: Mapping[bytes, float]
) -> dict[RequirementTag, tuple[bytes, ...]]:
    """Return for each field of a query the ids of the memories of that field, the most relevant first.

    Turns of conversations between people are of no field: each speaks for themselves.

    Args:
        index: Memories of the owner.
        sentence: (d,) Unit vector of the query.
        relevance: What was found: ids, with the relevance to the query.
    """
    fields = find_fields(sentence)
    if not fields or index.sentences is None:
        return dict.fromkeys(fields, ())
    enough = [one for one, value in relevance.items() if value >= _LEAST_RELEVANCE]
    enough.sort(key=lambda one: -relevance[one])
    rows = index.rows_of(enough)
    may = ~index.dialogue[rows]
    vectors = index.sentences.get_vectors(rows)
    return {field: tuple(compress(enough, may & find_members(field, vectors)))[:_MOST] for field in fields}


def keep_requirements(memories: Sequence[Memory]) -> tuple[Memory, ...]:
    """Return those of memories that may be requirements, in their order.

    They are short, undisputed and not tagged as requirements, and neither questions nor replies. A message
    from which one of the statements was learnt is left out.
    """
    statements = [one for one in memories if one.layer != Layer.EPISODIC]
    taught = {source for one in statements for source in one.source_references}
    return tuple(
        one
        for one in memories
        if one.status == Status.ACTIVE
        and len(one.content) <= REQUIREMENT_CHARACTERS
        and _TAGS.isdisjoint(one.tags)
        and not is_reply(one)
        and not is_only_question(one)
        and (one.layer != Layer.EPISODIC or taught.isdisjoint(one.source_references))
    )
