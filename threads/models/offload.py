from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned, within_owner


class Offload(Owned):
    """The original content of a message whose content is replaced by a pointer."""

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
