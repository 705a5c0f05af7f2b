"""Write one answer in an event loop: assemble the context, read the model's stream, store what it gave.

The question is stored before a model is asked. Whatever was produced of an answer is stored when it stops,
and marked as cut if it did not end by itself. If the model fails before its first word, the answer is the
same as without a model: what is remembered, and the reason.

Work with the database runs on stream threads. While the model thinks, a reply holds neither a thread nor a
database connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, suppress
from typing import Any, Final, cast
from uuid import UUID

import structlog
from django.db import IntegrityError, transaction

from memsite.errors import ModelError
from memsite.llm.chat import AnswerSource, ChatMessage, ChatModel
from memsite.metering import ModelPurpose, get_chat_model
from memsite.serving.streaming import run_in_long_thread
from threads.context import Context, assemble_context, store_sent_context
from threads.learning import list_learnable
from threads.models import Message, Reply, ReplyStatus
from threads.replies.no_model import answer_without_model
from threads.replies.pieces import Begun, Delta, Ended, Piece, ReplyOptions
from threads.replies.running import keep_running
from threads.replies.storing import ProducedAnswer, store_answer_patiently

_ERROR_CHARACTERS: Final = 500
_log: Final = structlog.get_logger("threads")
#: Seconds between two pieces, for each running reply of the process. So a process sends at most a thousand
#: pieces a second, however many replies it writes and however small the model's own pieces are.
_PAUSE: Final = 0.001


class Answer:
    """An answer that is being written."""

    def __init__(self, reply: Reply, options: ReplyOptions) -> None:
        self.reply, self.options = reply, options
        self.parts: list[str] = []
        self._sent = 0
        self._finish_reason = ""
        self._failure: ModelError | None = None
        self._news = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None
        self._is_stopped = False

    @property
    def id(self) -> UUID:
        """Id of the reply."""
        return self.reply.pk

    @property
    def owner(self) -> UUID:
        """Id of the reply's owner."""
        return self.reply.owner_id

    @property
    def text(self) -> str:
        """The text produced so far."""
        return "".join(self.parts)

    def stop(self) -> None:
        """End the answer with what was produced so far."""
        self._is_stopped = True
        self._stop_reading()

    async def pieces(self) -> AsyncGenerator[Piece]:
        """Yield the pieces of the reply, and store the answer even if the reader stops early."""
        with keep_running(self) as all_running:
            try:
                context, model = await run_in_long_thread(self._prepare)
                yield Begun(self.reply, self.reply.question, context)
                if model is not None and not self._is_stopped:
                    self._begin_reading(model, context)
                    while text := await self._arrived():
                        yield Delta(text)
                        await asyncio.sleep(len(all_running) * _PAUSE)
                if self.reply.source == AnswerSource.FALLBACK:
                    self.parts = [await run_in_long_thread(self._without_model, context)]
                    self._finish_reason = "stop"
                    yield Delta(self.parts[0])
            finally:  # also if the reader stops: the generator is closed, or its task cancelled
                try:
                    await self._end_reading()
                finally:
                    answer = await self._store_whatever_happens()
        yield Ended(self.reply, answer)

    async def end_unread(self) -> None:
        """End the reply before anything of it is produced."""
        with keep_running(self):
            await self._store_whatever_happens()

    def _prepare(self) -> tuple[Context, ChatModel | None]:
        reply = self.reply
        context = assemble_context(
            reply.thread_id,
            reply.question.content,
            owner=self.owner,
            max_tokens=self.options.max_tokens,
            head=reply.question,
        )
        reply.context_id = context.id
        if not reply.thread.is_temporary:
            self._store_context(context)
        model = get_chat_model("primary", owner=self.owner, purpose=ModelPurpose.REPLY)
        reply.source = AnswerSource.LLM if model is not None else AnswerSource.FALLBACK
        return context, model

    def _store_context(self, context: Context) -> None:
        try:
            with transaction.atomic():
                store_sent_context(context, self.reply.question)
        except IntegrityError:  # the thread was deleted meanwhile
            _log.info("context not stored", reply=str(self.id))

    def _begin_reading(self, model: ChatModel, context: Context) -> None:
        self._reading = asyncio.create_task(self._read(model, context))
        self._reading.add_done_callback(lambda _: self._news.set())

    async def _read(self, model: ChatModel, context: Context) -> None:
        """Add what the model sends to `parts`, at the model's own speed."""
        chunks: Any = model.stream(
            cast("Sequence[ChatMessage]", context.messages),
            temperature=self.options.temperature,
            max_tokens=self.options.max_output_tokens,
        )
        try:
            async with aclosing(chunks):
                async for chunk in chunks:
                    self._finish_reason = chunk.finish_reason or self._finish_reason
                    if chunk.text:
                        self.parts.append(chunk.text)
                        self._news.set()
        except ModelError as error:
            self._fail(error)

    async def _arrived(self) -> str:
        """Return what has arrived since the last call; wait for it. Empty once the model has ended."""
        reading = self._reading
        while reading is not None and (not reading.done() or self._sent < len(self.parts)):
            await self._news.wait()
            self._news.clear()
            text, self._sent = "".join(self.parts[self._sent :]), len(self.parts)
            if text:
                return text
        return ""

    def _stop_reading(self) -> None:
        """Cancel the reading, once: it still counts the model's tokens then."""
        if self._reading is not None and not self._reading.cancelling():
            self._reading.cancel()

    async def _end_reading(self) -> None:
        """Free the model's connection. Raises what the reading raised, which is a defect."""
        self._stop_reading()
        if self._reading is not None:
            with suppress(asyncio.CancelledError):
                await self._reading

    def _fail(self, error: ModelError) -> None:
        """Record why the model failed. If it produced no text, answer without it."""
        self._failure, self.reply.error = error, error.message[:_ERROR_CHARACTERS]
        if not self.text.strip():
            self.reply.source = AnswerSource.FALLBACK

    def _without_model(self, context: Context) -> str:
        reply = self.reply
        earlier = Reply.objects.filter(owner_id=self.owner, thread_id=reply.thread_id, error="")
        return answer_without_model(
            reply.question.content,
            context.remembered,
            list_learnable(reply.question),
            self._failure,
            is_explained=earlier.filter(source=AnswerSource.FALLBACK, answer__isnull=False).exists(),
        )

    def _status(self) -> ReplyStatus:
        if self._finish_reason:
            return ReplyStatus.DONE
        if self._is_stopped:
            return ReplyStatus.STOPPED
        return ReplyStatus.CUT if self.text.strip() else ReplyStatus.FAILED

    async def _store_whatever_happens(self) -> Message | None:
        """Store the answer. A second cancellation ends the wait for it, but not the storing."""
        finish = self._finish_reason if self.reply.source == AnswerSource.LLM else ""
        return await store_answer_patiently(self.reply, ProducedAnswer(self.text, finish), self._status())


class AnswerPieces(AsyncIterator[Piece]):
    """The pieces of an answer. Closing this ends the reply, even if no piece was read."""

    def __init__(self, answer: Answer) -> None:
        self._answer, self._pieces = answer, answer.pieces()
        self._is_begun = False

    async def __anext__(self) -> Piece:
        self._is_begun = True
        return await anext(self._pieces)

    async def aclose(self) -> None:
        """Stop reading: the answer is stored as far as it was produced."""
        if not self._is_begun:  # Python executes nothing of a generator that is closed before its first step
            self._is_begun = True
            await self._answer.end_unread()
        await self._pieces.aclose()
