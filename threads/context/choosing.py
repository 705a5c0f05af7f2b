"""Which memories go into a context. Pure.

The best three first. Then, while the budget lasts, those of most value per token. Where room is left that
nobody else takes, what was said right around them in the same conversation: a turn is often understood,
and answered, only by the turns beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from memories.retrieval import only_asks, repeats
from memories.values import EPISODIC
from threads.conf import NEARBY_SURE, NEARBY_TURNS, RECALL_SURE
from threads.context.recall import Told

#: How fast the chance that a memory holds the answer falls with its rank: rank^−1.5, fitted on 786 questions
#: about five conversations.
_FALL: Final = 1.5


@dataclass(frozen=True, slots=True)
class Choice:
    """memories: those that go in, best first; reasons: of those that were looked at, in or out."""

    memories: tuple[Told, ...] = ()
    reasons: tuple[tuple[Told, str], ...] = ()

    @property
    def tokens(self) -> int:
        """Of their lines, at most."""
        return sum(one.tokens for one in self.memories)


def choose(candidates: Sequence[Told], *, room: int, budget: int) -> Choice:
    """The best three if there is room at all, then by value per token while the budget lasts.

    candidates: best first; only relevant ones are looked at. room: tokens that are free for lines, which
    nothing may exceed; budget: those that all but the best three keep within.
    """
    relevant = [one for one in candidates if one.is_relevant]
    order = sorted(
        range(RECALL_SURE, len(relevant)), key=lambda rank: -_value_per_token(relevant[rank], rank)
    )
    chosen: dict[int, str] = {}
    spent = 0
    for rank in (*range(min(RECALL_SURE, len(relevant))), *order):
        is_sure = rank < RECALL_SURE
        if spent + relevant[rank].tokens <= (room if is_sure else min(budget, room)):
            chosen[rank] = "one of the best three" if is_sure else "relevant, and worth its tokens"
            spent += relevant[rank].tokens
    reasons = [(one, chosen.get(rank, "relevant, but no room")) for rank, one in enumerate(relevant)]
    return Choice(tuple(relevant[rank] for rank in sorted(chosen)), tuple(reasons))


def without_echoes(candidates: Sequence[Told]) -> tuple[list[Told], list[tuple[Told, str]]]:
    """What is worth telling beside what is known, and why the rest is not.

    Where something known is relevant, replies that repeat it say nothing more, nor do earlier questions: the
    fact alone answers.
    """
    known = [one.hit.memory for one in candidates if one.is_relevant and one.hit.memory.layer != EPISODIC]
    kept: list[Told] = []
    left: list[tuple[Told, str]] = []
    for one in candidates:
        memory = one.hit.memory
        if any(repeats(memory, fact) for fact in known):
            left.append((one, "repeats what is known"))
        elif known and only_asks(memory):
            left.append((one, "only asks"))
        else:
            kept.append(one)
    return kept, left


def with_nearby(choice: Choice, candidates: Sequence[Told], *, room: int) -> Choice:
    """The choice, and behind it what was said within five turns of its memories, while room lasts.

    Only where the best of them is surely what was asked for: around chance hits nothing is worth its tokens.
    """
    if not choice.memories or max(one.hit.relevance for one in choice.memories) < NEARBY_SURE:
        return choice
    places = {place for one in choice.memories for place in _around(one)}
    left = room - choice.tokens
    chosen, reasons = list(choice.memories), list(choice.reasons)
    for one in candidates:
        if one.is_relevant:
            continue
        reason = "less relevant, and not said near a relevant one"
        if _place(one) in places:
            reason = "said near a relevant one, but no room"
            if one.tokens <= left:
                chosen.append(one)
                left -= one.tokens
                reason = "said near a relevant one"
        reasons.append((one, reason))
    return Choice(tuple(chosen), tuple(reasons))


def said_here(one: Told, said: Collection[UUID], here: Collection[UUID]) -> bool:
    """Whether the context holds a memory already: all messages of this thread that it came from are in it.

    said: messages in the context; here: which of the sources are messages of this thread.
    """
    own = one.sources.intersection(here)
    return bool(own) and own.issubset(said)


def _value_per_token(one: Told, rank: int) -> float:
    return float((rank + 1) ** -_FALL / one.tokens)


def _place(one: Told) -> tuple[str, int] | None:
    memory = one.hit.memory
    return (memory.session, memory.turn) if memory.layer == EPISODIC else None


def _around(one: Told) -> Iterator[tuple[str, int]]:
    place = _place(one)
    if place is not None:
        session, turn = place
        yield from ((session, turn + step) for step in range(-NEARBY_TURNS, NEARBY_TURNS + 1) if step)
