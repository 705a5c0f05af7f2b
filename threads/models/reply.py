from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from memsite.accounts.owned import Owned, within_owner
from memsite.values import TextEnum


class ReplyStatus(TextEnum):
    """State of a reply.

    Attributes:
        STOPPED: Stopped by a person.
        CUT: The client disconnected or the model broke off.
        FAILED: There is no answer.
    """

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    CUT = "cut"
    FAILED = "failed"


class Reply(Owned):
    """One reply to a message, in progress or finished.

    The text of a finished one is in the answer message only.

    Attributes:
        branch_id: Branch that the answer is appended to, whatever branch is current then, as long as it
            contains the question.
        source: `llm`, or `fallback` if no model is configured or it gave no answer.
        error: How the model failed.
        draft: What the process that writes the answer saved of it; blank once the reply has ended.
        heartbeat_at: The latest sign of life of that process.
        stop_requested_at: When a person asked to stop; that process checks it.
        followed_at: When a page last followed the draft; that process saves it more often then.
    """

    thread = within_owner("threads.Thread")
    question = within_owner("threads.Message")
    answer = within_owner("threads.Message", null=True)
    branch_id = models.UUIDField()
    context_id = models.UUIDField(null=True)
    status = models.CharField(max_length=12, choices=ReplyStatus.choices(), default=ReplyStatus.RUNNING)
    source = models.CharField(max_length=16, blank=True, default="")
    error = models.CharField(max_length=500, blank=True, default="")
    draft = models.TextField(blank=True, default="")
    heartbeat_at = models.DateTimeField(db_default=Now())
    stop_requested_at = models.DateTimeField(null=True)
    followed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta(Owned.Meta):
        verbose_name_plural = "replies"
        constraints: ClassVar = [*Owned.Meta.constraints]
        indexes: ClassVar = [
            models.Index(fields=["owner", "thread", "id"], name="threads_reply_thread"),
            models.Index(
                fields=["owner"], name="threads_reply_running", condition=models.Q(status=ReplyStatus.RUNNING)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.status} reply to {self.question_id}"
