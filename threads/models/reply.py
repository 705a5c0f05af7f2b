from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned, within_owner


class ReplyStatus(models.TextChoices):
    """stopped: by a person; cut: the client went away or the model broke off; failed: there is no answer."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    CUT = "cut"
    FAILED = "failed"


class Reply(Owned):
    """One answer being written, or written, to a message; its text is the answer message's alone.

    branch_id: where it goes, whatever is checked out meanwhile, while that leads over the question. source:
    `llm`, or `fallback` where no model is configured or it gave no answer; error: how the model failed.
    stop_requested_at: a person's word, which whoever
    writes the answer looks for.
    """

    thread = within_owner("threads.Thread")
    question = within_owner("threads.Message")
    answer = within_owner("threads.Message", null=True)
    branch_id = models.UUIDField()
    context_id = models.UUIDField(null=True)
    status = models.CharField(max_length=12, choices=ReplyStatus.choices, default=ReplyStatus.RUNNING)
    source = models.CharField(max_length=16, blank=True, default="")
    error = models.CharField(max_length=500, blank=True, default="")
    stop_requested_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta(Owned.Meta):
        verbose_name_plural = "replies"
        constraints: ClassVar = [*Owned.Meta.constraints]
        indexes: ClassVar = [models.Index(fields=["owner", "thread", "id"], name="threads_reply_thread")]

    def __str__(self) -> str:
        return f"{self.status} reply to {self.question_id}"
