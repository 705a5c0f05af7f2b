"""The table of the rate limit."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class RequestCount(models.Model):
    """Number of requests of one caller in the current window of the rate limit.

    The table is unlogged, so a count does not wait for the disk; a crash may lose the counts, which does no
    harm.
    """

    id = models.BigAutoField(primary_key=True)
    caller = models.CharField(max_length=80)
    window = models.BigIntegerField()
    requests = models.IntegerField(default=1)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["caller"], name="rest_requestcount_caller_unique")
        ]

    def __str__(self) -> str:
        return f"{self.caller}: {self.requests}"
