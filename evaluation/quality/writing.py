"""Write dated texts into one owner's memory, in one of the ways in which programs do it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from memories.extraction import UnreadMessage, extract, make_window
from memories.values import Candidate, Kind, Layer, Utterance, Writer
from memories.writing import WriteResult, write_candidates
from memsite.values import MessageRole, TextEnum

_ACTOR: Final = "evaluation"
BATCH: Final = 100


class WrittenAs(TextEnum):
    """The form in which a text is written: as facts, as episodes, or as messages to learn from."""

    FACTS = "facts"
    EPISODES = "episodes"
    MESSAGES = "messages"


class DatedText(NamedTuple):
    """A text and its time. `id` is unique in what is written together."""

    id: str
    at: datetime
    text: str


def write_texts(
    texts: Sequence[DatedText], written_as: WrittenAs, *, owner: UUID, at_once: int = BATCH
) -> Iterator[dict[str, frozenset[UUID]]]:
    """Write the texts in order, each with its date; yield the memories of each text, batch by batch.

    Facts and episodes are written as a program writes them that knows a text and its date. From messages, the
    rules learn as from a chat: one text after the other, so that each sees what was stored before. A text
    leads to an episode and, perhaps, to facts.

    Args:
        texts: What to write, oldest first.
        written_as: How.
        owner: Owner of the memories.
        at_once: Most facts or episodes in one batch; 1 writes them as they would come over months.
    """
    size = 1 if written_as is WrittenAs.MESSAGES else at_once
    for start in range(0, len(texts), size):
        batch = texts[start : start + size]
        if written_as is WrittenAs.MESSAGES:
            yield {one.id: _learn(one, owner=owner) for one in batch}
        else:
            written = _write([_make_candidate(one, written_as) for one in batch], owner=owner)
            yield {
                one.id: frozenset([outcome.memory.pk]) if outcome.memory else frozenset()
                for one, outcome in zip(batch, written.outcomes, strict=True)
            }


def _make_candidate(one: DatedText, written_as: WrittenAs) -> Candidate:
    if written_as is WrittenAs.EPISODES:
        return Candidate(one.text, layer=Layer.EPISODIC, kind=Kind.EVENT, occurred_at=one.at)
    return Candidate(one.text, layer=Layer.SEMANTIC, kind=Kind.FACT, occurred_at=one.at)


def _learn(one: DatedText, *, owner: UUID) -> frozenset[UUID]:
    reference, session = f"message:{one.id}", f"evaluation-{one.id}:1"
    utterance = Utterance(reference, MessageRole.USER, one.text, one.at, session=session)
    episode = Candidate(
        one.text,
        layer=Layer.EPISODIC,
        kind=Kind.CONVERSATION,
        session=session,
        occurred_at=one.at,
        sources=(reference,),
        written_by=Writer.THREAD,
        metadata={"role": MessageRole.USER},
    )
    learnt = extract(make_window([UnreadMessage(utterance)], ()), None).candidates
    outcomes = _write([episode, *learnt], owner=owner).outcomes
    return frozenset(outcome.memory.pk for outcome in outcomes if outcome.memory)


def _write(candidates: Sequence[Candidate], *, owner: UUID) -> WriteResult:
    return write_candidates(candidates, owner=owner, actor=_ACTOR)
