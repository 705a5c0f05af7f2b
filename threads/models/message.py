from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from memsite.accounts.owned import Owned, within_owner


class Role(models.TextChoices):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Message(Owned):
    """One message of the tree.

    depth: 0 for a root, else more than its parent's: by one, unless messages between them were deleted.

    content is the user's own text, kept as written; what leaves the thread passes the gate.
    """

    thread = within_owner("threads.Thread")
    line = within_owner("threads.Line")
    parent = within_owner("threads.Message", null=True)
    depth = models.IntegerField()
    role = models.CharField(max_length=12, choices=Role.choices)
    content = models.TextField(blank=True, default="")
    tool_calls = models.JSONField(null=True, blank=True)
    tool_call_id = models.CharField(max_length=255, blank=True, default="")
    state = models.JSONField(default=dict, blank=True)
    #: Counts the stretches of talk on its path: one more after six hours of silence.
    session_number = models.PositiveIntegerField(default=1, editable=False)
    token_count = models.IntegerField(default=0)
    client_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 - null: none given; only given ones are unique
    do_not_remember = models.BooleanField(default=False)
    #: When long-term memory was done with this message; at once where it has nothing to learn from it.
    learnt_at = models.DateTimeField(null=True, editable=False)
    #: Characters of it that extraction has read; null: it has nothing left to read, or does not read it.
    unread_from = models.IntegerField(null=True, editable=False)
    #: Messages, and their tokens, since the last summary before it, itself counted. A hint that may be too
    #: high: a summarising job counts anew.
    unsummarised = models.IntegerField(default=0, editable=False)
    unsummarised_tokens = models.IntegerField(default=0, editable=False)
    #: Its content is whole in an Offload, and a pointer stands in its place; token_count is the pointer's.
    is_compacted = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        ordering: ClassVar = ["depth", "id"]
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(
                fields=["owner", "thread", "line", "depth"], name="threads_message_place_unique"
            ),
            models.UniqueConstraint(
                fields=["owner", "thread", "client_id"], name="threads_message_client_id_unique"
            ),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="threads_message_role"),
            models.CheckConstraint(
                condition=~Q(role=Role.TOOL) | ~Q(tool_call_id=""), name="threads_message_tool_answers"
            ),
            models.CheckConstraint(condition=Q(depth__gte=0), name="threads_message_depth"),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["owner", "thread", "depth"],
                condition=Q(learnt_at=None),
                name="threads_message_unlearnt",
            ),
            models.Index(
                fields=["owner", "thread", "depth"],
                condition=Q(unread_from__isnull=False),
                name="threads_message_unread",
            ),
            # A page of any line: places in order, whichever lines the path leads over.
            models.Index(fields=["owner", "thread", "depth"], name="threads_message_depth_order"),
            models.Index(fields=["owner", "parent"], name="threads_message_parent"),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.depth} of {self.thread_id}"
