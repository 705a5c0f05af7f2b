from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned


class Report(Owned):
    """One nightly report about an owner's memories. kind: `quality` or `conflicts`; score in [0, 100]."""

    kind = models.CharField(max_length=16)
    score = models.FloatField(null=True)
    body = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        constraints: ClassVar = [*Owned.Meta.constraints]
        indexes: ClassVar = [
            models.Index(fields=["owner", "kind", "created_at"], name="memories_report_latest")
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.created_at:%Y-%m-%d}"
