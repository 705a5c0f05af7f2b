"""The graph: an index derived from memories, rebuildable from them at any time."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memories.models.memory import Memory
from memories.text import LONGEST_PREDICATE, SAME
from memsite.accounts.owned import Owned, within_owner


class Entity(Owned):
    """Someone or something that memories speak of. key: `naming.keys.name_key`, unique per owner.

    Two keys are one entity only while a memory says so: a `Relation` of predicate `SAME`.
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


class Relation(Owned):
    """subject —predicate→ object, as one memory states it; its times are the memory's."""

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
            models.Index(fields=["owner", "subject"], name="memories_relation_subject"),
            models.Index(fields=["owner", "object"], name="memories_relation_object"),
            models.Index(
                fields=["owner", "memory"],
                condition=models.Q(predicate=SAME),
                name="memories_relation_same",
            ),
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
        indexes: ClassVar = [
            # With the memory, so that the newest few of an entity that many memories speak of cost few rows.
            models.Index(fields=["owner", "entity", "memory"], name="memories_mention_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} mentions {self.entity_id}"


class GraphRebuild(Owned):
    """How far a rebuild of an owner's graph has come.

    through: the last memory done, None before the first; rules: `graph_index.RULES` it was read by;
    finished: whether all memories are done.
    """

    through = models.UUIDField(null=True, blank=True)
    rules = models.IntegerField()
    finished = models.BooleanField(default=False)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner"], name="memories_graphrebuild_one_an_owner"),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id}: {'finished' if self.finished else f'through {self.through}'}"
