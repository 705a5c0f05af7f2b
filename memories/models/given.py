from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned


class GivenMessages(Owned):
    """Messages that a program gave to learn from, without a thread, and the results.

    Attributes:
        messages: [{"role", "content", "speaker", "at"}], after the gate; empty once they are learnt from.
        source: `llm` or `fallback`.
        error: Why the model did not answer.
        outcomes: [{"action", "memory_id", "reason"}].
    """

    actor = models.CharField(max_length=64)
    messages = models.JSONField(default=list, blank=True)
    source = models.CharField(max_length=8, blank=True, default="")
    error = models.CharField(max_length=500, blank=True, default="")
    outcomes = models.JSONField(default=list)
    batch_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta(Owned.Meta):
        verbose_name_plural = "given messages"
        constraints: ClassVar = [*Owned.Meta.constraints]
        indexes: ClassVar = [models.Index(fields=["owner", "created_at"], name="memories_given_created")]

    def __str__(self) -> str:
        return f"messages given on {self.created_at:%Y-%m-%d}"
