"""Relay a request of OpenAI's chat format to the server and its answer back, unchanged in both directions.

`ChatModel` knows text only. A relay knows nothing of a request but its address: tools, images, `n`, `stop`,
`response_format` and unknown fields reach the server unchanged, and so does its answer reach the client. The
content of a stream is collected on the way (see `answers`).
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import openai
import orjson

from memsite.errors import ModelError
from memsite.llm.chat import bodies, retry
from memsite.llm.chat.answers import CollectedAnswer, RelayedEvent
from memsite.llm.chat.openai_chat import make_streaming_client
from memsite.llm.chat.streaming import shared_client

#: The data of the event that ends a stream.
STREAM_END: Final = "[DONE]"
_BLANK_LINE: Final = re.compile(rb"\r?\n\r?\n")
_BLANK_BYTES: Final = 3  # of a blank line that the next chunk may complete
#: Makes the client return the answer before its body is read, as its `with_streaming_response` does.
_UNREAD: Final = {"X-Stainless-Raw-Response": "stream"}
_REFUSALS: Final = range(400, 500)
_TIMED_OUT: Final = 408


class RelayedAnswer:
    """An answer of the server. Read it by `events` or `read`, and close it whatever happens.

    Args:
        manager: The client's asynchronous context manager, not entered yet; entering it sends the request.
        patience: Most seconds until the server answers, and between two events. Comments are no events.

    Attributes:
        collected: What the answer said so far.
    """

    def __init__(self, manager: Any, *, patience: float) -> None:  # noqa: ANN401 - the client's
        self._manager = manager
        self._patience = patience
        self._response: Any = None
        self._bytes: Any = None
        self.collected = CollectedAnswer()

    @property
    def is_stream(self) -> bool:
        """Whether the server sends events, rather than one JSON document."""
        return "text/event-stream" in str(self._response.headers.get("content-type", ""))

    async def open(self) -> None:
        """Send the request and wait for the answer's head.

        Raises:
            RefusedRequest: If the server refuses the request.
            ModelError: If it fails, cannot be reached, does not answer in time, or answers with a page.
        """
        try:
            self._response = await retry.before(retry.Deadline(self._patience), self._manager.__aenter__())
            self._bytes = self._response.iter_bytes()
        except Exception as error:  # noqa: BLE001 - `_translate` sorts the errors
            raise _translate(error) from None  # the cause may quote headers
        kind = str(self._response.headers.get("content-type", ""))
        if "html" in kind:
            await self.close()
            raise retry.bad_answer_error("it is a page")

    async def read(self) -> bytes:
        """Return the whole body, which is JSON.

        Raises:
            RefusedRequest: If it is an error, sent with a status of success, that names a status of 4xx.
            ModelError: If it breaks off, does not arrive in time, is no JSON object, or another error.
        """
        body, deadline = bytearray(), retry.Deadline(self._patience)
        while (chunk := await self._next(deadline)) is not None:
            body += chunk
            if len(body) > bodies.ANSWER_BYTES:
                raise retry.bad_answer_error("it is too long")
        parsed = _parse(bytes(body))
        self.collected.add_whole(parsed)
        if self.collected.error is not None:
            raise _disguised_error(parsed, bytes(body))
        return bytes(body)

    async def events(self) -> AsyncIterator[RelayedEvent]:
        """Yield the events and comments as the server sends them.

        Raises:
            ModelError: If the stream breaks off, or no event comes in time.
        """
        rest, searched, deadline = b"", 0, retry.Deadline(self._patience)
        while (chunk := await self._next(deadline)) is not None:
            rest += chunk
            while (end := _BLANK_LINE.search(rest, searched)) is not None:
                event = RelayedEvent(rest[: end.end()], _read_data(rest[: end.start()]))
                rest, searched = rest[end.end() :], 0
                if event.data:
                    deadline = retry.Deadline(self._patience)
                    self.collected.add_event(event.data)
                yield event
                if event.data == STREAM_END:
                    return
            searched = max(0, len(rest) - _BLANK_BYTES)  # an image in one event arrives in many chunks
            if len(rest) > bodies.ANSWER_BYTES:
                raise retry.bad_answer_error("it is too long")
        if not self.collected.is_finished:
            raise retry.broken_off_error()

    async def close(self) -> None:
        """Free the connection. The server notices that nobody reads."""
        with suppress(Exception):  # the transport's, of a connection that is broken already
            if self._bytes is not None:
                await self._bytes.aclose()
        with suppress(Exception):
            await self._manager.__aexit__(None, None, None)

    async def _next(self, deadline: retry.Deadline) -> Any:  # noqa: ANN401 - bytes or None
        """Return the next bytes of the body, None at its end."""
        try:
            return await retry.before(deadline, anext(self._bytes, None))
        except ModelError:
            raise
        except Exception:  # noqa: BLE001 - the client passes on any error of its transport here
            raise retry.broken_off_error() from None


class ChatRelay:
    """Relays requests to one server.

    Args:
        base_url: Up to and including `/v1`; empty for OpenAI's own.
        api_key: Empty for servers that need none.
        timeout: Seconds until the server must answer, and between two events of a stream.
    """

    def __init__(self, *, base_url: str = "", api_key: str = "", timeout: float = 30.0) -> None:
        self._address = base_url or None
        self._api_key = api_key or "unset"
        self._timeout = timeout

    async def open(self, content: bytes) -> RelayedAnswer:
        """Send a request of the chat format, and return the answer once it begins. Nothing is retried.

        Args:
            content: As `encode_request` returns it.

        Raises:
            RefusedRequest: If the server refuses the request.
            ModelError: As `ChatModel.stream`.
        """
        client = await self._connect()
        answer = RelayedAnswer(_post_chat(client, content), patience=self._timeout)
        await answer.open()
        return answer

    async def list_models(self) -> list[dict[str, Any]]:
        """Return the server's models in OpenAI's shape; fields that the server adds are kept.

        Raises:
            ModelError: If the server does not answer in time, or with something else.
        """
        client = await self._connect()
        manager = client.models.with_streaming_response.list(timeout=None)
        answer = RelayedAnswer(manager, patience=self._timeout)
        await answer.open()
        try:
            found = _parse(await answer.read()).get("data")
        finally:
            await answer.close()
        models = found if isinstance(found, list) else []
        return [one for one in models if isinstance(one, dict) and isinstance(one.get("id"), str)]

    async def _connect(self) -> Any:  # noqa: ANN401 - the client, whose types cover each parameter alone
        place = (self._address or "", self._api_key)
        return await shared_client(place, lambda: make_streaming_client(self._address, self._api_key))


def encode_request(body: Mapping[str, Any]) -> bytes:
    """Return a request as it is sent. One of many megabytes takes long: call this on a thread."""
    try:
        return orjson.dumps(body)
    except TypeError:  # it has half a character, a number of over 64 bits, or is nested deeply
        return json.dumps(body).encode()


@asynccontextmanager
async def _post_chat(client: Any, content: bytes) -> AsyncIterator[Any]:  # noqa: ANN401 - see `_connect`
    """Send a request and yield the answer once it begins. The client would encode one in the event loop."""
    options = {"headers": _UNREAD, "timeout": None}
    response = await client.post("/chat/completions", cast_to=object, content=content, options=options)
    try:
        yield response
    finally:
        await response.close()


def _translate(error: Exception) -> ModelError:
    """Convert the client's error to ours; the body of a refusal is kept."""
    if isinstance(error, openai.APIStatusError):
        response = error.response
        if error.status_code in _REFUSALS and error.status_code != _TIMED_OUT:
            named = {name: response.headers.get(name) for name in ("retry-after", "retry-after-ms")}
            headers = {name: value for name, value in named.items() if value}
            kind = response.headers.get("content-type", "")
            return retry.RefusedRequest(error.status_code, response.content, kind, headers)
    return retry.as_model_error(error)


def _disguised_error(parsed: Mapping[str, Any], body: bytes) -> ModelError:
    """Return the error of a body that was sent with a status of success; its own status, if it names one."""
    error = parsed["error"]
    code = error.get("code") if isinstance(error, Mapping) else None
    if isinstance(code, int) and code in _REFUSALS and code != _TIMED_OUT:
        return retry.RefusedRequest(code, body, "application/json", {})
    return retry.bad_answer_error("it is an error with a good status")


def _parse(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise retry.bad_answer_error("it is no JSON") from None
    if not isinstance(found, dict):
        raise retry.bad_answer_error("it is no JSON object")
    return found


def _read_data(block: bytes) -> str:
    lines = block.replace(b"\r\n", b"\n").decode("utf-8", "replace").split("\n")
    data = [line[5:].removeprefix(" ") for line in lines if line.startswith("data:")]
    return "\n".join(data)
