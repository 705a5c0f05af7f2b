"""Read a streamed answer in an event loop: open it, watch its deadlines, close its connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, Final
from weakref import WeakKeyDictionary

from memsite.errors import ModelError
from memsite.llm.chat import answers, bodies, retry
from memsite.llm.chat.chat import Chunk, Usage
from memsite.llm.chat.thoughts import ThoughtFilter

_END: Final = "[DONE]"

#: Clients by event loop and by address and key. The connections of a client belong to one loop.
_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, str], asyncio.Task[Any]]] = (
    WeakKeyDictionary()
)


async def shared_client(place: tuple[str, str], make: Callable[[], Any]) -> Any:  # noqa: ANN401 - see OpenAIChat
    """Return this event loop's client of a place (base URL and key), made on a thread at the first call.

    Making one takes a tenth of a second or more, because it reads the certificates of authorities.
    """
    clients = _clients.setdefault(asyncio.get_running_loop(), {})
    if place not in clients:
        clients[place] = asyncio.create_task(asyncio.to_thread(make))
    try:
        return await asyncio.shield(clients[place])
    except Exception:
        clients.pop(place, None)  # the next call tries again
        raise


async def close_clients() -> None:
    """Close the clients of this event loop."""
    for making in _clients.pop(asyncio.get_running_loop(), {}).values():
        with suppress(Exception):  # of a client that could not be made
            await (await making).close()


class AnswerStream:
    """A streamed answer. Open it first, and close it whatever happens.

    Args:
        manager: The client's asynchronous context manager, not entered yet; entering it sends the request.
        patience: Most seconds between two pieces. Comments and empty lines, which some servers send to keep a
            connection open, do not count as pieces.
        whole: When the whole answer must have arrived.
    """

    def __init__(self, manager: Any, *, patience: float, whole: retry.Deadline) -> None:  # noqa: ANN401 - the client's
        self._manager = manager
        self._patience = patience
        self._whole = whole
        self._idle = retry.Deadline(patience)
        self._bytes: Any = None
        self._all: list[str] = []
        self._pieces = self._read()
        self._first = answers.AnswerPart("", None, None)

    @property
    def text(self) -> str:
        """All text received so far, thoughts included."""
        return "".join(self._all)

    async def open(self) -> None:
        """Send the request and wait for the first piece.

        Raises:
            ModelError: Or an error of the client; the connection is closed then.
        """
        response = await self._manager.__aenter__()
        self._bytes = response.iter_bytes()
        try:
            self._first = await anext(self._pieces, self._first)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Free the connection; pieces that have not arrived are lost."""
        await self._pieces.aclose()
        with suppress(Exception):  # the transport's, of a connection that is broken already
            await self._bytes.aclose()
            await self._manager.__aexit__(None, None, None)

    async def chunks(self) -> AsyncIterator[Chunk]:
        """Yield the answer without a leading thought; only the last chunk has an end. A blank answer is an
        error.
        """
        thoughts = ThoughtFilter()
        part, finish, usage = self._first, self._first.finish_reason, self._first.usage
        try:
            while True:
                if text := thoughts.feed(part.text):
                    yield Chunk(text)
                part = await anext(self._pieces)
                finish, usage = part.finish_reason or finish, part.usage or usage
        except StopAsyncIteration:
            pass
        except ModelError:
            if finish is None:  # otherwise only the token count is lost
                raise
        yield _last(thoughts, finish, usage)

    async def _read(self) -> Any:  # noqa: ANN401 - an asynchronous generator of Said, which `close` closes
        chunk = b""
        while chunk is not None and not chunk.strip():
            chunk = await self._next()
        if chunk is not None and chunk.lstrip().startswith(b"{"):  # a server that does not stream
            part = answers.parse_answer(await self._whole_body(chunk))
            self._all.append(part.text)
            yield part
            return
        events, came = bodies.EventSplitter(), False
        while chunk is not None:
            for event in events.feed(chunk):
                if event == _END:
                    return
                part = answers.parse_event(event)
                came = True
                self._idle = retry.Deadline(self._patience)
                self._all.append(part.text)
                yield part
            chunk = await self._next()
        if not came:
            raise retry.bad_answer_error("it is no stream of events")

    async def _whole_body(self, first: bytes) -> bytes:
        body = bytearray(first)
        while (chunk := await self._next()) is not None:
            body += chunk
            if len(body) > bodies.ANSWER_BYTES:
                raise retry.bad_answer_error("it is too long")
        return bytes(body)

    async def _next(self) -> Any:  # noqa: ANN401 - bytes or None, which mypy would have to narrow again and again
        """Return the next bytes of the body, None at its end."""
        try:
            return await retry.before(self._whole.attempt(self._idle.remaining()), anext(self._bytes, None))
        except ModelError:
            raise
        except Exception:  # noqa: BLE001 - the client passes on any error of its transport here
            raise retry.broken_off_error() from None


def _last(thoughts: ThoughtFilter, finish: str | None, usage: Usage | None) -> Chunk:
    if finish is None:
        raise retry.broken_off_error()
    rest = thoughts.rest()
    if not rest.strip() and thoughts.is_blank:
        raise retry.bad_answer_error("it is empty", usage)
    return Chunk(rest, finish, usage)
