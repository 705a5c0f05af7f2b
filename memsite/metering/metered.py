"""The chat model of a slot, metered for one owner, within the daily limit of tokens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast
from uuid import UUID

import structlog
from django.conf import settings
from django.core.exceptions import SynchronousOnlyOperation
from django.db import Error as DatabaseError

from memsite.errors import ModelError
from memsite.llm.chat import (
    ChatMessage,
    ChatModel,
    Chunk,
    Completion,
    JsonSchema,
    ModelTier,
    Usage,
    counted,
    retry,
)
from memsite.metering import breaker, usage
from memsite.metering.breaker import NAME_LENGTH
from memsite.metering.model_status import get_model_name
from memsite.metering.models import ModelPurpose
from memsite.serving.streaming import releasing, run_in_stream_thread

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


_NOTHING: Final = Usage(0, 0)
#: Duration after which a call has certainly ended, as a multiple of the timeout: a stream takes ten.
_LONGEST: Final = 11
_log = structlog.get_logger("memsite.metering")


def get_chat_model(
    tier: ModelTier, *, owner: UUID, purpose: ModelPurpose = ModelPurpose.OTHER
) -> ChatModel | None:
    """Return the slot's model for this owner; None if none is configured.

    Its use is counted for the owner and the purpose. It raises ModelError like any `ChatModel`, with reason
    `budget` if the owner's day is used up and `breaker` while the server is avoided. No database connection
    is held while the server works, and the model must not be called inside a transaction. Call this on a
    thread: the first call loads the client.
    """
    name = get_model_name(tier)
    if not name:
        return None
    timeout = settings.MEMSITE_MODEL_TIMEOUT
    server = _server(name, settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, timeout)
    return MeteredChat(server, timeout=timeout, owner=owner, purpose=purpose)


class MeteredChat:
    """A `ChatModel` that counts its use, stays within the budget and respects the breaker."""

    def __init__(self, inner: ChatModel, *, timeout: float, owner: UUID, purpose: ModelPurpose) -> None:
        self._inner = inner
        self._owner = owner
        self._purpose = purpose
        self._timeout = timeout

    @property
    def model(self) -> str:
        """The model's name on the server."""
        return self._inner.model

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float = 0.3,
        max_tokens: int | None = None,
        schema: JsonSchema | None = None,
    ) -> Completion:
        """Return the whole answer; see `ChatModel`."""
        call = MeteredCall(self.model, self._timeout, self._owner, self._purpose)
        try:
            completion = self._inner.complete(
                messages, temperature=temperature, max_tokens=max_tokens, schema=schema
            )
        except ModelError as error:
            call.failed(error)
            raise
        call.answered(completion.usage)
        return completion

    async def stream(
        self, messages: Sequence[ChatMessage], *, temperature: float = 0.7, max_tokens: int | None = None
    ) -> AsyncIterator[Chunk]:
        """Yield the answer piece by piece; see `ChatModel`. Count the part before an interruption, too."""
        call = await run_in_stream_thread(MeteredCall, self.model, self._timeout, self._owner, self._purpose)
        chunks = self._inner.stream(messages, temperature=temperature, max_tokens=max_tokens)
        parts: list[str] = []
        used: Usage | None = None

        def so_far() -> Usage:
            return used or counted(self.model, messages, "".join(parts))

        try:
            async with aclosing(cast("AsyncGenerator[Chunk]", chunks)):
                async for chunk in chunks:
                    parts.append(chunk.text)
                    used = chunk.usage or used
                    yield chunk
        except ModelError as error:
            failure = error
            await run_in_stream_thread(lambda: call.failed(failure, so_far() if parts else None))
            raise
        except (GeneratorExit, asyncio.CancelledError):
            await run_in_stream_thread(lambda: call.answered(so_far()))
            raise
        await run_in_stream_thread(lambda: call.answered(so_far()))


class MeteredCall:
    """One call that budget and breaker let pass; its use is recorded when it ends."""

    def __init__(self, model: str, timeout: float, owner: UUID, purpose: ModelPurpose) -> None:
        self._model = model[:NAME_LENGTH]
        self._owner = owner
        self._purpose = purpose
        with releasing():  # the server may be slow; others need the connection meanwhile
            check_budget(owner=owner)
            self._tried = breaker.admit_call(self._model, longest=timeout * _LONGEST)
        # A caller with a short time limit gives up before the server's time is over, which says nothing about
        # it.
        self._is_patient = retry.make_deadline(timeout).remaining() >= timeout * 0.9

    def answered(self, used: Usage) -> None:
        """Record a call that was answered."""
        self._write(used, failed=False, server_failed=False)

    def failed(self, error: ModelError, used: Usage | None = None) -> None:
        """Record a call that failed."""
        reported = error.usage if isinstance(error, retry.BadAnswer) else None
        passing = isinstance(error, retry.TransientModelError)
        hurried = not self._is_patient and (error.detail or {}).get("reason") == "timeout"
        self._write(reported or used or _NOTHING, failed=True, server_failed=passing and not hurried)

    def _write(self, used: Usage, *, failed: bool, server_failed: bool) -> None:
        """Record the call. If the count cannot be written, the answer is still delivered."""
        try:
            with releasing():
                self._count(used, failed=failed, server_failed=server_failed)
        except (DatabaseError, SynchronousOnlyOperation) as error:
            _log.warning("a model's use was not counted", model=self._model, kind=type(error).__name__)

    def _count(self, used: Usage, *, failed: bool, server_failed: bool) -> None:
        usage.add_usage(used, model=self._model, failed=failed, owner=self._owner, purpose=self._purpose)
        if server_failed:
            breaker.record_failure(self._model, tried=self._tried)
        else:
            breaker.record_answer(self._model)


@lru_cache(maxsize=8)
def _server(model: str, base_url: str, api_key: str, timeout: float) -> ChatModel:
    from memsite.llm.chat.openai_chat import OpenAIChat  # noqa: PLC0415 - loaded only if a model is configured

    return OpenAIChat(model=model, base_url=base_url, api_key=api_key, timeout=timeout)


def check_budget(*, owner: UUID) -> None:
    """Raise ModelError with reason `budget` if the day's tokens are used up.

    This is checked before a call, so simultaneous calls may exceed the budget by their own tokens.
    """
    allowed = settings.MEMSITE_MODEL_DAILY_TOKENS
    if allowed and usage.sum_tokens_today(owner=owner).tokens >= allowed:
        raise ModelError("today's budget of model tokens is used up", {"reason": "budget"})
