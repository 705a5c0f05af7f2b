"""Fill in vectors of another model beside those in use: in batches, at a bounded rate, with retries."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from memories.maintenance.reembedding.embedding_switch import note_progress
from memories.maintenance.reembedding.reindexing import embed_rows, list_owners_without_vectors
from memories.models import Memory
from memories.storage import list_not_embedded
from memsite.errors import MemsiteError, ModelError, Unavailable
from memsite.llm.chat import BadAnswer, TransientModelError
from memsite.llm.embedding import Embedder
from memsite.serving.postgres import acting_for

#: Seconds before a batch is tried again after a server failure; doubled each time, up to MOST_PAUSE.
FIRST_PAUSE: Final = 1.0
MOST_PAUSE: Final = 30.0
#: Tries of a batch (each up to three requests) before the run stops: about two minutes.
TRIES: Final = 8
#: The most memories that a model may refuse before the run stops: then the server is at fault, not the texts.
MOST_REFUSED: Final = 100
#: HTTP statuses by which a server refuses a text rather than the client.
_OF_THE_TEXT: Final = frozenset({400, 413, 422})


@dataclass(frozen=True, slots=True)
class Pace:
    """The speed of filling in.

    Attributes:
        batch: Memories per request and per transaction.
        rate: The most memories per second; 0 for no limit.
    """

    batch: int = 256
    rate: float = 500.0


@dataclass(slots=True)
class Filling:
    """One run of filling in a model's vectors.

    Attributes:
        refused: Memories that the model refused; they are skipped from then on.
    """

    target: Embedder
    pace: Pace
    progress: Callable[[int], object]
    refused: set[UUID] = field(default_factory=set)

    def run(self) -> int:
        """Go once through all memories without a vector of the model, and return how many got one.

        What is written stays; the next run continues there.

        Raises:
            Unavailable: If the server stays unavailable or refuses too many memories.
            Conflict: If a change to another model was started meanwhile.
        """
        done = 0
        for owner in list_owners_without_vectors(self.target.model):
            with acting_for(owner):
                done += self._fill(owner)
        return done

    def _fill(self, owner: UUID) -> int:
        done = 0
        for rows in self._batches(owner):
            begun = time.monotonic()
            count = self._embed(rows, owner)
            done += count
            note_progress(self.target.model, count)
            self.progress(count)
            self._keep_pace(len(rows), begun)
        return done

    def _batches(self, owner: UUID) -> Iterator[list[Memory]]:
        """Yield an owner's memories without a vector, each once, so that failing ones do not repeat."""
        last: UUID | None = None
        while True:
            missing = list_not_embedded(self.target.model, owner=owner)
            rows = list((missing if last is None else missing.filter(id__gt=last))[: self.pace.batch])
            if not rows:
                return
            last = rows[-1].pk
            wanted = [row for row in rows if row.pk not in self.refused]
            if wanted:
                yield wanted

    def _embed(self, rows: Sequence[Memory], owner: UUID) -> int:
        """Embed a batch. If the server refuses a text, embed the halves, down to the text that is refused."""
        try:
            return self._patiently(rows, owner)
        except ModelError as error:
            if not _is_of_the_text(error):
                raise _stopped(error.message) from error
        if len(rows) == 1:
            self.refused.add(rows[0].pk)
            if len(self.refused) > MOST_REFUSED:
                raise _stopped(f"the model refused {len(self.refused)} memories")
            return 0
        half = len(rows) // 2
        return self._embed(rows[:half], owner) + self._embed(rows[half:], owner)

    def _patiently(self, rows: Sequence[Memory], owner: UUID) -> int:
        for trial in range(TRIES):
            try:
                return embed_rows(rows, self.target, owner=owner)
            except TransientModelError:
                if trial == TRIES - 1:
                    raise
                time.sleep(min(MOST_PAUSE, FIRST_PAUSE * 2**trial))
        raise AssertionError("unreachable: the last try returns or raises")

    def _keep_pace(self, count: int, begun: float) -> None:
        if self.pace.rate > 0:
            time.sleep(max(0.0, count / self.pace.rate - (time.monotonic() - begun)))


def _is_of_the_text(error: ModelError) -> bool:
    detail = error.detail if isinstance(error.detail, dict) else {}
    return isinstance(error, BadAnswer) or detail.get("status") in _OF_THE_TEXT


def _stopped(reason: str) -> MemsiteError:
    return Unavailable(f"stopped: {reason}; nothing was switched, the same command goes on from here")
