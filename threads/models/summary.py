from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned, within_owner


class ThreadSummary(Owned):
    """A summary of a path up to `last_message`. A head uses the nearest one among its ancestors.

    Attributes:
        structured: See `summarization.structured`.
        source: Who wrote the content: `llm` or `fallback` (rules).
        error: Why a model did not answer the last time it was asked; empty otherwise.
        failures: Number of consecutive failures.
        retry_at: When the model is asked again; set while there is an error.
        waiting: Number of later messages that the remark at the end of the content mentions; 0 for no remark.
        is_provisional: Rules wrote it because a model failed, and a model will replace it.
        is_stale: A message that it covers was deleted.
        undone_at: When a person undid it.
    """

    thread = within_owner("threads.Thread")
    last_message = within_owner("threads.Message")
    content = models.TextField()
    structured = models.JSONField(default=dict, blank=True)
    token_count = models.IntegerField(default=0)
    source = models.CharField(max_length=16, blank=True, default="")
    error = models.CharField(max_length=500, blank=True, default="")
    failures = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField(null=True)
    waiting = models.IntegerField(default=0)
    is_provisional = models.BooleanField(default=False)
    is_stale = models.BooleanField(default=False)
    undone_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        verbose_name_plural = "thread summaries"
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(
                fields=["owner", "thread", "last_message"], name="threads_summary_one_a_message"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["owner", "retry_at"],
                condition=models.Q(retry_at__isnull=False),
                name="threads_summary_retry",
            ),
        ]

    def __str__(self) -> str:
        return f"summary through {self.last_message_id}"
