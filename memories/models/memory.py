"""The memory: one thing that happened, is known, or is how the user works."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from memories.text import RequirementTag
from memories.values import KINDS, AbstractionLevel, Layer, Lifespan, Opponent, Status, Writer
from memsite.accounts.owned import Owned

IS_ACTIVE = Q(retired_at=None, ended_at=None, forgotten_at=None)
IS_REQUIREMENT = Q(status=Status.ACTIVE, tags__overlap=list(RequirementTag))


def _between_0_and_1(field: str) -> Q:
    return Q(**{f"{field}__gte": 0.0, f"{field}__lte": 1.0})


def _kind_fits_layer() -> Q:
    fits = Q()
    for layer, kinds in KINDS.items():
        fits |= Q(layer=layer, kind__in=kinds)
    return fits


def _as_json(value: Any) -> Any:  # noqa: ANN401 - a field's value
    """Return times in full precision; Django's own encoder keeps only milliseconds."""
    return value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else value


class Memory(Owned):
    """One memory, with two time axes.

    [valid_from, valid_until) is when it was true in the world. [created_at, retired_at) is when we believed
    it; ended_at is when we learnt that it had ended. A row is active while it is neither retired, ended
    nor forgotten; its status is then `active`, `pending` or `disputed`. `content` never changes in place: an
    edit writes a successor.
    """

    layer = models.CharField(max_length=12, choices=[(name.value, name.value) for name in Layer])
    kind = models.CharField(max_length=16)
    category = models.CharField(max_length=64, blank=True, default="")
    content = models.TextField()
    tags = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    participants = ArrayField(models.CharField(max_length=120), default=list, blank=True)
    subject = models.CharField(max_length=255, blank=True, default="")
    predicate = models.CharField(max_length=64, blank=True, default="")
    object = models.CharField(max_length=255, blank=True, default="")
    single_valued = models.BooleanField(default=False)
    speaker = models.CharField(max_length=120, blank=True, default="")
    session = models.CharField(max_length=120, default="default")
    turn = models.IntegerField(default=0)
    occurred_at = models.DateTimeField(null=True, blank=True)
    #: When it was last said again, or a person last said that it is true: in a search, nothing that was said
    #: before makes it outdated. None if never.
    restated_at = models.DateTimeField(null=True, blank=True)
    importance = models.FloatField()
    base_importance = models.FloatField()
    confidence = models.FloatField(default=0.9)
    lifespan = models.CharField(max_length=12, choices=[(name.value, name.value) for name in Lifespan])
    status = models.CharField(max_length=12, choices=Status.choices(), default=Status.ACTIVE)
    pinned = models.BooleanField(default=False)
    sensitive = models.BooleanField(default=False)
    strength = models.FloatField(null=True, blank=True)
    abstraction_level = models.CharField(max_length=16, blank=True, default="")
    occurrence_count = models.PositiveIntegerField(default=1)
    access_count = models.PositiveIntegerField(default=0)
    last_accessed_at = models.DateTimeField(null=True, blank=True)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    retired_at = models.DateTimeField(null=True, blank=True)
    forgotten_at = models.DateTimeField(null=True, blank=True)
    forgotten_by = models.CharField(max_length=16, blank=True, default="")
    reflected_at = models.DateTimeField(null=True, blank=True)
    written_by = models.CharField(max_length=16, default=Writer.PROGRAM)
    metadata = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)
    fingerprint = models.BinaryField(max_length=16, editable=False)
    #: Hash of the content words in order (`memories.text.compute_wording_key`); empty for episodes.
    wording = models.BinaryField(max_length=16, default=bytes, editable=False)
    #: The slot of the triple, hashed (`memories.text.predicates.Slot.digest`); empty without a triple.
    slot = models.CharField(max_length=32, blank=True, default="", editable=False)
    #: The content's index terms, hashed (see `memories.text.analysis`).
    terms = models.BinaryField(default=bytes, editable=False)
    #: The number of content words, the kind of sentence (bits of `retrieval.cues.Cue`), and the hashed names.
    content_words = models.IntegerField(default=0, editable=False)
    cues = models.IntegerField(default=0, editable=False)
    entity_terms = models.BinaryField(default=bytes, editable=False)
    #: The owner's `Ledger.index_version` when this row last changed for searches.
    index_version = models.BigIntegerField(default=0, editable=False)

    #: Not columns: set by `queries.add_links` and `queries.attach_links`.
    source_references: list[str]
    superseded_ids: list[UUID]
    #: Not a column: set by `queries.load_memories`.
    opponents: tuple[Opponent, ...]
    #: Not a column: whether all sources of the memory are on abandoned branches (`ports.hidden`).
    on_left_branch: bool

    class Meta(Owned.Meta):
        verbose_name_plural = "memories"
        ordering: ClassVar = ["-created_at", "-id"]
        indexes: ClassVar = [
            models.Index(fields=["owner", "created_at", "id"], name="memories_memory_created"),
            models.Index(fields=["owner", "index_version", "id"], name="memories_memory_index"),
            models.Index(
                fields=["owner", "session", "turn"],
                condition=Q(layer=Layer.EPISODIC),
                name="memories_memory_turn",
            ),
            models.Index(
                fields=["owner", "subject", "predicate"],
                condition=~Q(subject=""),
                name="memories_memory_triple",
            ),
            models.Index(fields=["owner", "slot"], condition=~Q(slot=""), name="memories_memory_slot"),
            models.Index(
                fields=["owner", "wording"], condition=~Q(wording=b""), name="memories_memory_wording"
            ),
            models.Index(fields=["owner", "fingerprint"], condition=~IS_ACTIVE, name="memories_memory_gone"),
            models.Index(
                fields=["owner", "created_at", "id"],
                condition=Q(status__in=[Status.PENDING, Status.DISPUTED]),
                name="memories_memory_waiting",
            ),
            models.Index(
                fields=["owner", "created_at", "id"], condition=Q(pinned=True), name="memories_memory_pinned"
            ),
            models.Index(
                fields=["owner", "layer", "kind"],
                condition=IS_ACTIVE & ~Q(layer=Layer.EPISODIC),
                name="memories_memory_known",
            ),
            models.Index(fields=["owner"], condition=IS_REQUIREMENT, name="memories_memory_requires"),
            # Counting for a page reads this index alone, which is a sixth of the rows' size.
            models.Index(fields=["owner", "layer", "kind", "status"], name="memories_memory_counts"),
        ]
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(
                fields=["owner", "fingerprint"], condition=IS_ACTIVE, name="memories_memory_stands_once"
            ),
            models.CheckConstraint(condition=_kind_fits_layer(), name="memories_memory_kind"),
            models.CheckConstraint(
                condition=_between_0_and_1("importance")
                & _between_0_and_1("base_importance")
                & _between_0_and_1("confidence"),
                name="memories_memory_ranges",
            ),
            models.CheckConstraint(
                condition=Q(strength=None) | _between_0_and_1("strength"), name="memories_memory_strength"
            ),
            models.CheckConstraint(
                condition=Q(abstraction_level__in=list(AbstractionLevel)),
                name="memories_memory_abstraction",
            ),
            models.CheckConstraint(condition=Q(lifespan__in=list(Lifespan)), name="memories_memory_lifespan"),
            models.CheckConstraint(
                condition=Q(valid_from=None) | Q(valid_until=None) | Q(valid_from__lte=F("valid_until")),
                name="memories_memory_period",
            ),
            models.CheckConstraint(
                condition=Q(status=Status.FORGOTTEN, forgotten_at__isnull=False)
                | Q(status=Status.DEPRECATED, forgotten_at=None)
                & (Q(retired_at__isnull=False) | Q(ended_at__isnull=False))
                | Q(status__in=[Status.PENDING, Status.ACTIVE, Status.DISPUTED]) & IS_ACTIVE,
                name="memories_memory_status",
            ),
            models.CheckConstraint(condition=~Q(content=""), name="memories_memory_says_something"),
        ]

    def __str__(self) -> str:
        return self.content if len(self.content) <= 80 else self.content[:79] + "…"  # noqa: PLR2004 - a line of the admin

    @property
    def is_active(self) -> bool:
        """Whether the row is neither retired, nor ended, nor forgotten.

        Its status is then `active`, `pending` or `disputed`.
        """
        return self.retired_at is None and self.ended_at is None and self.forgotten_at is None

    def settled_status(self, otherwise: Status = Status.ACTIVE) -> Status:
        """Return the status that follows from the row's times, or `otherwise` if the row is active."""
        if self.forgotten_at is not None:
            return Status.FORGOTTEN
        return otherwise if self.retired_at is None and self.ended_at is None else Status.DEPRECATED

    @property
    def stated_at(self) -> datetime:
        """When it was first said, as far as is known."""
        return self.occurred_at or self.created_at

    @property
    def last_stated_at(self) -> datetime:
        """When it was last said, or a person last said that it is true, as far as is known."""
        return self.stated_at if self.restated_at is None else max(self.stated_at, self.restated_at)

    def snapshot(self, fields: tuple[str, ...]) -> dict[str, Any]:
        """Return the current values of the named fields, for an event's `before`."""
        return {field: _as_json(getattr(self, field)) for field in fields}
