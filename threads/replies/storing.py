"""Store the answer of a reply, once, with everything that depends on it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from memsite.accounts.preferences import get_preferences
from memsite.errors import Conflict, MemsiteError, NotFound
from memsite.events.types import LoggedType
from memsite.llm.chat import AnswerSource
from memsite.serving.postgres import across_owners, acting_for
from memsite.serving.streaming import run_in_stream_thread
from memsite.values import MessageRole
from threads.branches import find_or_create_branch
from threads.conf import (
    CONTENT_CHARACTERS,
    REPLIES_ENDED,
    REPLY_LOST_AFTER,
    REPLY_SILENT_AFTER,
    STORE_WITHIN,
)
from threads.messages import NewMessage, ToolCall, append_messages
from threads.models import Citation, Message, Reply, ReplyStatus
from threads.storage import get_thread, log_thread_event, queue_extraction, queue_learning

_LOST: Final = "The server stopped while it answered."
_STORE_PAUSE: Final = 0.5  # seconds between attempts to store an answer while the database is unavailable
_log = structlog.get_logger("threads")

#: Answers that are being stored. The event loop keeps no reference to its tasks.
_storing: Final[set[asyncio.Task[Any]]] = set()


@dataclass(frozen=True, slots=True)
class ProducedAnswer:
    """The produced part of an answer.

    Attributes:
        text: Blank for none.
        finish_reason: As the model gave it.
        tool_calls: The calls of functions, in OpenAI's format.
        client_id: The client's id of the answer. It is removed from an earlier answer to the question.
    """

    text: str
    finish_reason: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    client_id: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to store."""
        return not self.text.strip() and not self.tool_calls


def store_answer(reply: Reply, produced: ProducedAnswer, status: ReplyStatus) -> Message | None:
    """Append the answer to its question, end the reply, and queue learning, in one transaction.

    It goes to the reply's branch if nothing follows the question there, else beside what does, on a branch
    without a name.

    If the reply has an answer already, that one stays: an earlier commit succeeded but its confirmation was
    lost.

    Args:
        reply: With its source, error and context as they are to be stored. Its status and answer are set.
        produced: The answer, or the part that exists.
        status: How the reply ended.

    Returns:
        The answer; None if nothing was produced, or if thread or question were deleted.
    """
    with acting_for(reply.owner_id), transaction.atomic():
        rows = Reply.objects.filter(owner_id=reply.owner_id, pk=reply.pk)
        locked = rows.select_for_update(of=("self",)).select_related("answer")
        stored = locked.filter(answer__isnull=False).first()
        if stored is not None:
            reply.status, reply.finished_at = stored.status, stored.finished_at
            reply.answer = stored.answer
            return stored.answer  # type: ignore[no-any-return]  # the foreign key is untyped
        answer = None if produced.is_blank else _append(reply, produced, status)
        reply.status, reply.answer, reply.finished_at = status, answer, timezone.now()
        is_there = rows.update(
            status=status,
            answer=answer,
            draft="",
            source=reply.source,
            error=reply.error,
            context_id=reply.context_id,
            finished_at=reply.finished_at,
        )
        if answer is not None:
            _cite(reply, answer)
            _queue_extraction(reply)
        elif is_there and not reply.thread.is_temporary:
            queue_learning(reply.thread_id, owner=reply.owner_id)  # from the question
        if is_there:
            log_thread_event(reply.thread, LoggedType.REPLY_FINISHED, action=status.value)
    return answer


async def store_answer_patiently(
    reply: Reply, produced: ProducedAnswer, status: ReplyStatus
) -> Message | None:
    """Store the answer in an event loop, and retry for STORE_WITHIN while the database is unavailable.

    A cancellation ends the wait for it, but not the storing.
    """
    storing = asyncio.create_task(_store_patiently(reply, produced, status))
    _storing.add(storing)
    storing.add_done_callback(_storing.discard)
    return await asyncio.shield(storing)


async def _store_patiently(reply: Reply, produced: ProducedAnswer, status: ReplyStatus) -> Message | None:
    end = time.monotonic() + STORE_WITHIN
    while True:
        try:
            return await run_in_stream_thread(store_answer, reply, produced, status)
        except (OperationalError, InterfaceError):
            if time.monotonic() > end:
                raise
        await asyncio.sleep(_STORE_PAUSE)


