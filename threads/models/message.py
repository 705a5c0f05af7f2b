from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from memsite.accounts.owned import Owned, within_owner
from memsite.values import MessageRole


class Message(Owned):
    """One message of a thread's tree.

    `content` is the user's own text, stored as written; text that leaves the thread passes the gate.

    Attributes:
        depth: 0 for a root, else greater than its parent's: by one, unless messages between them were
            deleted.
    """

    thread = within_owner("threads.Thread")
    line = within_owner("threads.Line")
    parent = within_owner("threads.Message", null=True)
    depth = models.IntegerField()
    role = models.CharField(max_length=12, choices=MessageRole.choices())
    content = models.TextField(blank=True, default="")
    tool_calls = models.JSONField(null=True, blank=True)
    tool_call_id = models.CharField(max_length=255, blank=True, default="")
    state = models.JSONField(default=dict, blank=True)
    #: Number of the session on its path; a new one begins after six hours of silence.
    session_number = models.PositiveIntegerField(default=1, editable=False)
    token_count = models.IntegerField(default=0)
    #: Hash of what it says (see `compute_content_key`); null for a system message.
    content_key = models.UUIDField(null=True, editable=False)
    client_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 - null: none given; only given ones are unique
    do_not_remember = models.BooleanField(default=False)
    #: When long-term memory finished with this message; at once if there is nothing to learn from it.
    learnt_at = models.DateTimeField(null=True, editable=False)
    #: Characters that extraction has read; null: nothing is left to read, or extraction does not read it.
    unread_from = models.IntegerField(null=True, editable=False)
    #: Number of messages since the last summary before it, itself included, and their tokens. A hint that may
    #: be too high: a summarising job counts again.
    unsummarised = models.IntegerField(default=0, editable=False)
    unsummarised_tokens = models.IntegerField(default=0, editable=False)
    #: Whether the original content is in an Offload and a pointer replaces it; token_count is the pointer's.
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
            models.CheckConstraint(condition=Q(role__in=list(MessageRole)), name="threads_message_role"),
            models.CheckConstraint(
                condition=~Q(role=MessageRole.TOOL) | ~Q(tool_call_id=""), name="threads_message_tool_answers"
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
            # A page of any path: messages in order of depth, whatever lines the path consists of.
            models.Index(fields=["owner", "thread", "depth"], name="threads_message_depth_order"),
            models.Index(fields=["owner", "parent"], name="threads_message_parent"),
            models.Index(
                fields=["owner", "content_key"],
                condition=Q(content_key__isnull=False),
                name="threads_message_content_key",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.depth} of {self.thread_id}"
