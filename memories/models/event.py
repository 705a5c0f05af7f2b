from __future__ import annotations

from typing import ClassVar

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned


class EventType(models.TextChoices):
    CREATED = "memory.created"
    UPDATED = "memory.updated"
    DELETED = "memory.deleted"
    FORGOTTEN = "memory.forgotten"
    RESTORED = "memory.restored"
    DISPUTED = "memory.disputed"


class Event(Owned):
    """One change, in the owner's commit order. Append-only. The events of one batch are undone together.

    Attributes:
        before: The previous values of the changed fields, or null for a creation. It never holds `content`,
            which does not change in place.
    """

    sequence = models.BigIntegerField()
    type = models.CharField(max_length=32)
    memory_id = models.UUIDField(null=True)
    batch_id = models.UUIDField()
    actor = models.CharField(max_length=64)
    reason = models.CharField(max_length=64, blank=True, default="")
    before = models.JSONField(null=True, encoder=DjangoJSONEncoder)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        ordering: ClassVar = ["sequence"]
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "sequence"], name="memories_event_sequence"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["owner", "memory_id"], name="memories_event_memory"),
            models.Index(fields=["owner", "batch_id"], name="memories_event_batch"),
        ]

    def __str__(self) -> str:
        return f"{self.sequence} {self.type}"
