"""The graph: an index derived from memories, rebuildable from them at any time."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from memories.models.memory import Memory
from memsite.accounts.owned import Owned, within_owner


class Entity(Owned):
    """Someone or something that memories speak of. key: the normalised name, unique per owner."""

    name = models.CharField(max_length=255)
    key = models.CharField(max_length=255)
    aliases = ArrayField(models.CharField(max_length=255), default=list, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta(Owned.Meta):
        verbose_name_plural = "entities"
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "key"], name="memories_entity_key_unique"),
        ]

    def __str__(self) -> str:
        return self.name


class Relation(Owned):
    """subject —predicate→ object, as one memory states it."""

    memory = within_owner(Memory)
    subject = within_owner(Entity)
    predicate = models.CharField(max_length=64)
    object = within_owner(Entity)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "memory"], name="memories_relation_one_a_memory"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["owner", "subject"], name="memories_relation_subject"),
            models.Index(fields=["owner", "object"], name="memories_relation_object"),
        ]

    def __str__(self) -> str:
        return f"{self.subject_id} {self.predicate} {self.object_id}"


class Mention(Owned):
    """A memory speaks of an entity."""

    memory = within_owner(Memory)
    entity = within_owner(Entity)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "memory", "entity"], name="memories_mention_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["owner", "entity"], name="memories_mention_entity")]

    def __str__(self) -> str:
        return f"{self.memory_id} mentions {self.entity_id}"
