from __future__ import annotations

from typing import ClassVar

from django.db import models

from memsite.accounts.owned import Owned


class Ledger(Owned):
    """One owner's counters. A writer updates them in its own transaction, so writers of one owner queue up.

    Attributes:
        index_version: Incremented by every change that searches must see; rows carry the version of their
            last change.
        index_epoch: Incremented when rows are deleted, so that caches are rebuilt.
        event_sequence: The number of the owner's last event.
    """

    index_version = models.BigIntegerField(default=0)
    index_epoch = models.BigIntegerField(default=0)
    event_sequence = models.BigIntegerField(default=0)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner"], name="memories_ledger_one_an_owner"),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id} at {self.index_version}"
