from __future__ import annotations

from typing import ClassVar

from django.db import models

from memories.models.memory import Memory
from memsite.accounts.owned import Owned, within_owner


class MemorySource(Owned):
    """Where a memory comes from: an opaque reference, such as `message:<uuid>`.

    Unique per (owner, reference, fingerprint): the same thing is learnt from the same message once,
    however often a job runs.
    """

    memory = within_owner(Memory)
    reference = models.CharField(max_length=100)
    fingerprint = models.BinaryField(max_length=16)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(
                fields=["owner", "reference", "fingerprint"], name="memories_source_learnt_once"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["owner", "memory"], name="memories_source_memory")]

    def __str__(self) -> str:
        return f"{self.memory_id} from {self.reference}"
