"""The tables of models' use: what each owner used on each day, and how each model's server is doing."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from memsite.ids import new_id


class ModelUsage(models.Model):
    """What one owner used of one model on one day (UTC).

    calls: all that were made, failed ones too; a call refused by budget or breaker was not made.
    cost: at the prices set when the calls were made, in the prices' own currency.
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
            models.UniqueConstraint(fields=["owner", "day", "model"], name="metering_modelusage_one_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.model}"


class Breaker(models.Model):
    """How the server of one model is doing, as seen by all processes together. No row: it never failed.

    failures: passing failures in a row. open_until: no call before it; past it, one call tries. openings: how
    often it opened since the last answer, which says how long it stays so.
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
