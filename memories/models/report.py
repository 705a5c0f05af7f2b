from __future__ import annotations

from datetime import UTC, date, datetime
from typing import ClassVar, Final

from django.db import models
from django.db.models import Q
from django.utils import timezone

from memsite.accounts.owned import Owned
from memsite.ids import new_id

QUALITY: Final = "quality"
CONFLICTS: Final = "conflicts"
REPORT_KINDS: Final = (QUALITY, CONFLICTS)


def today() -> date:
    """The day it is in UTC, which is what reports go by."""
    return datetime.now(UTC).date()


class Report(Owned):
    """One report about an owner's memories: a kind and a day have one, made again it is replaced.

    kind: `quality` or `conflicts`; score in [0, 100], null for conflicts. body: counts, and the ids of the
    memories it is about; never a text, so that erasing a memory reaches its reports.
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
            models.CheckConstraint(condition=Q(kind__in=REPORT_KINDS), name="memories_report_kind"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["owner", "kind", "created_at"], name="memories_report_latest")
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.day}"


class SiteReport(models.Model):
    """What all owners' reports of a day come to: counts and means, for those who run the site.

    It belongs to nobody, names nobody and holds no id. score: the mean of the owners' in [0, 100].
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    day = models.DateField(unique=True, default=today)
    score = models.FloatField(null=True)
    body = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["-day"]

    def __str__(self) -> str:
        return f"the site on {self.day}"
