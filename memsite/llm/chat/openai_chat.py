"""Chat with any server that speaks OpenAI's protocol."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final, cast

import openai

from memsite.llm.chat import answers, bodies, retry
from memsite.llm.chat.adapting import Parameters, adapted_requests, as_refusal
from memsite.llm.chat.answers import counted
from memsite.llm.chat.chat import ChatMessage, Chunk, Completion, JsonSchema
from memsite.llm.chat.reading import remove_thought
from memsite.llm.chat.streaming import AnswerStream, shared_client
from memsite.llm.chat.strictness import make_strict_schema

#: Most bytes of a whole answer.
_ANSWER_BYTES: Final = 16 * 1024 * 1024
#: Limit of a whole stream, as a multiple of the timeout of one piece.
_TOTAL_PER_PIECE: Final = 10


class OpenAIChat:
    """A `ChatModel` that sends its requests to a server.

    Args:
        model: Name of the model on the server.
        base_url: Up to and including `/v1`; empty for OpenAI's own.
        api_key: Empty for servers that need none.
        timeout: Seconds for each try of a whole answer, and for the first and each further piece of a stream.
            All tries together take at most 1.5 times as long, a stream 10 times.
    """

    def __init__(self, *, model: str, base_url: str = "", api_key: str = "", timeout: float = 30.0) -> None:
        self.model = model
        self._address = base_url or None
        self._api_key = api_key or "unset"  # the client requires one; servers without keys ignore it
        self._timeout = timeout
        self._connected: tuple[int, openai.OpenAI] | None = None

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float = 0.3,
        max_tokens: int | None = None,
        schema: JsonSchema | None = None,
    ) -> Completion:
        """Return the whole answer; see `ChatModel`. A blank answer is an error."""
        parameters = self._parameters(messages, temperature, max_tokens)
        if schema is not None:
            parameters["response_format"] = make_strict_schema(schema)
        with retry.time_limit(self._timeout * retry.TOTAL_PER_ATTEMPT):
            for request in adapted_requests(self._place, parameters):
                with request as adapted:
                    answer = self._complete(adapted)
        usage = answer.usage or counted(self.model, messages, answer.text)
        text = remove_thought(answer.text)
        if not text.strip():
            raise retry.bad_answer_error("it is empty", usage)
        return Completion(text, answer.finish_reason or "stop", self.model, usage)

    async def stream(
        self, messages: Sequence[ChatMessage], *, temperature: float = 0.7, max_tokens: int | None = None
    ) -> AsyncIterator[Chunk]:
        """Yield the answer piece by piece; see `ChatModel`. Only the start of the stream is retried."""
        parameters = self._parameters(messages, temperature, max_tokens)
        parameters |= {"stream": True, "stream_options": {"include_usage": True}}
        whole = retry.make_deadline(self._timeout * _TOTAL_PER_PIECE)
        with retry.time_limit(self._timeout * retry.TOTAL_PER_ATTEMPT):
            for request in adapted_requests(self._place, parameters):
                with request as adapted:
                    opened = await self._open(adapted, whole)
        try:
            async for chunk in opened.chunks():
                if not chunk.finish_reason:
                    yield chunk
                    continue
                usage = chunk.usage or counted(self.model, messages, opened.text)
                yield Chunk(chunk.text, chunk.finish_reason, usage)
        finally:
            await opened.close()

    @property
    def _place(self) -> tuple[str, str]:
        return (self._address or "", self.model)

    def _parameters(
        self, messages: Sequence[ChatMessage], temperature: float, max_tokens: int | None
    ) -> Parameters:
        parameters: Parameters = {"model": self.model, "messages": list(messages), "temperature": temperature}
        return parameters if max_tokens is None else parameters | {"max_tokens": max_tokens}

    def _complete(self, parameters: Parameters) -> answers.AnswerPart:
        def attempt(deadline: retry.Deadline) -> answers.AnswerPart:
            try:
                with self._request(parameters, deadline.remaining()) as response:
                    body = bodies.read_body(response.iter_bytes(), deadline, limit=_ANSWER_BYTES)
            except Exception as error:  # noqa: BLE001 - `as_refusal` sorts the errors
                raise as_refusal(error, parameters) from None  # the cause may quote headers
            return answers.parse_answer(body)

        return retry.call_with_retries(attempt, attempt_seconds=self._timeout)

    async def _open(self, parameters: Parameters, whole: retry.Deadline) -> AnswerStream:
        place = (self._address or "", self._api_key)
        client = await shared_client(place, lambda: make_streaming_client(self._address, self._api_key))

        async def attempt() -> AnswerStream:
            # No timeouts of the client's, which would cost time at each piece: ours end it.
            manager = client.chat.completions.with_streaming_response.create(**parameters, timeout=None)
            stream = AnswerStream(manager, patience=self._timeout, whole=whole)
            try:
                await stream.open()
            except Exception as error:  # noqa: BLE001 - `as_refusal` sorts the errors
                raise as_refusal(error, parameters) from None  # the cause may quote headers
            return stream

        return await retry.await_with_retries(attempt, attempt_seconds=self._timeout)

    def _request(self, parameters: Parameters, seconds: float) -> Any:  # noqa: ANN401 - the client's manager
        # The client's types cover each parameter alone; ours are chosen at run time.
        create = cast("Any", self._client().chat.completions.with_streaming_response.create)
        return create(**parameters, timeout=seconds)

    def _client(self) -> openai.OpenAI:
        # A forked process must not share a connection with its parent.
        if self._connected is None or self._connected[0] != os.getpid():
            client = openai.OpenAI(base_url=self._address, api_key=self._api_key, max_retries=0)
            self._connected = (os.getpid(), client)
        return self._connected[1]


def make_streaming_client(base_url: str | None, api_key: str) -> openai.AsyncOpenAI:
    """Return a client without a limit of connections and without retries."""
    # The client's default limit is a thousand connections. How many replies may run is not its decision.
    limits = type(openai.DEFAULT_CONNECTION_LIMITS)(max_connections=None, max_keepalive_connections=100)
    transport = openai.DefaultAsyncHttpxClient(limits=limits)
    return openai.AsyncOpenAI(base_url=base_url, api_key=api_key, max_retries=0, http_client=transport)
