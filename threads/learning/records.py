"""Store what learning did, without the text of the messages."""

from __future__ import annotations

from collections.abc import Sequence

from memories.values import Candidate
from memories.writing import Written
from memsite.errors import Conflict
from threads.models import Learning

ACTOR = "learning"
_ERROR_CHARACTERS = 500


class MovedMeanwhile(Conflict):
    """A message was deleted, marked or learnt from by another job while its batch was prepared."""


def keep(record: Learning, candidates: Sequence[Candidate], written: Written | None) -> None:
    """Store the record with one outcome per candidate, in the transaction that writes the memories."""
    if written is not None:
        record.batch_id = written.batch_id
        record.outcomes = [
            {
                "sources": list(candidate.sources),
                "action": outcome.action,
                "memory_id": str(outcome.memory.pk) if outcome.memory is not None else None,
                "reason": outcome.reason,
            }
            for candidate, outcome in zip(candidates, written.outcomes, strict=True)
        ]
    record.error = record.error[:_ERROR_CHARACTERS]
    record.save(force_insert=True)
