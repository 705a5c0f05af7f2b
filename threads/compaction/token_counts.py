"""Count the live tokens of a branch, and what keeping a thread small saved.

A branch stores a running total, so that tokens are not added up after every message. It is never too low:
appended tokens are added, removed ones are subtracted only when the total is measured again, and restored
content makes it unknown (None).
"""

from __future__ import annotations

from uuid import UUID

from django.db.models import F, Sum
from django.utils import timezone

from threads.models import Branch, ContextMetrics, Thread, ThreadSummary
from threads.storage import Path, list_messages, load_path


def sum_live_tokens(path: Path, *, owner: UUID) -> int:
    """Return the sum of the token counts of all messages on a path. One query."""
    return list_messages(path, owner=owner).aggregate(tokens=Sum("token_count"))["tokens"] or 0


def recount_live_tokens(branch: Branch) -> int:
    """Add up the tokens of a branch's path and store the sum. 3 queries at most."""
    branch.live_tokens = sum_live_tokens(load_path(branch), owner=branch.owner_id)
    branch.save(update_fields=["live_tokens"])
    return branch.live_tokens


def add_to_total(branch: Branch, tokens: int) -> int | None:
    """Return the running total plus `tokens`; None if the total is unknown."""
    return None if branch.live_tokens is None else branch.live_tokens + tokens


def forget_totals(thread_id: UUID, *, owner: UUID) -> None:
    """Reset the totals of all branches of a thread, so that they are measured again."""
    Branch.objects.filter(owner_id=owner, thread_id=thread_id).update(live_tokens=None)


def forget_compactions(thread_id: UUID, *, owner: UUID) -> None:
    """Reset the totals and the results of compactions, after messages were deleted.

    A branch that a compaction could not make smaller is smaller now.
    """
    Branch.objects.filter(owner_id=owner, thread_id=thread_id).update(live_tokens=None, compacted_to=None)


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
