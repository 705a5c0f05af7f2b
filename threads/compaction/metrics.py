"""Count what keeping a thread small achieved."""

from __future__ import annotations

from uuid import UUID

from django.db.models import F
from django.utils import timezone

from threads.models import ContextMetrics, Thread, ThreadSummary


def add_to_metrics(
    thread: Thread,
    *,
    compactions: int = 0,
    offloaded: int = 0,
    restored: int = 0,
    tokens_saved: int = 0,
    around: tuple[int, int] | None = None,
) -> None:
    """Add to a thread's metrics, in the transaction of what is counted.

    One statement, three the first time.

    Args:
        around: Live tokens before and after a compaction.
    """
    changes = {
        "compactions": F("compactions") + compactions,
        "offloaded": F("offloaded") + offloaded,
        "restored": F("restored") + restored,
        "tokens_saved": F("tokens_saved") + tokens_saved,
    }
    times = {}
    if around is not None:
        times = {"tokens_before": around[0], "tokens_after": around[1], "compacted_at": timezone.now()}
    own = ContextMetrics.objects.filter(owner_id=thread.owner_id, thread_id=thread.pk)
    if not own.update(**changes, **times):
        ContextMetrics.objects.bulk_create(
            [ContextMetrics(owner_id=thread.owner_id, thread_id=thread.pk)], ignore_conflicts=True
        )
        own.update(**changes, **times)


def load_metrics(thread_id: UUID, *, owner: UUID) -> ContextMetrics:
    """Return a thread's metrics; all are 0 if nothing was done."""
    row = ContextMetrics.objects.filter(owner_id=owner, thread_id=thread_id).first()
    return row or ContextMetrics(owner_id=owner, thread_id=thread_id)


def count_summarisations(thread_id: UUID, *, owner: UUID) -> int:
    """Return how many summaries of a thread were written, each up to another message."""
    return ThreadSummary.objects.filter(owner_id=owner, thread_id=thread_id).count()
