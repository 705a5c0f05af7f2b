from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned


class Renormalisation(Owned):
    """How far an owner's stored memories were derived anew by rules of normalising.

    through: the last memory done, None before the first; rules: `normalisation.RULES`; finished: whether all
    memories are done. Memories written since are of the present rules anyway.
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
