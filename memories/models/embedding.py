from __future__ import annotations

from typing import ClassVar

from django.db import models
from pgvector.django import HalfVectorField

from memories.models.memory import Memory
from memsite.accounts.owned import Owned, within_owner


class MemoryEmbedding(Owned):
    """One memory as one embedding model sees it. Several models may stand beside each other.

    vector: unit length, in the model's own dimensions; tokens: the model's token ids of the
    content, packed little-endian, empty when the model has none to show.
    """

    memory = within_owner(Memory)
    model = models.CharField(max_length=100)
    vector = HalfVectorField()
    tokens = models.BinaryField(default=bytes)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(
                fields=["owner", "memory", "model"], name="memories_embedding_once_a_model"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} by {self.model}"
