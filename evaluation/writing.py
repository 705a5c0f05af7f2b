"""Write a conversation into memory as any program would: each turn becomes one episode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from evaluation.datasets import Turn
from memories.values import Candidate, Kind, Layer
from memories.writing import WriteOutcome, write_candidates

BATCH: Final = 100
_SESSION_OF_TEXT: Final = "default"


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """The result of one turn.

    Attributes:
        memory_id: None if it was refused; the same id for turns that repeat each other.
    """

    turn: Turn
    memory_id: UUID | None
    content: str


def write_turns(turns: Sequence[Turn], *, owner: UUID, text_only: bool) -> Iterator[list[StoredTurn]]:
    """Write the turns in order; yield the results of each batch.

    Args:
        turns: The turns, oldest first.
        owner: Owner of the memories.
        text_only: Write only the content, like a program that knows neither speaker nor session nor date.
    """
    for start in range(0, len(turns), BATCH):
        batch = turns[start : start + BATCH]
        candidates = [make_candidate(turn, text_only=text_only) for turn in batch]
        written = write_candidates(candidates, owner=owner, actor="evaluation")
        yield [_stored(turn, outcome) for turn, outcome in zip(batch, written.outcomes, strict=True)]


def make_candidate(turn: Turn, *, text_only: bool) -> Candidate:
    """Return the candidate for a turn's episode."""
    return Candidate(
        content=turn.content,
        layer=Layer.EPISODIC,
        kind=Kind.CONVERSATION,
        speaker="" if text_only else turn.speaker,
        session=_SESSION_OF_TEXT if text_only else turn.session,
        occurred_at=None if text_only else turn.at,
    )


def _stored(turn: Turn, outcome: WriteOutcome) -> StoredTurn:
    memory = outcome.memory
    return StoredTurn(turn, memory.pk if memory else None, memory.content if memory else "")
