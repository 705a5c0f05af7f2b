from __future__ import annotations

from django.db import models
from django.utils import timezone

from memories.models.memory import Memory
from memsite.accounts.owned import OwnedPart, within_owner


class MemoryAccess(OwnedPart):
    """One access to a memory, a citation or a person opening it, that is not counted yet."""

    memory = within_owner(Memory)
    at = models.DateTimeField(default=timezone.now)

    class Meta(OwnedPart.Meta):
        verbose_name_plural = "memory accesses"

    def __str__(self) -> str:
        return f"{self.memory_id} at {self.at:%Y-%m-%d %H:%M}"
