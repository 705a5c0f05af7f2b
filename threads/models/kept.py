from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned


class Kept(Owned):
    """A memory that the person kept although its branch was abandoned. No foreign key, as in Citation."""

    memory_id = models.UUIDField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        verbose_name_plural = "kept memories"
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "memory_id"], name="threads_kept_once"),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} kept"
