from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned


class Renormalisation(Owned):
    """The progress of deriving an owner's stored memories again by newer normalisation rules.

    Memories written since then follow the current rules anyway.

    Attributes:
        through: The last memory processed, or None before the first.
        rules: The `normalisation.RULES` of the run.
        finished: Whether all memories are processed.
    """

    through = models.UUIDField(null=True, blank=True)
    rules = models.IntegerField()
    finished = models.BooleanField(default=False)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner"], name="memories_renormalisation_one_an_owner"),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id}: {'finished' if self.finished else f'through {self.through}'}"
