"""Store the answer of a reply, once, with everything that depends on it."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from memsite.accounts.preferences import get_preferences
from memsite.errors import Conflict, MemsiteError, NotFound
from memsite.events.types import LoggedType
from memsite.llm.chat import AnswerSource
from memsite.serving.postgres import across_owners, acting_for
from memsite.values import MessageRole
from threads.branches import find_or_create_branch
from threads.conf import REPLIES_ENDED, REPLY_LOST_AFTER, REPLY_SILENT_AFTER
from threads.messages import NewMessage, append_messages
from threads.models import Citation, Message, Reply, ReplyStatus
from threads.storage import get_thread, log_thread_event, queue_extraction

_LOST: Final = "The server stopped while it answered."
_log = structlog.get_logger("threads")


def store_answer(reply: Reply, text: str, status: ReplyStatus, *, finish_reason: str = "") -> Message | None:
    """Append the answer to the reply's branch, end the reply, and queue learning, in one transaction.

    If the reply has an answer already, that one stays: an earlier commit succeeded but its confirmation was
    lost.

    Args:
        reply: With its source, error and context as they are to be stored. Its status and answer are set.
        text: The answer, or the part that exists; blank for none.
        status: How the reply ended.
        finish_reason: As the model gave it.

    Returns:
        The answer; None if there is no text, or if thread or question were deleted.
    """
    with acting_for(reply.owner_id), transaction.atomic():
        rows = Reply.objects.filter(owner_id=reply.owner_id, pk=reply.pk)
        locked = rows.select_for_update(of=("self",)).select_related("answer")
        stored = locked.filter(answer__isnull=False).first()
        if stored is not None:
            reply.status, reply.finished_at = stored.status, stored.finished_at
            reply.answer = stored.answer
            return stored.answer  # type: ignore[no-any-return]  # the foreign key is untyped
        answer = _append(reply, text, status, finish_reason) if text.strip() else None
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
            _queue_learning(reply)
        if is_there:
            log_thread_event(reply.thread, LoggedType.REPLY_FINISHED, action=status.value)
    return answer


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
                store_answer(reply, reply.draft, status)
        except MemsiteError as error:
            _log.warning("a lost reply could not be stored", reply=str(reply_id), kind=type(error).__name__)
            Reply.objects.filter(owner_id=reply.owner_id, pk=reply_id).update(
                status=ReplyStatus.FAILED, error=_LOST, finished_at=timezone.now()
            )
            log_thread_event(reply.thread, LoggedType.REPLY_FINISHED, action=ReplyStatus.FAILED.value)
    return True


def _append(reply: Reply, text: str, status: ReplyStatus, finish_reason: str) -> Message | None:
    state: dict[str, Any] = {"reply": str(reply.pk), "source": reply.source}
    if status != ReplyStatus.DONE:
        state["cut"] = status.value
    if finish_reason:
        state["finish_reason"] = finish_reason
    new = NewMessage(
        role=MessageRole.ASSISTANT,
        content=text,
        state=state,
        do_not_remember=reply.source == AnswerSource.FALLBACK,  # it repeats what is remembered already
    )
    try:
        get_thread(reply.thread_id, owner=reply.owner_id, lock=True)
        branch = find_or_create_branch(reply.question, reply.branch_id)
        appended = append_messages(reply.thread_id, [new], owner=reply.owner_id, branch=branch.pk)
    except (NotFound, Conflict):  # thread or question were deleted meanwhile, or it was temporary and closed
        return None
    return appended.messages[0]


def _cite(reply: Reply, answer: Message) -> None:
    if reply.context_id is not None:
        rows = Citation.objects.filter(owner_id=reply.owner_id, context_id=reply.context_id)
        rows.update(message=answer)


def _queue_learning(reply: Reply) -> None:
    if not reply.thread.is_temporary and get_preferences(reply.owner_id).memory_on:
        queue_extraction(reply.thread_id, owner=reply.owner_id)
