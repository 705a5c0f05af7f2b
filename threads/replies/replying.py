"""Begin, repeat and stop replies."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from memsite.errors import Conflict, InvalidInput, NotFound
from memsite.values import MessageRole
from threads.branches import checkout_before, checkout_branch, get_current_branch
from threads.conf import REPLY_SILENT_AFTER
from threads.messages import NewMessage, append_messages
from threads.models import Message, Reply, ReplyStatus, Thread
from threads.replies.answering import Answer, AnswerPieces
from threads.replies.pieces import Begun, Delta, Ended, Piece, ReplyOptions
from threads.replies.storing import end_silent
from threads.storage import find_by_client_id, get_message, get_thread, list_messages, load_path_to


@dataclass(frozen=True, slots=True)
class OpenedReply:
    """A reply whose question is stored.

    Attributes:
        reply: None if the question had an answer already.
        pieces: The pieces of the reply, to be read in an event loop.
    """

    question: Message
    reply: Reply | None
    pieces: AsyncIterator[Piece]


def ask_question(
    thread_id: str | UUID,
    text: str,
    *,
    owner: UUID,
    options: ReplyOptions | None = None,
    client_id: str | None = None,
) -> AsyncIterator[Piece]:
    """Append a user message to a thread and stream the answer.

    The question is stored before this function returns, on the caller's thread. The pieces come in an event
    loop. Closing the iterator stores what was produced so far, and ends the reply if nothing was read. No
    ModelError is raised: if the model breaks off, the answer is marked as cut, and if it gives no answer, the
    answer consists of what is remembered.

    Args:
        client_id: Id of the question. If a question with this id was answered, its answer is returned again.

    Raises:
        NotFound: If the owner has no such thread.
        Conflict: If the question with this client_id is being answered.
    """
    return open_reply(thread_id, text, owner=owner, options=options, client_id=client_id).pieces


def open_reply(
    thread_id: str | UUID,
    text: str,
    *,
    owner: UUID,
    options: ReplyOptions | None = None,
    client_id: str | None = None,
    instead_of: UUID | None = None,
) -> OpenedReply:
    """Append a user message like `ask_question`, and return it together with the pieces of the answer.

    Args:
        instead_of: A message of the user that the question replaces, on a new branch that begins before it.
            If the question is stored already, no branch is made.

    Raises:
        NotFound: If the owner has no such thread, or the thread no such message.
        Conflict: If the question with this client_id is being answered.
    """
    message = NewMessage(role=MessageRole.USER, content=text, client_id=client_id)
    with transaction.atomic():
        if instead_of is not None:
            thread = get_thread(thread_id, owner=owner, lock=True)
            if not (client_id and find_by_client_id(thread, [client_id])):
                checkout_before(thread_id, instead_of, owner=owner)
        appended = append_messages(thread_id, [message], owner=owner)
    question = appended.messages[0]
    if not appended.new:
        end_silent(question)
    existing = None if appended.new else _answer_to(question)
    if existing is not None:
        return OpenedReply(question, None, _given(existing))
    if not appended.new and _is_being_answered(question):
        detail = {"client_id": client_id, "answered_in": str(question.thread_id)}
        raise Conflict("This message is being answered.", detail)
    return _answer(get_thread(thread_id, owner=owner), question, options or ReplyOptions())


def regenerate_reply(
    thread_id: str | UUID, message: UUID | None = None, *, owner: UUID, options: ReplyOptions | None = None
) -> AsyncIterator[Piece]:
    """Answer a question again, and stream the answer. See `reopen_reply`."""
    return reopen_reply(thread_id, message, owner=owner, options=options).pieces


def reopen_reply(
    thread_id: str | UUID, message: UUID | None = None, *, owner: UUID, options: ReplyOptions | None = None
) -> OpenedReply:
    """Answer a question again, on a new branch if it has an answer.

    Args:
        message: Id of an answer or question; by default the newest message of the current branch. The last
            user message at or before it is answered.

    Raises:
        NotFound: If the owner has no such thread, or the thread no such message.
        InvalidInput: If there is no user message.
    """
    thread = get_thread(thread_id, owner=owner)
    question = _question_of(thread, message)
    end_silent(question)
    thread = checkout_branch(thread.pk, message=question.pk, owner=owner)
    return _answer(thread, question, options or ReplyOptions())


def stop_replies(thread_id: str | UUID, reply_id: UUID | None = None, *, owner: UUID) -> list[Reply]:
    """Ask a running reply, or all running replies of the thread, to end with what is written so far.

    Raises:
        NotFound: If the owner has no such thread, or the thread no such reply.
    """
    thread = get_thread(thread_id, owner=owner)
    rows = Reply.objects.filter(owner_id=owner, thread=thread)
    if reply_id is not None:
        rows = rows.filter(pk=reply_id)
        if not rows.exists():
            raise NotFound("There is no such reply in this thread.")
    rows.filter(status=ReplyStatus.RUNNING).update(stop_requested_at=timezone.now())
    return list(rows.filter(stop_requested_at__isnull=False).order_by("id"))


def _answer(thread: Thread, question: Message, options: ReplyOptions) -> OpenedReply:
    reply = Reply(
        owner_id=thread.owner_id, thread=thread, question=question, branch_id=get_current_branch(thread).pk
    )
    reply.save(force_insert=True)
    return OpenedReply(question, reply, AnswerPieces(Answer(reply, options)))


async def _given(pieces: Sequence[Piece]) -> AsyncIterator[Piece]:
    for piece in pieces:
        yield piece


def _answer_to(question: Message) -> Sequence[Piece] | None:
    """Return the pieces of the reply that a question already has; None if it has no answer."""
    rows = Reply.objects.filter(owner_id=question.owner_id, question=question, answer__isnull=False)
    reply = rows.select_related("answer").order_by("-id").first()
    if reply is None or reply.answer is None:
        return None
    return [Begun(reply, question, None), Delta(reply.answer.content), Ended(reply, reply.answer)]


def _is_being_answered(question: Message) -> bool:
    """Return whether a process is writing an answer to the question."""
    rows = Reply.objects.filter(owner_id=question.owner_id, question=question, status=ReplyStatus.RUNNING)
    return rows.filter(heartbeat_at__gte=Now() - REPLY_SILENT_AFTER).exists()


def _question_of(thread: Thread, message: UUID | None) -> Message:
    """Return the last user message at or before a message, by default the current head."""
    answered = get_message(thread, -1 if message is None else message)
    above = list_messages(load_path_to(answered), owner=thread.owner_id)
    found = above.filter(role=MessageRole.USER).order_by("-depth").first()
    if found is None:
        raise InvalidInput("There is no question to answer again.", {"regenerate": "no question"})
    return found
