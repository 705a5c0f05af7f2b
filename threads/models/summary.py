from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned, within_owner


class ThreadSummary(Owned):
    """What a path said up to `last_message`; a head uses the nearest one among its ancestors."""

    thread = within_owner("threads.Thread")
    last_message = within_owner("threads.Message")
    content = models.TextField()
    structured = models.JSONField(default=dict, blank=True)
    token_count = models.IntegerField(default=0)
    is_stale = models.BooleanField(default=False)
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

    def __str__(self) -> str:
        return f"summary through {self.last_message_id}"
