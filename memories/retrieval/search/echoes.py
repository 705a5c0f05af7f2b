"""Find episodes that add nothing to a fact found with them. Pure.

These are replies that repeat the fact, questions, and messages that say no more than what was learnt from
them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final
from uuid import UUID

from memories.models import Memory
from memories.text import list_terms, unify
from memories.values import Layer
from memsite.values import MessageRole

#: Share of a fact's distinct terms that a reply must hold to count as a repetition.
REPEATED: Final = 0.75
#: Terms for the owner, which facts contain and replies do not.
_OWNER_TERMS: Final = frozenset({"user", "用", "户", "用户"})
#: In a term of a message: the owner, of whom facts speak in the third person.
_FIRST_PERSON: Final = "我"
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


def adds_nothing(turn: Memory, learnt: Sequence[Memory]) -> bool:
    """Return whether the memories learnt from a turn hold all of its terms."""
    if turn.layer != Layer.EPISODIC or not learnt:
        return False
    terms = {term for term in _terms(turn.content) if _FIRST_PERSON not in term}
    return terms <= frozenset[str]().union(*(_terms(one.content) for one in learnt))


def adds_little(turn: Memory, learnt: Sequence[Memory]) -> bool:
    """Return whether the memories learnt from a turn hold most of its terms."""
    if turn.layer != Layer.EPISODIC or not learnt:
        return False
    terms = {term for term in _terms(turn.content) if _FIRST_PERSON not in term}
    held = frozenset[str]().union(*(_terms(one.content) for one in learnt))
    return len(terms & held) >= REPEATED * len(terms)


def find_equal_facts(messages: Sequence[Memory], facts: Sequence[Memory]) -> dict[UUID, Memory]:
    """Return, by the id of a message, the fact that was learnt from it and says all that it says.

    A fact is returned for one message only, the first.
    """
    left = list(facts)
    equal: dict[UUID, Memory] = {}
    for message in messages if left else ():
        sources = set(message.source_references)
        learnt = (fact for fact in left if not sources.isdisjoint(fact.source_references))
        fact = next((fact for fact in learnt if adds_nothing(message, [fact])), None)
        if fact is not None:
            equal[message.pk] = fact
            left.remove(fact)
    return equal


def is_only_question(memory: Memory) -> bool:
    """Return whether an episode consists of questions only."""
    if memory.layer != Layer.EPISODIC:
        return False
    sentences = [one for one in _SENTENCE.findall(unify(memory.content)) if re.search(r"\w", one)]
    return bool(sentences) and all(_ASKS.search(one.strip()) for one in sentences)


def move_behind_facts(memories: Sequence[Memory]) -> list[int]:
    """Return the positions of the memories: replies behind the facts they repeat, questions behind a fact.

    Other memories keep their order.
    """
    order = list(range(len(memories)))
    for place in range(len(memories)):
        fact = _find_fact_after(memories, place)
        if fact is not None:
            order.remove(place)
            order.insert(order.index(fact) + 1, place)
    return order


def _find_fact_after(memories: Sequence[Memory], place: int) -> int | None:
    """Return the position of the fact that a memory belongs behind; None if it may stay."""
    memory, after = memories[place], range(place + 1, len(memories))
    if is_reply(memory):
        repeated = [other for other in after if repeats_fact(memory, memories[other])]
        return repeated[-1] if repeated else None
    if is_only_question(memory):
        return next((other for other in after if memories[other].layer != Layer.EPISODIC), None)
    return None


@lru_cache(maxsize=4096)
def _terms(text: str) -> frozenset[str]:
    return frozenset(list_terms(text))
