"""Reply to a message: store it, assemble a context, stream the model's answer and store that.

The question is stored before a model is asked. Whatever was produced of an answer is stored when it stops,
and marked as cut if it did not end by itself. If the model fails before its first word, the answer is the
same as without a model: what is remembered, and the reason.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from memsite.accounts.preferences import preferences_of
from memsite.errors import Conflict, InvalidInput, ModelError, NotFound
from memsite.llm.chat import ChatMessage, ChatModel
from memsite.metering import chat_model
from memsite.serving.streaming import turn
from threads.branches import branch_over, checkout, current_of
from threads.conf import DEFAULT_MAX_TOKENS, REPLY_PATIENCE, STOP_LOOK_SECONDS, STORE_WITHIN
from threads.context import Context, assemble
from threads.messages import NewMessage, append
from threads.models import Citation, Message, Reply, ReplyStatus, Thread
from threads.replies.no_model import answer_without_model
from threads.storage import get_message, get_thread, messages_on, path_to, queue_extraction

LLM: Final = "llm"
FALLBACK: Final = "fallback"
_ERROR_CHARACTERS: Final = 500
_STORE_PAUSE: Final = 0.5  # seconds between attempts to store an answer while the database is unavailable


@dataclass(frozen=True, slots=True)
class Wish:
    """Options of a reply.

    Attributes:
        max_tokens: Limit of the context.
        max_output_tokens: Limit of the answer; None for no limit.
    """

    max_tokens: int = DEFAULT_MAX_TOKENS
    max_output_tokens: int | None = None
    temperature: float = 0.7


@dataclass(frozen=True, slots=True)
class Begun:
    """The question is stored and the context is assembled.

    Attributes:
        context: None if the question had an answer already.
    """

    reply: Reply
    question: Message
    context: Context | None


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The reply has ended.

    Attributes:
        answer: None if nothing was produced.
    """

    reply: Reply
    answer: Message | None


Piece = Begun | Delta | Ended


def ask(
    thread_id: str | UUID, text: str, *, owner: UUID, wish: Wish | None = None, client_id: str | None = None
) -> Iterator[Piece]:
    """Append a user message to a thread and stream the answer.

    The question is stored before this function returns. Closing the iterator stores what was produced so far.
    No ModelError is raised: if the model breaks off, the answer is marked as cut, and if it gives no answer,
    the answer consists of what is remembered.

    Args:
        client_id: Id of the question. If a question with this id was answered, its answer is returned again.

    Raises:
        NotFound: If the owner has no such thread.
        Conflict: If the question with this client_id is being answered.
    """
    message = NewMessage(role="user", content=text, client_id=client_id)
    appended = append(thread_id, [message], owner=owner)
    question = appended.messages[0]
    known = None if appended.new else _answer_to(question)
    if known is not None:
        return iter(known)
    if not appended.new and _is_being_answered(question):
        raise Conflict("This message is being answered.", {"client_id": client_id})
    return _answering(get_thread(thread_id, owner=owner), question, wish or Wish())


def regenerate(
    thread_id: str | UUID, message: UUID | None = None, *, owner: UUID, wish: Wish | None = None
) -> Iterator[Piece]:
    """Answer a question again on a new branch, and stream the answer.

    Args:
        message: Id of an answer or question; by default the newest message of the current branch. The last
            user message at or before it is answered.

    Raises:
        NotFound: If the owner has no such thread, or the thread no such message.
        InvalidInput: If there is no user message.
    """
    thread = get_thread(thread_id, owner=owner)
    question = _question_of(thread, message)
    thread = checkout(thread.pk, message=question.pk, owner=owner)
    return _answering(thread, question, wish or Wish())


def stop(thread_id: str | UUID, reply_id: UUID | None = None, *, owner: UUID) -> list[Reply]:
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


def end_lost(before: datetime) -> int:
    """Mark replies as failed that began before a time and never ended, because their process was killed.

    A reply that ends after all overwrites this. Across owners: for the schedule only.

    Returns:
        How many replies were marked.
    """
    rows = Reply.objects.filter(status=ReplyStatus.RUNNING, created_at__lt=before)
    return rows.update(
        status=ReplyStatus.FAILED, error="The server stopped while it answered.", finished_at=timezone.now()
    )


def _answering(thread: Thread, question: Message, wish: Wish) -> Iterator[Piece]:
    reply = Reply(owner_id=thread.owner_id, thread=thread, question=question, branch_id=current_of(thread).pk)
    reply.save(force_insert=True)
    return _Answer(thread, question, reply, wish).pieces()


