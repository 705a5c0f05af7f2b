from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned


class Reflection(Owned):
    """One run of one kind of reflection. A request for several has one row for each, with one `run`.

    It holds only ids, numbers and texts of ours. What was written is in the memories.

    Attributes:
        request: What was requested, after the gate, until the run is finished: ids, layer, source,
            topic_query.
        source: `llm` or `fallback`.
        error: Why the model did not answer, or why nothing was done.
        counts: looked_at, proposed, written, refused, retired.
        outcomes: The action, memory_id and reason of each.
    """

    run = models.UUIDField()
    kind = models.CharField(max_length=16)
    actor = models.CharField(max_length=64)
    request = models.JSONField(default=dict, blank=True)
    source = models.CharField(max_length=8, blank=True, default="")
    error = models.TextField(blank=True, default="")
    counts = models.JSONField(default=dict)
    outcomes = models.JSONField(default=list)
    batch_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta(Owned.Meta):
        constraints: ClassVar = [*Owned.Meta.constraints]
        indexes: ClassVar = [
            models.Index(fields=["owner", "run"], name="memories_reflection_run"),
            models.Index(fields=["owner", "kind", "finished_at"], name="memories_reflection_latest"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.created_at:%Y-%m-%d}"
