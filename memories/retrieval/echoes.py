"""Episodes that add nothing to a fact recalled with them: replies that repeat it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from memories.models import Memory
from memories.text import terms_of, unify
from memories.values import EPISODIC

#: Share of a fact's distinct terms that a reply holds when it repeats the fact.
REPEATED: Final = 0.75
#: How the owner is called in facts, and not in replies.
_OWNER_TERMS: Final = frozenset({"user", "用", "户", "用户"})
_SENTENCE: Final = re.compile(r"[^.!?。！？…\n]+[.!?。！？…]*")
_ASKS: Final = re.compile(r"[?？]\W*$|[吗呢么]\W*$")


def repeats(episode: Memory, fact: Memory) -> bool:
    """Whether an assistant's turn says again what is known: most of a fact's words stand in it."""
    if episode.layer != EPISODIC or fact.layer == EPISODIC or episode.metadata.get("role") != "assistant":
        return False
    told = _terms(fact.content) - _OWNER_TERMS
    return bool(told) and len(told & _terms(episode.content)) >= REPEATED * len(told)


def only_asks(memory: Memory) -> bool:
    """Whether an episode is nothing but questions: all of its sentences ask."""
    if memory.layer != EPISODIC:
        return False
    sentences = [one for one in _SENTENCE.findall(unify(memory.content)) if re.search(r"\w", one)]
    return bool(sentences) and all(_ASKS.search(one.strip()) for one in sentences)


def behind_facts(memories: Sequence[Memory]) -> list[int]:
    """Places in the order in which each reply stands behind the facts it repeats; else the order stays."""
    order = list(range(len(memories)))
    for place, memory in enumerate(memories):
        repeated = [other for other in range(place + 1, len(memories)) if repeats(memory, memories[other])]
        if repeated:
            order.remove(place)
            order.insert(order.index(repeated[-1]) + 1, place)
    return order


@lru_cache(maxsize=4096)
def _terms(text: str) -> frozenset[str]:
    # "lives" is read as the plural of "life", "live" as the verb: here they are one.
    return frozenset("live" if term == "life" else term for term in terms_of(text))
