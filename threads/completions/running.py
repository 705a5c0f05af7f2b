"""Relay the model server's answer to a request, and store it.

The answer is read in a task of its own. Whoever sends it to the client takes what has arrived; while nothing
arrives for long, a comment keeps the connection open. The answer is stored before its last piece is sent,
because the client's next request is placed in the thread by this answer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import ExitStack, suppress
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import DatabaseError, InterfaceError
from pydantic import ValidationError

from memsite.errors import Conflict, ModelError
from memsite.llm.chat import CollectedAnswer, RelayedEvent
from memsite.serving.streaming import run_in_stream_thread
from threads.completions.preparation import PreparedRequest
from threads.completions.values import encode_json
from threads.messages import ToolCall
from threads.models import ReplyStatus
from threads.replies import ProducedAnswer, keep_running, store_answer_patiently

#: Seconds without a piece after which a comment is sent.
SILENCE: Final = 15.0
#: Seconds after which the block of memories is stored, unless the answer ends before: its first bytes, which
#: a person waits for, do not share the processor with that.
_BLOCK_WAIT: Final = 0.25
#: Seconds that the end of an answer waits for its storing, which goes on after that. A client that continues
#: before the answer is stored does not find it; a busy machine took more than two seconds.
_STORE_WAIT: Final = 10.0
_COMMENT: Final = RelayedEvent(b": waiting\n\n", "")
_END: Final = "[DONE]"
_ERROR_CHARACTERS: Final = 500
_log: Final = structlog.get_logger("threads.completions")

#: Tasks that end requests. The event loop keeps no reference to its tasks.
_ending: Final[set[asyncio.Task[Any]]] = set()


class RunningRequest:
    """A request whose answer is being read. Call `begin` first, and `end` whatever happens.

    Attributes:
        whole: The answer, if the server sent no stream.
        error: How the server failed.
    """

    def __init__(self, prepared: PreparedRequest) -> None:
        self.prepared = prepared
        self.whole: dict[str, Any] | None = None
        self.error: ModelError | Conflict | None = None
        self._answer: Any = None
        self._parts: list[RelayedEvent] = []
        self._news = asyncio.Event()
        self._opened = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None
        self._storing_block: asyncio.Task[None] | None = None
        self._is_stopped = self._is_ended = False
        self._running = ExitStack()

    @property
    def id(self) -> UUID:
        """Id of the reply."""
        if self.prepared.reply is None:
            raise RuntimeError("a request without a reply is not stored")
        return self.prepared.reply.pk

    @property
    def owner(self) -> UUID:
        """Id of the reply's owner."""
        return self.prepared.owner

    @property
    def text(self) -> str:
        """The text produced so far."""
        return self.collected.text

    @property
    def collected(self) -> CollectedAnswer:
        """The content received so far."""
        return self._answer.collected if self._answer is not None else CollectedAnswer()

    def stop(self) -> None:
        """End the answer with what was produced so far, because the person asked for it on a page."""
        self._is_stopped = True
        self.error = self.error or Conflict("The person stopped this answer.")
        if self._reading is not None:
            self._reading.cancel()

    async def begin(self) -> None:
        """Send the request; return once the answer begins, or has not begun for SILENCE seconds.

        Raises:
            ModelError: If the server failed before anything of the answer arrived.
        """
        if self.prepared.reply is not None:
            self._running.enter_context(keep_running(self))
        self._reading = asyncio.create_task(self._read())
        self._storing_block = asyncio.create_task(self._store_block())
        opened = asyncio.create_task(self._opened.wait())
        try:
            await asyncio.wait({self._reading, opened}, timeout=SILENCE, return_when=asyncio.FIRST_COMPLETED)
        finally:
            opened.cancel()
        if self.error is not None and not self._parts:
            raise self.error

    async def read_whole(self) -> dict[str, Any]:
        """Return the whole answer, stored.

        Raises:
            ModelError: If the server failed.
        """
        await self.begin()
        if self._reading is not None:
            await asyncio.wait({self._reading})
        await self.end()
        if self.error is not None or self.whole is None:
            raise self.error or Conflict("The person stopped this answer.")
        return self.whole

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """Yield the stream as the server sends it; at its end, or after an error, it is stored."""
        while (arrived := await self.next_events()) is not None:
            yield b"".join(event.raw for event in arrived)
        await self.end()
        if self.error is not None:
            return
        if self.whole is not None:
            yield _encode(make_chunk(self.whole))
        if self.collected.error is None:
            yield f"data: {_END}\n\n".encode()

    async def next_events(self) -> list[RelayedEvent] | None:
        """Return what has arrived, or a comment if nothing does for long; None at the end."""
        reading = self._reading
        while self._parts or (reading is not None and not reading.done()):
            if self._parts:
                taken, self._parts = self._parts, []
                return taken
            self._news.clear()
            try:
                async with asyncio.timeout(SILENCE):
                    await self._news.wait()
            except TimeoutError:
                return [_COMMENT]
        return None

    async def end(self) -> None:
        """Free the connection, count the tokens and store the answer as far as it came. Once."""
        if self._is_ended:
            return
        self._is_ended = True
        ending = asyncio.create_task(self._end())
        _ending.add(ending)
        ending.add_done_callback(_ending.discard)
        await asyncio.shield(ending)

    async def _read(self) -> None:
        try:
            if self.prepared.refusal is not None:
                raise self.prepared.refusal
            self._answer = await self.prepared.relay.open()
            if not self._answer.is_stream:
                self.whole = json.loads(await self._answer.read())
                return
            self._opened.set()
            async for event in self._answer.events():
                if event.data == _END:
                    return
                self._parts.append(event)
                self._news.set()
        except ModelError as error:
            self.error = error
        finally:
            self._news.set()

    async def _end(self) -> None:
        try:
            if self._reading is not None:
                if not self._reading.done():
                    self._reading.cancel()
                with suppress(asyncio.CancelledError):
                    await self._reading
        finally:
            self._running.close()
            if self._answer is not None:
                await self._answer.close()
            failure = self.error if isinstance(self.error, ModelError) else None
            writing = {
                asyncio.create_task(self._store()),
                asyncio.create_task(self.prepared.relay.record(self._answer, failure)),
            }
            for task in writing:
                _ending.add(task)
                task.add_done_callback(_ending.discard)
            await asyncio.wait(writing, timeout=_STORE_WAIT)

    async def _store_block(self) -> None:
        if self._reading is not None:
            await asyncio.wait({self._reading}, timeout=_BLOCK_WAIT)
        try:
            await run_in_stream_thread(self.prepared.store_block)
        except (DatabaseError, InterfaceError) as error:
            _log.warning("what a model was sent was not stored", kind=type(error).__name__)
        except Exception as error:  # noqa: BLE001 - the answer, which is stored after it, matters more
            _log.error("what a model was sent was not stored", exc_info=error)

    async def _store(self) -> None:
        await (self._storing_block or self._store_block())
        reply, caller = self.prepared.reply, self.prepared.caller
        if reply is None or caller is None:
            return
        collected = self.collected
        calls = _list_calls(collected)
        produced = ProducedAnswer(collected.text, collected.finish_reason, calls, caller.reply)
        if self.error is not None:
            reply.error = self.error.message[:_ERROR_CHARACTERS]
        try:
            await store_answer_patiently(reply, produced, self._get_status(produced))
        except Exception as error:  # noqa: BLE001 - the client has its answer; the log names what is lost
            _log.error("an answer was not stored", reply=str(reply.pk), exc_info=error)

    def _get_status(self, produced: ProducedAnswer) -> ReplyStatus:
        if produced.finish_reason and self.error is None:
            return ReplyStatus.DONE
        if self._is_stopped:
            return ReplyStatus.STOPPED
        return ReplyStatus.FAILED if produced.is_blank else ReplyStatus.CUT


def _list_calls(collected: CollectedAnswer) -> tuple[ToolCall, ...]:
    """Return the tool calls that can be stored, each id once; none of an answer that was cut in a call."""
    if not collected.finish_reason:
        return ()
    calls: dict[str, ToolCall] = {}
    for call in collected.tool_calls:
        with suppress(ValidationError):
            made = ToolCall.model_validate(call)
            calls.setdefault(made.id, made)
    return tuple(calls.values())


def make_chunk(whole: dict[str, Any]) -> dict[str, Any]:
    """Return a whole answer as one chunk of a stream, for a server that does not stream."""
    choices = [
        {**{name: value for name, value in choice.items() if name != "message"}, "delta": choice["message"]}
        for choice in whole.get("choices") or ()
        if isinstance(choice, dict) and isinstance(choice.get("message"), dict)
    ]
    for choice in choices:
        for place, call in enumerate(choice["delta"].get("tool_calls") or ()):
            call.setdefault("index", place)
    return {**whole, "object": "chat.completion.chunk", "choices": choices}


def _encode(data: dict[str, Any]) -> bytes:
    return b"data: " + encode_json(data) + b"\n\n"
