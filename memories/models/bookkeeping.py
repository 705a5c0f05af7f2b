"""Tables about all memories of an owner: counters, accesses, erased texts, rows derived by newer rules."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memories.models.memory import Memory
from memsite.accounts.owned import Owned, OwnedPart, within_owner


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


class MemoryAccess(OwnedPart):
    """One access to a memory, a citation or a person opening it, that is not counted yet."""

    memory = within_owner(Memory)
    at = models.DateTimeField(default=timezone.now)

    class Meta(OwnedPart.Meta):
        verbose_name_plural = "memory accesses"

    def __str__(self) -> str:
        return f"{self.memory_id} at {self.at:%Y-%m-%d %H:%M}"


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


class Rederivation(Owned):
    """The progress of deriving rows of an owner's stored memories again by newer rules.

    Attributes:
        through: The last memory processed, or None before the first.
        rules: The version of the rules of the run.
        finished: Whether all memories are processed.
    """

    through = models.UUIDField(null=True, blank=True)
    rules = models.IntegerField()
    finished = models.BooleanField(default=False)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        abstract = True
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner"], name="%(app_label)s_%(class)s_one_an_owner"),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id}: {'finished' if self.finished else f'through {self.through}'}"


class Renormalisation(Rederivation):
    """The progress of normalising again, by `normalisation.RULES`.

    Memories written since then follow the current rules anyway.
    """


class GraphRebuild(Rederivation):
    """The progress of building an owner's graph again, by `graph_index.RULES`."""
