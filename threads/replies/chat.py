"""One reply: the user's message is stored, a context assembled, the model's answer streamed and stored.

Nothing acknowledged is lost: the question is stored before a model is asked, and whatever of an answer was
produced is stored when it stops, marked as cut where it did not end by itself. A model that fails before
its first word is answered for as if there were none: with what is remembered, and the reason.
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
_STORE_PAUSE: Final = 0.5  # seconds between tries to store an answer while the database is away


@dataclass(frozen=True, slots=True)
class Wish:
    """How to answer. max_tokens: of the context; max_output_tokens: of the answer, None: no limit."""

    max_tokens: int = DEFAULT_MAX_TOKENS
    max_output_tokens: int | None = None
    temperature: float = 0.7


@dataclass(frozen=True, slots=True)
class Begun:
    """The question is stored and the context stands. context None: the answer was there already."""

    reply: Reply
    question: Message
    context: Context | None


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended. answer None: nothing was produced."""

    reply: Reply
    answer: Message | None


Piece = Begun | Delta | Ended


def ask(
    thread_id: str | UUID, text: str, *, owner: UUID, wish: Wish | None = None, client_id: str | None = None
) -> Iterator[Piece]:
    """Say something in a thread and stream the answer. The question is stored before the first `next`.

    client_id: of the question; one answered already gives that answer again. Closing the iterator stores
    what was produced. Raises NotFound; Conflict for a client_id that is being answered; ModelError never: a
    model that breaks off leaves the answer cut, and one that gives none is replaced by what is remembered.
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
    """Answer a question once more, on a new branch: that of an answer, by default the last of the line.

    Raises NotFound; InvalidInput where there is no answer to a question of the user's.
    """
    thread = get_thread(thread_id, owner=owner)
    question = _question_of(thread, message)
    thread = checkout(thread.pk, message=question.pk, owner=owner)
    return _answering(thread, question, wish or Wish())


def stop(thread_id: str | UUID, reply_id: UUID | None = None, *, owner: UUID) -> list[Reply]:
    """Have a running reply, or all of the thread, end with what there is by then. Raises NotFound."""
    thread = get_thread(thread_id, owner=owner)
    rows = Reply.objects.filter(owner_id=owner, thread=thread)
    if reply_id is not None:
        rows = rows.filter(pk=reply_id)
        if not rows.exists():
            raise NotFound("There is no such reply in this thread.")
    rows.filter(status=ReplyStatus.RUNNING).update(stop_requested_at=timezone.now())
    return list(rows.filter(stop_requested_at__isnull=False).order_by("id"))


def end_lost(before: datetime) -> int:
    """Mark replies as failed that were begun before a moment and never ended, as their process was killed.

    How many; one that ends after all says so itself. Across owners: for the schedule alone.
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
    """An answer on its way."""

    def __init__(self, thread: Thread, question: Message, reply: Reply, wish: Wish) -> None:
        self.thread, self.question, self.reply, self.wish = thread, question, reply, wish
        self.parts: list[str] = []
        self.finish_reason = ""
        self.failure: ModelError | None = None

    def pieces(self) -> Iterator[Piece]:
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
        finally:  # also where the reader went away: the generator is closed
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
        """Note why the model failed. Where it said nothing, the reply is answered without it."""
        self.failure, self.reply.error = error, error.message[:_ERROR_CHARACTERS]
        if not "".join(self.parts).strip():
            self.reply.source = FALLBACK

    def _without_model(self, context: Context) -> str:
        known = [one.content for one in context.citations]
        return answer_without_model(self.question.content, known, self.failure)

    def _streamed(self, model: ChatModel, context: Context) -> Any:  # noqa: ANN401 - a generator: it is closed
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
        except (OperationalError, InterfaceError):  # the answer goes on without the database
            return False

    def _store_patiently(self, status: ReplyStatus) -> Message | None:
        """Store the answer, also where the database is away for a moment; what was stored stays once."""
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
        """The answer, or what there is of it, in one transaction with everything that hangs on it."""
        status = status if self.parts or status != ReplyStatus.CUT else ReplyStatus.FAILED
        with transaction.atomic():
            rows = Reply.objects.filter(owner_id=self.reply.owner_id, pk=self.reply.pk)
            now = (
                rows.select_for_update(of=("self",))
                .select_related("answer")
                .filter(answer__isnull=False)
                .first()
            )
            if now is not None:  # a commit whose confirmation was lost
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
    """The answer a known question has, as the pieces of a reply; None while there is none."""
    rows = Reply.objects.filter(owner_id=question.owner_id, question=question, answer__isnull=False)
    reply = rows.select_related("answer").order_by("-id").first()
    if reply is None or reply.answer is None:
        return None
    return [Begun(reply, question, None), Delta(reply.answer.content), Ended(reply, reply.answer)]


def _is_being_answered(question: Message) -> bool:
    """Whether a reply to it was begun that has not ended; one that takes too long does not hold others up."""
    since = timezone.now() - REPLY_PATIENCE
    rows = Reply.objects.filter(owner_id=question.owner_id, question=question, created_at__gte=since)
    return rows.filter(status=ReplyStatus.RUNNING).exists()


def _question_of(thread: Thread, message: UUID | None) -> Message:
    """The last message of the user's at or before a message, by default at or before the current head."""
    told = get_message(thread, -1 if message is None else message)
    above = messages_on(path_to(told), owner=thread.owner_id)
    found = above.filter(role="user").order_by("-depth").first()
    if found is None:
        raise InvalidInput("There is no question to answer again.", {"regenerate": "no question"})
    return found