class _Answer:
    """An answer that is being written."""

    def __init__(self, thread: Thread, question: Message, reply: Reply, wish: Wish) -> None:
        self.thread, self.question, self.reply, self.wish = thread, question, reply, wish
        self.parts: list[str] = []
        self.finish_reason = ""
        self.failure: ModelError | None = None

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces of the reply, and store the answer even if the reader stops early."""
        status = ReplyStatus.CUT
        try:
            with turn():
                context = self._context()
            yield Begun(self.reply, self.question, context)
            model = chat_model("primary", owner=self.thread.owner_id)
            self.reply.source = LLM if model is not None else FALLBACK
            if model is not None:
                try:
                    for text in (stream := self._streamed(model, context)):
                        if self._is_stopped():
                            stream.close()
                            break
                        yield Delta(text)
                    status = ReplyStatus.DONE if self.finish_reason else ReplyStatus.STOPPED
                except ModelError as error:
                    self._fail(error)
            if self.reply.source == FALLBACK:
                self.parts = [self._without_model(context)]
                status = ReplyStatus.DONE
                yield Delta(self.parts[0])
        finally:  # also if the reader stops: the generator is closed
            answer = self._store_patiently(status)
        yield Ended(self.reply, answer)

    def _context(self) -> Context:
        context = assemble(
            self.thread.pk,
            self.question.content,
            owner=self.thread.owner_id,
            max_tokens=self.wish.max_tokens,
            head=self.question,
        )
        self.reply.context_id = context.id
        return context

    def _fail(self, error: ModelError) -> None:
        """Record why the model failed. If it produced no text, answer without it."""
        self.failure, self.reply.error = error, error.message[:_ERROR_CHARACTERS]
        if not "".join(self.parts).strip():
            self.reply.source = FALLBACK

    def _without_model(self, context: Context) -> str:
        known = [one.content for one in context.citations]
        return answer_without_model(self.question.content, known, self.failure)

    def _streamed(self, model: ChatModel, context: Context) -> Any:  # noqa: ANN401 - a generator, which the caller closes
        messages = cast("Sequence[ChatMessage]", context.messages)
        chunks = model.stream(
            messages, temperature=self.wish.temperature, max_tokens=self.wish.max_output_tokens
        )
        for chunk in chunks:
            self.finish_reason = chunk.finish_reason or self.finish_reason
            if chunk.text:
                self.parts.append(chunk.text)
                yield chunk.text

    _looked: float = 0.0

    def _is_stopped(self) -> bool:
        if time.monotonic() - self._looked < STOP_LOOK_SECONDS:
            return False
        self._looked = time.monotonic()
        rows = Reply.objects.filter(owner_id=self.reply.owner_id, pk=self.reply.pk)
        try:
            with turn():
                return rows.filter(stop_requested_at__isnull=False).exists()
        except (OperationalError, InterfaceError):  # the answer continues without the database
            return False

    def _store_patiently(self, status: ReplyStatus) -> Message | None:
        """Store the answer once, and retry while the database is unavailable."""
        end = time.monotonic() + STORE_WITHIN
        while True:
            try:
                with turn():
                    return self._store(status)
            except (OperationalError, InterfaceError):
                if connection.in_atomic_block or time.monotonic() > end:
                    raise
            time.sleep(_STORE_PAUSE)

    def _store(self, status: ReplyStatus) -> Message | None:
        """Store the answer, or the part that exists, and everything that depends on it in one transaction."""
        status = status if self.parts or status != ReplyStatus.CUT else ReplyStatus.FAILED
        with transaction.atomic():
            rows = Reply.objects.filter(owner_id=self.reply.owner_id, pk=self.reply.pk)
            now = (
                rows.select_for_update(of=("self",))
                .select_related("answer")
                .filter(answer__isnull=False)
                .first()
            )
            if now is not None:  # the commit succeeded but its confirmation was lost
                self.reply = now
                answered: Message | None = now.answer
                return answered
            answer = self._append(status) if "".join(self.parts).strip() else None
            self.reply.status, self.reply.answer = status, answer
            self.reply.finished_at = timezone.now()
            rows.update(
                status=status,
                answer=answer,
                source=self.reply.source,
                error=self.reply.error,
                context_id=self.reply.context_id,
                finished_at=self.reply.finished_at,
            )
            if answer is not None:
                self._cite(answer)
                self._queue_reading()
        return answer

    def _append(self, status: ReplyStatus) -> Message | None:
        state: dict[str, Any] = {"reply": str(self.reply.pk), "source": self.reply.source}
        if status != ReplyStatus.DONE:
            state["cut"] = status.value
        if self.finish_reason:
            state["finish_reason"] = self.finish_reason
        new = NewMessage(
            role="assistant",
            content="".join(self.parts),
            state=state,
            do_not_remember=self.reply.source == FALLBACK,  # it repeats what is remembered already
        )
        owner = self.thread.owner_id
        try:
            get_thread(self.thread.pk, owner=owner, lock=True)
            branch = branch_over(self.question, self.reply.branch_id)
            appended = append(self.thread.pk, [new], owner=owner, branch=branch.pk)
        except (
            NotFound,
            Conflict,
        ):  # thread or question were deleted meanwhile, or it was temporary and closed
            return None
        return appended.messages[0]

    def _cite(self, answer: Message) -> None:
        if self.reply.context_id is not None:
            rows = Citation.objects.filter(owner_id=self.reply.owner_id, context_id=self.reply.context_id)
            rows.update(message=answer)

    def _queue_reading(self) -> None:
        if not self.thread.is_temporary and preferences_of(self.thread.owner_id).memory_on:
            queue_extraction(self.thread.pk, owner=self.thread.owner_id)


def _answer_to(question: Message) -> Sequence[Piece] | None:
    """Return the pieces of the reply that a question already has; None if it has no answer."""
    rows = Reply.objects.filter(owner_id=question.owner_id, question=question, answer__isnull=False)
    reply = rows.select_related("answer").order_by("-id").first()
    if reply is None or reply.answer is None:
        return None
    return [Begun(reply, question, None), Delta(reply.answer.content), Ended(reply, reply.answer)]


def _is_being_answered(question: Message) -> bool:
    """Return whether an unfinished reply to the question exists.

    A reply older than REPLY_PATIENCE does not block others.
    """
    since = timezone.now() - REPLY_PATIENCE
    rows = Reply.objects.filter(owner_id=question.owner_id, question=question, created_at__gte=since)
    return rows.filter(status=ReplyStatus.RUNNING).exists()


def _question_of(thread: Thread, message: UUID | None) -> Message:
    """Return the last user message at or before a message, by default the current head."""
    told = get_message(thread, -1 if message is None else message)
    above = messages_on(path_to(told), owner=thread.owner_id)
    found = above.filter(role="user").order_by("-depth").first()
    if found is None:
        raise InvalidInput("There is no question to answer again.", {"regenerate": "no question"})
    return found