@across_owners()
def end_lost() -> int:
    """End the replies whose process was killed: keep what it saved of the answer, marked as cut.

    A reply counts as lost after REPLY_LOST_AFTER without a sign of life. Across owners: for the schedule
    only.

    Returns:
        How many replies were ended, at most REPLIES_ENDED.
    """
    is_lost = Q(status=ReplyStatus.RUNNING, heartbeat_at__lt=Now() - REPLY_LOST_AFTER)
    lost = Reply.objects.filter(is_lost).order_by("heartbeat_at")
    return sum(_end(reply, is_lost) for reply in lost.values_list("pk", flat=True)[:REPLIES_ENDED])


def end_silent(question: Message) -> None:
    """End the replies to a question that gave no sign of life for REPLY_SILENT_AFTER, in the same way."""
    is_silent = Q(status=ReplyStatus.RUNNING, heartbeat_at__lt=Now() - REPLY_SILENT_AFTER)
    silent = Reply.objects.filter(is_silent, owner_id=question.owner_id, question=question)
    for reply_id in list(silent.values_list("pk", flat=True)):
        _end(reply_id, is_silent)


def _end(reply_id: UUID, is_lost: Q) -> bool:
    with transaction.atomic():
        rows = Reply.objects.filter(is_lost, pk=reply_id).select_related("thread", "question")
        reply = rows.select_for_update(of=("self",), skip_locked=True).first()
        if reply is None:  # its process lives after all, or another sweep ends it
            return False
        reply.error = _LOST
        status = ReplyStatus.CUT if reply.draft.strip() else ReplyStatus.FAILED
        try:
            with transaction.atomic():
                store_answer(reply, ProducedAnswer(reply.draft), status)
        except MemsiteError as error:
            _log.warning("a lost reply could not be stored", reply=str(reply_id), kind=type(error).__name__)
            Reply.objects.filter(owner_id=reply.owner_id, pk=reply_id).update(
                status=ReplyStatus.FAILED, error=_LOST, finished_at=timezone.now()
            )
            log_thread_event(reply.thread, LoggedType.REPLY_FINISHED, action=ReplyStatus.FAILED.value)
    return True


def _append(reply: Reply, produced: ProducedAnswer, status: ReplyStatus) -> Message | None:
    state: dict[str, Any] = {"reply": str(reply.pk), "source": reply.source}
    if status != ReplyStatus.DONE:
        state["cut"] = status.value
    if produced.finish_reason:
        state["finish_reason"] = produced.finish_reason
    new = NewMessage(
        role=MessageRole.ASSISTANT,
        content=produced.text[:CONTENT_CHARACTERS],
        tool_calls=list(produced.tool_calls) or None,
        state=state,
        client_id=produced.client_id or None,
        do_not_remember=reply.source == AnswerSource.FALLBACK,  # it repeats what is remembered already
    )
    try:
        get_thread(reply.thread_id, owner=reply.owner_id, lock=True)
        _free_client_id(reply, produced.client_id)
        branch = find_or_create_branch(reply.question, reply.branch_id)
        appended = append_messages(reply.thread_id, [new], owner=reply.owner_id, branch=branch.pk)
    except (NotFound, Conflict):  # thread or question were deleted meanwhile, or it was temporary and closed
        return None
    return appended.messages[0]


def _free_client_id(reply: Reply, client_id: str) -> None:
    """Remove a client's id from an earlier answer to the same question, because a retry has the same id."""
    if client_id:
        earlier = Message.objects.filter(
            owner_id=reply.owner_id, thread_id=reply.thread_id, parent=reply.question
        )
        earlier.filter(client_id=client_id, role=MessageRole.ASSISTANT).update(client_id=None)


def _cite(reply: Reply, answer: Message) -> None:
    if reply.context_id is not None:
        rows = Citation.objects.filter(owner_id=reply.owner_id, context_id=reply.context_id)
        rows.update(message=answer)


def _queue_extraction(reply: Reply) -> None:
    if not reply.thread.is_temporary and get_preferences(reply.owner_id).memory_on:
        queue_extraction(reply.thread_id, owner=reply.owner_id)
