"""The record of a run: its requests and results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from memories.gate import redact_text
from memories.maintenance.reflection.conf import KEPT
from memories.maintenance.reflection.proposals.proposals import ACTOR, ReflectionKind, ReflectionRequest
from memories.models import Reflection
from memories.values import Action, Layer
from memsite.llm.chat import AnswerSource
from memsite.values import new_id


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of one transaction.

    Attributes:
        outcomes: (action, memory_id, reason), in order.
    """

    source: AnswerSource
    error: str
    outcomes: Sequence[tuple[Action, UUID | None, str]] = ()
    batch_id: UUID | None = None
    looked_at: int = 0
    proposed: int = 0
    refused: int = 0
    retired: int = 0


_WRITES = frozenset(
    {
        Action.CREATED,
        Action.STRENGTHENED,
        Action.RESTORED,
        Action.MERGED,
        Action.SUPERSEDED,
        Action.DISPUTED,
        Action.PENDING,
    }
)


def make_row(
    request: ReflectionRequest, *, owner: UUID, run: UUID | None = None, actor: str = ACTOR
) -> Reflection:
    """Build a row without storing it. The query contains the user's words and is redacted."""
    return Reflection(
        owner_id=owner, run=run or new_id(), kind=request.kind, actor=actor, request=_as_json(request)
    )


def parse_request(row: Reflection) -> ReflectionRequest:
    """Return the request of a row."""
    request = row.request
    return ReflectionRequest(
        kind=ReflectionKind(row.kind),
        ids=tuple(UUID(text) for text in request.get("ids", ())),
        layer=Layer(request["layer"]) if request.get("layer") else None,
        source=request.get("source", "all"),
        topic_query=request.get("topic_query", ""),
    )


def finish_row(row: Reflection, done: RunResult) -> None:
    """Store the row as finished, in the caller's transaction.

    The request is deleted. Rows of the same kind that are 90 days old are deleted too.
    """
    row.request = {}
    row.source, row.error, row.batch_id = done.source, done.error, done.batch_id
    row.outcomes = [
        {"action": action, "memory_id": None if memory_id is None else str(memory_id), "reason": reason}
        for action, memory_id, reason in done.outcomes
    ]
    row.counts = {
        "looked_at": done.looked_at,
        "proposed": done.proposed,
        "written": sum(1 for action, _, _ in done.outcomes if action in _WRITES),
        "refused": done.refused + sum(1 for action, _, _ in done.outcomes if action == Action.REFUSED),
        "retired": done.retired,
    }
    row.finished_at = timezone.now()
    row.save()
    old = row.finished_at - KEPT
    Reflection.objects.filter(owner_id=row.owner_id, kind=row.kind, finished_at__lt=old).delete()


def list_rows(run: UUID, *, owner: UUID) -> list[Reflection]:
    """Return the rows of a run, oldest first."""
    return list(Reflection.objects.filter(owner_id=owner, run=run).order_by("id"))


def add_rows(rows: Iterable[Reflection], *, owner: UUID) -> None:
    """Store requests, to be finished later."""
    Reflection.objects.bulk_create([row for row in rows if row.owner_id == owner])


def list_runs(*, owner: UUID) -> QuerySet[Reflection]:
    """Return all parts of all runs, unordered."""
    return Reflection.objects.filter(owner_id=owner)


def _as_json(request: ReflectionRequest) -> dict[str, Any]:
    return {
        "ids": [str(memory_id) for memory_id in request.ids],
        "layer": request.layer or "",
        "source": request.source,
        "topic_query": redact_text(request.topic_query).text,
    }
