from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from pgvector.django import HalfVectorField

from memories.models.memory import Memory
from memsite.accounts.owned import OwnedPart, within_owner


class MemoryEmbedding(OwnedPart):
    """The vector of one memory by one embedding model. A memory may have vectors of several models.

    Attributes:
        vector: Of unit length, with the dimensions of the model.
        tokens: The model's token ids of the content, packed little-endian; empty if the model has none.
    """

    memory = within_owner(Memory)
    model = models.CharField(max_length=100)
    vector = HalfVectorField()
    tokens = models.BinaryField(default=bytes)

    class Meta(OwnedPart.Meta):
        constraints: ClassVar = [
            *OwnedPart.Meta.constraints,
            models.UniqueConstraint(
                fields=["owner", "memory", "model"], name="memories_embedding_once_a_model"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} by {self.model}"


class SentenceVector(OwnedPart):
    """The vector of one memory by the bundled sentence model. It is stored beside the token vectors.

    Attributes:
        model: The model and version of its weights.
        version: The owner's index version at which searches see it.
        vector: One signed byte for each dimension. Only its direction counts.
    """

    memory = within_owner(Memory)
    model = models.CharField(max_length=100)
    version = models.BigIntegerField()
    vector = models.BinaryField()

    class Meta(OwnedPart.Meta):
        constraints: ClassVar = [
            *OwnedPart.Meta.constraints,
            models.UniqueConstraint(
                fields=["owner", "memory", "model"], name="memories_sentence_once_a_model"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["owner", "version"], name="memories_sentence_version")]

    def __str__(self) -> str:
        return f"{self.memory_id} by {self.model}"


class EmbeddingSwitch(models.Model):
    """The embedding model that the site searches by, and the next one: one row, without an owner.

    No row until the first memory is embedded: till then the settings decide. Models are named as
    `MemoryEmbedding.model` names them.
    active: what searches and writers use; dimensions: the length of its vectors.
    target: what is being filled in beside it, or empty. former: what a rollback goes back to, or empty.
    generation: moved by every switch, so that caches start afresh.
    total, done: memories the current fill began with, and embedded since; error: why it last stopped.
    """

    id = models.SmallIntegerField(primary_key=True, default=1, editable=False)
    active = models.CharField(max_length=100)
    dimensions = models.PositiveIntegerField()
    target = models.CharField(max_length=100, blank=True, default="")
    former = models.CharField(max_length=100, blank=True, default="")
    generation = models.BigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    done = models.PositiveBigIntegerField(default=0)
    error = models.TextField(blank=True, default="")
    started_at = models.DateTimeField(null=True)
    switched_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(id=1), name="memories_embeddingswitch_one_row"),
            models.CheckConstraint(
                condition=~Q(active="") & ~Q(target=models.F("active")), name="memories_embeddingswitch_apart"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.active} → {self.target}" if self.target else self.active
