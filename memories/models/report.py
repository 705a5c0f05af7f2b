from __future__ import annotations

from datetime import UTC, date, datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from memsite.accounts.owned import Owned
from memsite.values import TextEnum, new_id


class ReportKind(TextEnum):
    """The subject of a report."""

    QUALITY = "quality"
    CONFLICTS = "conflicts"


def today() -> date:
    """Return the current day in UTC, by which reports are dated."""
    return datetime.now(UTC).date()


class Report(Owned):
    """One report about an owner's memories. A later report of the same kind and day replaces it.

    Attributes:
        score: From 0 to 100; null for conflicts.
        body: Counts and the ids of memories, never a text, so that erased memories leave no text in
            a report.
    """

    kind = models.CharField(max_length=16)
    day = models.DateField(default=today)
    score = models.FloatField(null=True)
    body = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "kind", "day"], name="memories_report_once_a_day"),
            models.CheckConstraint(condition=Q(kind__in=list(ReportKind)), name="memories_report_kind"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["owner", "kind", "created_at"], name="memories_report_latest")
        ]

    def __str__(self) -> str:
        return gettext("report of %(day)s") % {"day": self.day}


class SiteReport(models.Model):
    """Counts and means of all owners' reports of a day, for the staff.

    It has no owner, names none and holds no id. `score` is the mean of the owners' scores, from 0 to 100.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    day = models.DateField(unique=True, default=today)
    score = models.FloatField(null=True)
    body = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["-day"]

    def __str__(self) -> str:
        return gettext("the site on %(day)s") % {"day": self.day}
