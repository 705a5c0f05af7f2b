"""Choose the memories that go into a context. Pure.

The best three are chosen first, then, while the budget lasts, those with the highest value per token. Tokens
that no other part uses are filled with episodes from the same conversation close to the chosen ones: an
episode is often understandable, and answered, only together with its neighbours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from memories.retrieval import adds_little, is_only_question, is_reply, repeats_fact
from memories.values import Layer, Writer
from threads.conf import CONTEXT, NEARBY_SURE, NEARBY_TURNS
from threads.context.recall import Remark, RenderedMemory

#: The probability that a memory contains the answer falls with its rank as rank^−1.5, fitted on 786 questions
#: about five conversations.
_FALL: Final = 1.5
#: Up to so many tokens, a message may stand for the facts that were learnt from it.
_SHORT_TOKENS: Final = 120


@dataclass(frozen=True, slots=True)
class Choice:
    """The memories of a context.

    Attributes:
        memories: The chosen memories, best first.
        reasons: Every memory considered, with the reason why it is included or not.
    """

    memories: tuple[RenderedMemory, ...] = ()
    reasons: tuple[tuple[RenderedMemory, str], ...] = ()

    @property
    def tokens(self) -> int:
        """Upper bound of the tokens of the chosen lines."""
        return sum(one.tokens for one in self.memories)


def select_memories(
    candidates: Sequence[RenderedMemory],
    *,
    in_messages: Sequence[RenderedMemory] = (),
    talk: bool = False,
    room: int,
    budget: int,
) -> tuple[Choice, list[RenderedMemory]]:
    """Choose among the candidates that do not repeat others, and return them too.

    A message that is not chosen does not stand for the facts learnt from it: these are candidates again.

    Args:
        candidates: Memories, best first.
        in_messages: As in `drop_echoes`.
        talk: As in `drop_echoes`.
        room: As in `choose_memories`.
        budget: As in `choose_memories`.
    """
    unfit = frozenset[UUID]()
    while True:
        kept, left = drop_echoes(candidates, in_messages=in_messages, talk=talk, unfit=unfit)
        choice = choose_memories(kept, room=room, budget=budget)
        chosen = {one.hit.memory.pk for one in choice.memories}
        messages = {
            one.hit.memory.pk for one in kept if one.hit.memory.layer == Layer.EPISODIC and one.is_relevant
        }
        missing = frozenset(messages - chosen - unfit)
        if not missing:
            return replace(choice, reasons=(*choice.reasons, *left)), kept
        unfit |= missing


def choose_memories(candidates: Sequence[RenderedMemory], *, room: int, budget: int) -> Choice:
    """Choose the best memories (three, by default), then others by value per token.

    Args:
        candidates: Memories, best first. Only relevant ones are considered.
        room: Tokens available for lines; never exceeded.
        budget: Tokens that all memories but the best three must stay within.
    """
    best = CONTEXT.best_memories
    relevant = [one for one in candidates if one.is_relevant]
    worth = [
        rank
        for rank in range(best, len(relevant))
        if rank < CONTEXT.most_memories or relevant[rank].hit.relevance >= CONTEXT.sure_relevance
    ]
    order = sorted(worth, key=lambda rank: -_value_per_token(relevant[rank], rank))
    chosen: dict[int, str] = {}
    spent = 0
    for rank in (*range(min(best, len(relevant))), *order):
        is_sure = rank < best
        if spent + relevant[rank].tokens <= (room if is_sure else min(budget, room)):
            chosen[rank] = f"one of the best {best}" if is_sure else "relevant, and worth its tokens"
            spent += relevant[rank].tokens
    left_out = dict.fromkeys((*range(best), *worth), Remark.NO_ROOM)
    reasons = [
        (one, chosen.get(rank, left_out.get(rank, Remark.LESS_RELEVANT))) for rank, one in enumerate(relevant)
    ]
    return Choice(tuple(relevant[rank] for rank in sorted(chosen)), tuple(reasons))


def drop_echoes(
    candidates: Sequence[RenderedMemory],
    *,
    in_messages: Sequence[RenderedMemory] = (),
    talk: bool = False,
    unfit: Collection[UUID] = (),
) -> tuple[list[RenderedMemory], list[tuple[RenderedMemory, str]]]:
    """Separate the candidates worth including from those that repeat others.

    Relevant facts, preferences and other non-episodic memories stand for the message that taught them. A
    message that says much more than they stands for them instead. Earlier questions and the assistant's own
    replies tell nothing about the person.

    Args:
        candidates: Memories, best first.
        in_messages: Recalled memories that the messages of the context contain already. They need no place,
            but what repeats them needs none either.
        talk: Whether the input asks for the words of earlier chats. Questions and replies are then kept,
            unless they repeat a fact.
        unfit: Ids of messages that may not stand for facts.

    Returns:
        The candidates to keep, and the others, each with the reason.
    """
    facts = [
        one
        for one in (*candidates, *in_messages)
        if one.is_relevant and one.hit.memory.layer != Layer.EPISODIC
    ]
    kept: list[RenderedMemory] = []
    left: list[tuple[RenderedMemory, str]] = []
    fuller = [
        one
        for one in candidates
        if one.is_relevant and one.hit.memory.pk not in unfit and _says_more(one, facts)
    ]
    included_sources = frozenset[UUID]().union(*(one.sources for one in fuller))
    for one in candidates:
        if _repeats_any(one, facts):
            left.append((one, Remark.REPEATS))
        elif one.hit.memory.layer != Layer.EPISODIC and one.sources and one.sources <= included_sources:
            left.append((one, Remark.IN_INCLUDED_MESSAGE))
        elif (facts or not talk) and is_only_question(one.hit.memory):
            left.append((one, Remark.ONLY_ASKS))
        elif not talk and is_reply(one.hit.memory):
            left.append((one, Remark.IS_REPLY))
        else:
            kept.append(one)
    return kept, left


def add_nearby_episodes(choice: Choice, candidates: Sequence[RenderedMemory], *, room: int) -> Choice:
    """Add episodes within NEARBY_TURNS turns of the chosen memories while tokens last.

    Not of the person's own chats, whose messages are understandable alone.

    Only if the best chosen memory is certainly relevant: the neighbours of chance hits are not worth their
    tokens.
    """
    if not choice.memories or max(one.hit.relevance for one in choice.memories) < NEARBY_SURE:
        return choice
    places = {place for one in choice.memories for place in _around(one)}
    left = room - choice.tokens
    chosen, reasons = list(choice.memories), list(choice.reasons)
    for one in candidates:
        if one.is_relevant:
            continue
        reason: str = Remark.NOT_RELEVANT
        if _place(one) in places:
            reason = Remark.NEARBY_NO_ROOM
            if one.tokens <= left:
                chosen.append(one)
                left -= one.tokens
                reason = "said near a relevant one"
        reasons.append((one, reason))
    return Choice(tuple(chosen), tuple(reasons))


def is_in_context(
    one: RenderedMemory, included_ids: Collection[UUID], thread_sources: Collection[UUID]
) -> bool:
    """Return whether the context contains a memory already.

    It does if all messages of this thread that the memory came from are in the context.

    Args:
        included_ids: Ids of the messages in the context.
        thread_sources: Ids of the sources that are messages of this thread.
    """
    own = one.sources.intersection(thread_sources)
    return bool(own) and own.issubset(included_ids)


def _says_more(one: RenderedMemory, facts: Sequence[RenderedMemory]) -> bool:
    """Return whether a short message of the person holds all facts learnt from it, and says much more."""
    memory = one.hit.memory
    if memory.layer != Layer.EPISODIC or is_reply(memory) or is_only_question(memory):
        return False
    learnt = [fact.hit.memory for fact in facts if not fact.sources.isdisjoint(one.sources)]
    if not learnt or one.tokens > _SHORT_TOKENS or adds_little(memory, learnt):
        return False
    return all(repeats_fact(memory, fact) for fact in learnt)


def _repeats_any(one: RenderedMemory, facts: Sequence[RenderedMemory]) -> bool:
    """Return whether a turn repeats these facts: a reply one of them, a message those learnt from it."""
    memory = one.hit.memory
    if is_reply(memory):
        return any(repeats_fact(memory, fact.hit.memory) for fact in facts)
    learnt = [fact for fact in facts if not fact.sources.isdisjoint(one.sources)]
    if memory.layer != Layer.EPISODIC or not learnt:
        return False
    return adds_little(memory, [fact.hit.memory for fact in learnt])


def _value_per_token(one: RenderedMemory, rank: int) -> float:
    return float((rank + 1) ** -_FALL / one.tokens)


def _place(one: RenderedMemory) -> tuple[str, int] | None:
    memory = one.hit.memory
    is_dialogue = memory.layer == Layer.EPISODIC and memory.written_by != Writer.THREAD
    return (memory.session, memory.turn) if is_dialogue else None


def _around(one: RenderedMemory) -> Iterator[tuple[str, int]]:
    place = _place(one)
    if place is not None:
        session, turn = place
        yield from ((session, turn + step) for step in range(-NEARBY_TURNS, NEARBY_TURNS + 1) if step)
