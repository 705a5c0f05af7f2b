"""Tables of model usage: what each owner used on each day, and the state of each model's server."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from memsite.values import TextEnum, new_id


class ModelPurpose(TextEnum):
    """The purpose of a call of a language model."""

    REPLY = "reply"
    LEARNING = "learning"
    SUMMARY = "summary"
    COMPARISON = "comparison"
    REFLECTION = "reflection"
    OTHER = ""


class ModelUsage(models.Model):
    """One owner's use of one model for one purpose on one day (UTC).

    Attributes:
        purpose: One of `ModelPurpose`; "" also for calls counted before purposes were.
        calls: All calls made, including failed ones; a call refused by budget or breaker was not made.
        cost: At the prices set when the calls were made, in the currency of the prices.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,  # the unique keys lead with it
        editable=False,
    )
    day = models.DateField()
    model = models.CharField(max_length=200)
    purpose = models.CharField(max_length=16, blank=True, default="")
    calls = models.PositiveIntegerField(default=0)
    failures = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(default=0)
    output_tokens = models.PositiveBigIntegerField(default=0)
    cost = models.DecimalField(max_digits=20, decimal_places=8, default=0)

    class Meta:
        verbose_name = "use of a model"
        verbose_name_plural = "use of models"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "id"], name="metering_modelusage_owner_id"),
            models.UniqueConstraint(
                fields=["owner", "day", "model", "purpose"], name="metering_modelusage_one_a_day"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.model}"


class Breaker(models.Model):
    """The breaker of one model's server, shared by all processes. Without a row, the server never failed.

    Attributes:
        failures: Failures in a row that may pass.
        open_until: No calls before this time; after it, one trial call.
        openings: How often it opened since the last answer; this determines how long it stays open.
    """

    model = models.CharField(max_length=200, primary_key=True)
    failures = models.PositiveIntegerField(default=0)
    openings = models.PositiveIntegerField(default=0)
    open_until = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(open_until__isnull=True, openings=0)
                | Q(open_until__isnull=False, openings__gte=1),
                name="metering_breaker_open_is_counted",
            )
        ]

    def __str__(self) -> str:
        return self.model
