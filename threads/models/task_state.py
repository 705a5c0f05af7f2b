from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned, within_owner
from memsite.values import TextEnum


class TaskStateWriter(TextEnum):
    """The writer of a task state."""

    CLIENT = "client"
    SUMMARY = "summary"


class TaskState(Owned):
    """State of a thread's task. `written_by` is who wrote it last."""

    thread = within_owner("threads.Thread")
    current_goal = models.TextField(blank=True, default="")
    completed_steps = models.JSONField(default=list)
    pending_steps = models.JSONField(default=list)
    key_findings = models.JSONField(default=list)
    written_by = models.CharField(max_length=12, default=TaskStateWriter.CLIENT)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "thread"], name="threads_taskstate_one_a_thread"),
        ]

    def __str__(self) -> str:
        return self.current_goal[:80]
