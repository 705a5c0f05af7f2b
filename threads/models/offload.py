from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned, within_owner


class Offload(Owned):
    """A message's bulky content, kept whole while a pointer stands in its place."""

    message = within_owner("threads.Message")
    content = models.TextField()
    token_count = models.IntegerField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "message"], name="threads_offload_one_a_message"),
        ]

    def __str__(self) -> str:
        return f"content of {self.message_id}"
