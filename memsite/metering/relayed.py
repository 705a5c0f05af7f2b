"""Relay requests to the model server, metered for one owner, within the daily limit of tokens.

A request is relayed even while the database does not answer: its use is not counted then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.conf import settings

from memsite.errors import ModelError
from memsite.llm.chat import ChatMessage, Usage, counted
from memsite.metering.metered import MeteredCall
from memsite.metering.models import ModelPurpose
from memsite.serving.postgres import acting_for
from memsite.serving.streaming import run_in_stream_thread

if TYPE_CHECKING:
    from memsite.llm.chat.relaying import ChatRelay, RelayedAnswer

#: Seconds that a list of models may take.
_LIST_TIMEOUT: Final = 5.0


class MeteredRelay:
    """Relays one request.

    Args:
        relay: The connection to the server.
        model: Name of the model on the server.
        timeout: Seconds after which the server counts as silent.
        owner: Whose use it is.
    """

    def __init__(self, relay: ChatRelay, *, model: str, timeout: float, owner: UUID) -> None:
        self._relay = relay
        self._model = model
        self._timeout = timeout
        self._owner = owner
        self._call: MeteredCall | None = None
        self._body: Mapping[str, Any] = {}
        self._content = b""

    def admit(self) -> None:
        """Check the budget and the breaker, on a thread.

        Raises:
            ModelError: With reason `budget` or `breaker`.
            DatabaseError: If neither can be checked. The request may be relayed all the same.
        """
        self._call = MeteredCall(self._model, self._timeout, self._owner, ModelPurpose.REPLY)

    def encode(self, body: Mapping[str, Any]) -> None:
        """Encode the body of the request, on a thread."""
        from memsite.llm.chat.relaying import encode_request  # noqa: PLC0415 - loaded already by `_server`

        self._body, self._content = body, encode_request(body)

    async def open(self) -> RelayedAnswer:
        """Send the encoded request, and return the answer once it begins.

        Raises:
            ModelError: As `ChatRelay.open`.
        """
        content, self._content = self._content, b""  # several megabytes, which an open stream need not keep
        try:
            return await self._relay.open(content)
        except ModelError as error:
            await self.record(None, error)
            raise
        except asyncio.CancelledError:
            await self.record(None)
            raise

    async def record(self, answer: RelayedAnswer | None, error: ModelError | None = None) -> None:
        """Count the use of a request that has ended, once.

        Args:
            answer: The answer as far as it came; None if none began.
            error: How the server failed, if it did.
        """
        call, self._call = self._call, None
        if call is not None:
            await run_in_stream_thread(self._record, call, answer, error)

    def _record(self, call: MeteredCall, answer: RelayedAnswer | None, error: ModelError | None) -> None:
        with acting_for(self._owner):
            if error is None:
                call.answered(self._used(answer))
            else:
                call.failed(error, self._used(answer) if answer is not None else None)

    def _used(self, answer: RelayedAnswer | None) -> Usage:
        """Return the server's count of tokens, else our own."""
        if answer is not None and answer.collected.usage is not None:
            return answer.collected.usage
        written = answer.collected.written if answer is not None else ""
        return counted(self._model, _list_texts(self._body.get("messages")), written)


def get_relay(*, model: str, owner: UUID) -> MeteredRelay:
    """Return a relay for one request to the configured server.

    Call this on a thread: the first call loads the client.
    """
    timeout = settings.MEMSITE_MODEL_TIMEOUT
    relay = _server(settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, timeout)
    return MeteredRelay(relay, model=model, timeout=timeout, owner=owner)


async def list_server_models() -> list[dict[str, Any]]:
    """Return the models that the configured server lists, in OpenAI's shape.

    Raises:
        ModelError: If the server gives no list.
    """
    relay = await asyncio.to_thread(_server, settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, _LIST_TIMEOUT)
    return await relay.list_models()


def _list_texts(messages: object) -> list[ChatMessage]:
    """Return a client's messages with their texts alone: nobody counts an image by its characters."""
    found: list[ChatMessage] = []
    for message in messages if isinstance(messages, list) else ():
        if isinstance(message, dict):
            content = message.get("content")
            parts = content if isinstance(content, list) else [content]
            texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
            text = "".join(one for one in texts if isinstance(one, str))
            found.append({"role": str(message.get("role")), "content": text})
    return found


@lru_cache(maxsize=8)
def _server(base_url: str, api_key: str, timeout: float) -> ChatRelay:
    from memsite.llm.chat.relaying import ChatRelay  # noqa: PLC0415 - loads the client, only if it is needed

    return ChatRelay(base_url=base_url, api_key=api_key, timeout=timeout)
