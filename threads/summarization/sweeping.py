"""Queue summaries that are due but not written, wait for a model that failed, or are stale."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from memsite.serving.postgres import across_owners
from threads.conf import OWED_WITHIN, SUMMARY
from threads.models import Branch, ThreadSummary
from threads.storage import find_nearest_summary, load_path, queue_refresh, queue_summary
from threads.summarization.due import BY_MESSAGES, BY_TOKENS


@across_owners()
def queue_owed_summaries(most: int) -> int:
    """Queue missing summaries, at most `most` of each kind. Return how many.

    Across owners: for the schedule only.
    """
    return _queue_due(most) + _queue_stale(most) + _queue_failed(most)


def _queue_due(most: int) -> int:
    """Queue summaries whose job was lost. Conversations that ended long ago, as imported ones, need none.

    Each would be read by a model. A new message in one of them queues its summary.
    """
    many = Q(head__unsummarised__gte=SUMMARY.messages) & ~Q(thread__settings__contains={BY_MESSAGES: False})
    long = Q(head__unsummarised_tokens__gte=SUMMARY.tokens) & ~Q(
        thread__settings__contains={BY_TOKENS: False}
    )
    rows = Branch.objects.filter(many | long, thread__is_temporary=False)
    rows = rows.filter(head__created_at__gte=timezone.now() - OWED_WITHIN).order_by("-head__id")
    due = list(rows.values_list("thread_id", "pk", "owner_id")[:most])
    for thread_id, branch_id, owner in due:
        queue_summary(thread_id, branch_id, owner=owner)
    return len(due)


def _queue_stale(most: int) -> int:
    rows = ThreadSummary.objects.filter(is_stale=True, thread__is_temporary=False)
    stale = list(rows.order_by().values_list("owner_id", "thread_id").distinct()[:most])
    for owner, thread_id in stale:
        queue_refresh(thread_id, owner=owner)
    return len(stale)


def _queue_failed(most: int) -> int:
    """Queue summaries whose model failed, on each branch that uses one.

    A summary that no branch uses is not retried: a new message after it makes its branch due.
    """
    rows = ThreadSummary.objects.filter(retry_at__lte=timezone.now(), thread__is_temporary=False)
    failed = {row.pk: row for row in rows.filter(is_stale=False, undone_at=None).order_by("retry_at")[:most]}
    used: set[UUID] = set()
    for branch in Branch.objects.filter(thread_id__in={row.thread_id for row in failed.values()}):
        row = find_nearest_summary(load_path(branch), owner=branch.owner_id)
        if row is not None and row.pk in failed:
            used.add(row.pk)
            queue_summary(branch.thread_id, branch.pk, owner=branch.owner_id)
    ThreadSummary.objects.filter(pk__in=failed.keys() - used).update(retry_at=None)
    return len(used)
