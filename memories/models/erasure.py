from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned


class Erasure(Owned):
    """A keyed hash of an erased memory's fingerprint, or of (source, fingerprint). It prevents its return."""

    digest = models.BinaryField(max_length=32)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "digest"], name="memories_erasure_once"),
        ]

    def __str__(self) -> str:
        return f"erased at {self.created_at:%Y-%m-%d %H:%M}"
