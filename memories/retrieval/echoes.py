"""Find episodes that add nothing to a fact found with them: replies that repeat the fact. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from memories.models import Memory
from memories.text import list_terms, unify
from memories.values import Layer
from memsite.values import MessageRole

#: Share of a fact's distinct terms that a reply must hold to count as a repetition.
REPEATED: Final = 0.75
#: Terms for the owner, which facts contain and replies do not.
_OWNER_TERMS: Final = frozenset({"user", "用", "户", "用户"})
_SENTENCE: Final = re.compile(r"[^.!?。！？…\n]+[.!?。！？…]*")
_ASKS: Final = re.compile(r"[?？]\W*$|[吗呢么]\W*$")


def is_reply(memory: Memory) -> bool:
    """Return whether a memory is an assistant's turn."""
    return memory.layer == Layer.EPISODIC and memory.metadata.get("role") == MessageRole.ASSISTANT


def repeats_fact(reply: Memory, fact: Memory) -> bool:
    """Return whether an assistant's turn repeats a fact, that is, holds most of its terms."""
    if fact.layer == Layer.EPISODIC:
        return False
    fact_terms = _terms(fact.content) - _OWNER_TERMS
    return bool(fact_terms) and len(fact_terms & _terms(reply.content)) >= REPEATED * len(fact_terms)


def is_only_question(memory: Memory) -> bool:
    """Return whether an episode consists of questions only."""
    if memory.layer != Layer.EPISODIC:
        return False
    sentences = [one for one in _SENTENCE.findall(unify(memory.content)) if re.search(r"\w", one)]
    return bool(sentences) and all(_ASKS.search(one.strip()) for one in sentences)


def move_behind_facts(memories: Sequence[Memory]) -> list[int]:
    """Return the positions of the memories, with each reply moved behind the facts it repeats.

    Other memories keep their order.
    """
    order = list(range(len(memories)))
    for place, memory in enumerate(memories):
        if not is_reply(memory):
            continue
        repeated = [
            other for other in range(place + 1, len(memories)) if repeats_fact(memory, memories[other])
        ]
        if repeated:
            order.remove(place)
            order.insert(order.index(repeated[-1]) + 1, place)
    return order


@lru_cache(maxsize=4096)
def _terms(text: str) -> frozenset[str]:
    return frozenset(list_terms(text))
