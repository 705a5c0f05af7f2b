from __future__ import annotations

from typing import ClassVar

from django.db import models


class RequestCount(models.Model):
    """Requests of one caller within one window of the rate limit.

    The table is unlogged: a count costs no wait for the disk, and losing it in a crash costs nothing.
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
