"""OpenAI's own client, unmodified, against the site's application."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import httpx2
import numpy as np
import openai
import pytest

from memsite import asgi
from memsite.llm.embedding import get_embedder
from tests.llm_server import LLMServer, answer, status, stream
from tests.threads.completions.calling import Caller
from threads.models import Message

pytestmark = pytest.mark.django_db
T = TypeVar("T")
MESSAGES: Any = [{"role": "developer", "content": "Be brief."}, {"role": "user", "content": "Hi"}]


@asynccontextmanager
async def connected(caller: Caller, **options: Any) -> AsyncIterator[openai.AsyncOpenAI]:
    application: Any = asgi.application  # httpx2 and asgiref type ASGI differently
    transport = httpx2.ASGITransport(app=application)
    async with (
        httpx2.AsyncClient(transport=transport) as http,
        openai.AsyncOpenAI(
            base_url="http://localhost/v1", api_key=caller.key, http_client=http, max_retries=0, **options
        ) as client,
    ):
        yield client


def using(caller: Caller, act: Callable[[openai.AsyncOpenAI], Awaitable[T]]) -> T:
    """Return what `act` returns for a client with the caller's key."""

    async def run() -> T:
        async with connected(caller) as client:
            return await act(client)

    return caller.loop.run(run())


def test_completion_is_parsed(alice_v1: Caller, models_configured: LLMServer) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": "{}"}}
    models_configured.script(answer("Hello.", tool_calls=[call]))
    said = using(alice_v1, lambda one: one.chat.completions.create(model="memsite", messages=MESSAGES))
    choice = said.choices[0].message
    assert choice.content == "Hello."
    assert [tool.function.name for tool in choice.tool_calls or () if tool.type == "function"] == ["add"]
    assert said.usage is not None
    assert said.usage.total_tokens == 15


def test_stream_is_parsed_with_its_usage(alice_v1: Caller, models_configured: LLMServer) -> None:
    async def act(client: openai.AsyncOpenAI) -> list[Any]:
        chunks = await client.chat.completions.create(
            model="memsite", messages=MESSAGES, stream=True, stream_options={"include_usage": True}
        )
        return [chunk async for chunk in chunks]

    models_configured.script(stream("Hel", "lo"))
    chunks = using(alice_v1, act)
    assert "".join(one.choices[0].delta.content or "" for one in chunks if one.choices) == "Hello"
    assert chunks[-1].usage.total_tokens == 15
    assert Message.objects.get(role="assistant").content == "Hello"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (400, openai.BadRequestError),
        (429, openai.RateLimitError),
        (500, openai.InternalServerError),
    ],
)
def test_error_has_its_class(
    code: int, kind: type[openai.APIStatusError], alice_v1: Caller, models_configured: LLMServer
) -> None:
    models_configured.script(status(code))
    with pytest.raises(kind) as raised:
        using(alice_v1, lambda one: one.chat.completions.create(model="memsite", messages=MESSAGES))
    assert raised.value.request_id


def test_models_are_listed(alice_v1: Caller, models_configured: LLMServer) -> None:
    async def act(client: openai.AsyncOpenAI) -> list[str]:
        return [model.id async for model in client.models.list()]

    assert using(alice_v1, act) == ["primary-model", "fast-model"]


def test_embeddings_are_decoded(alice_v1: Caller) -> None:
    made = using(alice_v1, lambda one: one.embeddings.create(model="any", input=["a cat"]))
    assert np.allclose(made.data[0].embedding, get_embedder().embed(["a cat"])[0], atol=1e-6)


def test_responses_are_parsed_whole_and_streamed(alice_v1: Caller, models_configured: LLMServer) -> None:
    async def act(client: openai.AsyncOpenAI) -> tuple[str, str]:
        first = await client.responses.create(model="memsite", input="Hi")
        async with client.responses.stream(
            model="memsite", input="And?", previous_response_id=first.id
        ) as events:
            async for _ in events:
                pass
            last = await events.get_final_response()
        return first.output_text, last.output_text

    models_configured.script(answer("One."), stream("Tw", "o."))
    assert using(alice_v1, act) == ("One.", "Two.")


def test_conversations_are_parsed(alice_v1: Caller, models_configured: LLMServer) -> None:
    async def act(client: openai.AsyncOpenAI) -> list[str]:
        made = await client.conversations.create(items=[{"role": "user", "content": "Hi"}])
        await client.responses.create(model="memsite", input="And?", conversation=made.id)
        items = client.conversations.items.list(made.id, order="asc", limit=2)
        return [part["text"] async for item in items for part in item.model_dump()["content"]]

    assert using(alice_v1, act) == ["Hi", "And?", "ok"]
