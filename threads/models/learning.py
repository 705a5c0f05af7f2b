from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned, within_owner


class Learning(Owned):
    """One finished batch of learning from a thread's messages: its outcomes, without the text.

    Attributes:
        source: `llm` or `fallback` (rules); empty if messages only became episodes and wait for a model.
        error: Why the model did not answer; empty if it did or was not asked.
        messages: How many messages became episodes, or were read.
        invalid: How many items of the model's answer were rejected.
        outcomes: [{"sources", "action", "memory_id", "reason"}], one for each candidate, in order.
    """

    thread = within_owner("threads.Thread")
    source = models.CharField(max_length=16, blank=True)
    error = models.CharField(max_length=500, blank=True, default="")
    messages = models.IntegerField()
    invalid = models.IntegerField(default=0)
    outcomes = models.JSONField(default=list)
    batch_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        constraints: ClassVar = [*Owned.Meta.constraints]
        indexes: ClassVar = [models.Index(fields=["owner", "thread", "id"], name="threads_learning_thread")]

    def __str__(self) -> str:
        return f"{self.messages} messages of {self.thread_id} by {self.source}"
