"""The graph: an index that is derived from memories and can be rebuilt from them at any time."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memories.models.memory import Memory
from memories.text import LONGEST_PREDICATE, SAME
from memsite.accounts.owned import Owned, OwnedPart, within_owner


class Entity(Owned):
    """Someone or something that memories mention.

    Two keys are one entity only while a memory says so, by a `Relation` with the predicate `SAME`.

    Attributes:
        key: `naming.keys.make_name_key` of the name; unique per owner.
    """

    name = models.CharField(max_length=255)
    key = models.CharField(max_length=255)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta(Owned.Meta):
        verbose_name_plural = "entities"
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "key"], name="memories_entity_key_unique"),
        ]

    def __str__(self) -> str:
        return self.name


class Relation(OwnedPart):
    """A relation "subject —predicate→ object" that one memory states. Its times are those of the memory."""

    memory = within_owner(Memory)
    subject = within_owner(Entity)
    predicate = models.CharField(max_length=LONGEST_PREDICATE)
    object = within_owner(Entity)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(
                fields=["owner", "memory", "subject", "predicate", "object"], name="memories_relation_once"
            ),
        ]
        indexes: ClassVar = [
            # With the memory, the newest relations of an entity are read without all the others.
            models.Index(fields=["owner", "subject", "memory"], name="memories_relation_by_subject"),
            models.Index(fields=["owner", "object", "memory"], name="memories_relation_by_object"),
            models.Index(
                fields=["owner", "memory"],
                condition=models.Q(predicate=SAME),
                name="memories_relation_same",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject_id} {self.predicate} {self.object_id}"


class Mention(OwnedPart):
    """A mention of an entity by a memory."""

    memory = within_owner(Memory)
    entity = within_owner(Entity)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "memory", "entity"], name="memories_mention_once"),
        ]
        indexes: ClassVar = [
            # Includes the memory, so that reading the newest few of an entity with many memories costs few
            # rows.
            models.Index(fields=["owner", "entity", "memory"], name="memories_mention_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} mentions {self.entity_id}"
