from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned, within_owner
from memsite.values import TextEnum


class CitationRole(TextEnum):
    """What a memory was in a context.

    Attributes:
        RECALLED: The input was found to ask for it.
        RESPECTED: A requirement: it applies whatever the input resembles.
    """

    RECALLED = "recalled"
    RESPECTED = "respected"


class Citation(Owned):
    """A memory that was part of a context.

    `memory_id` is no foreign key, so that memories can be deleted in sets.

    Attributes:
        context_id: Id of the assembled context.
        score: Value that ordered the memories: relevance plus priors, which may exceed 1; 0 for a
            requirement.
        relevance: In [0, 1]; None for a requirement, and for citations that older versions stored.
        why: Why it was recalled, or why the requirement applies.
        useful: The person's rating, if any.
    """

    thread = within_owner("threads.Thread")
    message = within_owner("threads.Message", null=True)
    context_id = models.UUIDField()
    memory_id = models.UUIDField()
    score = models.FloatField()
    relevance = models.FloatField(null=True)
    role = models.CharField(
        max_length=12,
        choices=CitationRole.choices(),
        default=CitationRole.RECALLED,
        db_default=CitationRole.RECALLED.value,
    )
    why = models.CharField(max_length=255, blank=True, default="")
    useful = models.BooleanField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(
                fields=["owner", "context_id", "memory_id"], name="threads_citation_once_a_context"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["owner", "memory_id"], name="threads_citation_memory"),
            models.Index(fields=["owner", "thread"], name="threads_citation_thread"),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} in {self.context_id}"


class Kept(Owned):
    """A memory that the person kept although its branch was abandoned. No foreign key, as in Citation."""

    memory_id = models.UUIDField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        verbose_name_plural = "kept memories"
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "memory_id"], name="threads_kept_once"),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} kept"
