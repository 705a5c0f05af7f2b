from __future__ import annotations

from typing import ClassVar

from django.db import models

from memsite.accounts.owned import Owned


class Ledger(Owned):
    """One owner's counters. A writer moves them in its own transaction and so queues behind others.

    index_version: moved by every change the search must see; rows carry the version they changed at.
    index_epoch: moved when rows vanish for good, so that caches start afresh.
    event_sequence: the number of the owner's last event.
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
