from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from memsite.accounts.owned import Owned, within_owner


class Line(Owned):
    """A run of messages without a fork. The path from the root to a message is a sequence of lines.

    The messages of `origin` up to depth `fork_depth` come before those of this line. So a page of any path is
    a range of (line, depth), without walking from message to message.
    """

    thread = within_owner("threads.Thread")
    origin = within_owner("threads.Line", null=True)
    fork_depth = models.IntegerField(default=-1)

    class Meta(Owned.Meta):
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.CheckConstraint(
                condition=Q(origin=None, fork_depth=-1) | Q(origin__isnull=False, fork_depth__gte=0),
                name="threads_line_forks_somewhere",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["owner", "thread"], name="threads_line_thread")]

    def __str__(self) -> str:
        return f"line of {self.thread_id}"


class Branch(Owned):
    """A name for a head message, as in git. A branch made by going back in time has no name."""

    thread = within_owner("threads.Thread")
    name = models.CharField(max_length=100, null=True)  # noqa: DJ001 - null: unnamed; a thread may have several of those
    line = within_owner("threads.Line")
    head = within_owner("threads.Message", null=True)
    #: Upper bound of the tokens of its path (null: to be measured), and how many the last compaction left.
    live_tokens = models.BigIntegerField(null=True, editable=False)
    compacted_to = models.BigIntegerField(null=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        verbose_name_plural = "branches"
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "thread", "name"], name="threads_branch_name_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="threads_branch_name_says_something"),
        ]

    def __str__(self) -> str:
        return self.name or "unnamed"
