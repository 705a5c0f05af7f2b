from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned, within_owner


class Offload(Owned):
    """The original content of a message whose content is replaced by a pointer."""

    message = within_owner("threads.Message")
    content = models.TextField()
    token_count = models.IntegerField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "message"], name="threads_offload_one_a_message"),
        ]

    def __str__(self) -> str:
        return f"content of {self.message_id}"


class ContextMetrics(Owned):
    """Statistics on keeping a thread's live tokens down, one row per thread.

    Attributes:
        compactions: Runs that offloaded something.
        offloaded: Number of messages offloaded, including tool results offloaded on append.
        restored: Number of messages restored.
        tokens_before: Live tokens of the current branch before the last compaction.
        tokens_after: Live tokens after it.
        tokens_saved: Tokens saved by all offloading, less those of restored content.
    """

    thread = within_owner("threads.Thread")
    compactions = models.IntegerField(default=0)
    offloaded = models.IntegerField(default=0)
    restored = models.IntegerField(default=0)
    tokens_before = models.BigIntegerField(default=0)
    tokens_after = models.BigIntegerField(default=0)
    tokens_saved = models.BigIntegerField(default=0)
    compacted_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        verbose_name_plural = "context metrics"
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "thread"], name="threads_contextmetrics_one_a_thread"),
        ]

    def __str__(self) -> str:
        return f"{self.tokens_saved} tokens saved in {self.thread_id}"
