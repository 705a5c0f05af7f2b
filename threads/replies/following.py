"""Follow a thread from another page or process: what is new in it, and the draft of a reply that runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from memories.storage import get_index_state
from threads.conf import REPLY_SILENT_AFTER
from threads.models import Message, Reply, ReplyStatus

_LOOK: Final = """
SELECT t.current_branch_id, b.head_id, t.title, t.closed_at IS NOT NULL, r.id, r.is_silent,
    substr(r.draft, %(seen)s + 1)
FROM threads_thread AS t
LEFT JOIN threads_branch AS b ON b.owner_id = t.owner_id AND b.id = t.current_branch_id
LEFT JOIN LATERAL (
    SELECT id, heartbeat_at < now() - %(silent)s AS is_silent,
        CASE WHEN id = %(reply)s THEN draft ELSE '' END AS draft FROM threads_reply
    WHERE owner_id = t.owner_id AND thread_id = t.id AND status = 'running' ORDER BY id DESC LIMIT 1
) AS r ON true
WHERE t.owner_id = %(owner)s AND t.id = %(thread)s
"""


@dataclass(frozen=True, slots=True)
class FollowedReply:
    """A reply that the newest message waits for, or that ended without an answer.

    Attributes:
        id: None if nobody asked for a reply.
        is_running: Whether a process is writing it, as far as its last sign of life says.
        draft: What that process saved of it.
    """

    id: UUID | None
    is_running: bool
    draft: str = ""

    @property
    def is_unasked(self) -> bool:
        """Whether nobody asked for a reply: the message was stored by the API, an import or sample data."""
        return self.id is None


@dataclass(frozen=True, slots=True)
class ThreadLook:
    """The state of a thread, as `look_at_thread` found it.

    Attributes:
        place: Branch, head, title, whether the thread is closed: differs when any of them changes.
        reply: Id of the newest running reply, if any.
        is_silent: Whether the process that writes it gave no sign of life for REPLY_SILENT_AFTER.
        text: What its draft has beyond the characters that were seen.
        learnt: Differs when the owner's memories change.
    """

    place: tuple[object, ...]
    reply: UUID | None
    is_silent: bool
    text: str
    learnt: tuple[int, int]


def load_open_reply(newest: Message) -> FollowedReply | None:
    """Return the reply that the newest message of a branch waits for; None if it waits for none.

    One query.
    """
    if newest.role != "user":
        return None
    is_silent = Q(status=ReplyStatus.RUNNING, heartbeat_at__lt=Now() - REPLY_SILENT_AFTER)
    rows = Reply.objects.filter(owner_id=newest.owner_id, thread_id=newest.thread_id, question=newest)
    reply = rows.annotate(is_silent=is_silent).order_by("-id").first()
    if reply is None:
        return FollowedReply(None, is_running=False)
    is_running = reply.status == ReplyStatus.RUNNING and not reply.is_silent
    return FollowedReply(reply.pk, is_running, reply.draft)


def look_at_thread(
    thread_id: UUID, *, owner: UUID, reply: UUID | None = None, seen: int = 0
) -> ThreadLook | None:
    """Return the state of a thread, or None if it was deleted. Two small statements.

    Args:
        reply: The reply whose draft is followed.
        seen: Number of characters of its draft that are known already.
    """
    values: dict[str, Any] = {
        "owner": owner,
        "thread": thread_id,
        "reply": reply,
        "seen": seen,
        "silent": REPLY_SILENT_AFTER,
    }
    with connection.cursor() as cursor:
        cursor.execute(_LOOK, values)
        row = cursor.fetchone()
    if row is None:
        return None
    *place, running, is_silent, text = row
    return ThreadLook(tuple(place), running, bool(is_silent), text or "", get_index_state(owner=owner))


def mark_followed(reply_id: UUID, *, owner: UUID) -> None:
    """Make the process that writes a reply save its draft often for the next seconds."""
    rows = Reply.objects.filter(owner_id=owner, pk=reply_id, status=ReplyStatus.RUNNING)
    rows.update(followed_at=timezone.now())
