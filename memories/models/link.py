from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memories.models.memory import Memory
from memsite.accounts.owned import OwnedPart, within_owner


class LinkKind(models.TextChoices):
    SUPERSEDES = "supersedes"
    DERIVED_FROM = "derived_from"
    DISPUTES = "disputes"
    RELATED = "related"


class MemoryLink(OwnedPart):
    """A link "memory —kind→ other" of one owner, such as from a successor to its predecessor."""

    memory = within_owner(Memory)
    other = within_owner(Memory)
    kind = models.CharField(max_length=16, choices=LinkKind.choices)
    reason = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(OwnedPart.Meta):
        constraints: ClassVar = [
            *OwnedPart.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "memory", "other", "kind"], name="memories_link_once"),
            models.CheckConstraint(
                condition=~models.Q(memory=models.F("other")), name="memories_link_not_to_itself"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["owner", "other"], name="memories_link_other")]

    def __str__(self) -> str:
        return f"{self.memory_id} {self.kind} {self.other_id}"


class MemorySource(OwnedPart):
    """A source of a memory: an opaque reference, such as `message:<uuid>`.

    Unique per (owner, reference, fingerprint): the same thing is learnt from the same message once,
    however often a job runs. `stated_at` is when the source said it; empty where that is not known.
    """

    memory = within_owner(Memory)
    reference = models.CharField(max_length=100)
    fingerprint = models.BinaryField(max_length=16)
    stated_at = models.DateTimeField(null=True, blank=True)

    class Meta(OwnedPart.Meta):
        constraints: ClassVar = [
            *OwnedPart.Meta.constraints,
            models.UniqueConstraint(
                fields=["owner", "reference", "fingerprint"], name="memories_source_learnt_once"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["owner", "memory"], name="memories_source_memory")]

    def __str__(self) -> str:
        return f"{self.memory_id} from {self.reference}"
