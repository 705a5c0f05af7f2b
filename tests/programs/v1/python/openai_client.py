"""OpenAI's own client for Python against `/v1` of a running site."""

from __future__ import annotations

import base64
import os
import struct
import time
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest
from pydantic import BaseModel

URL, KEY = os.environ["MEMSITE_TEST_URL"], os.environ["MEMSITE_TEST_KEY"]
ADD: Any = {
    "type": "function",
    "function": {
        "name": "add",
        "parameters": {"type": "object", "properties": {"amount": {"type": "integer"}}},
    },
}
LEARNING_SECONDS = 120


class City(BaseModel):
    name: str
    people: int


@pytest.fixture
def client() -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{URL}/v1", api_key=KEY) as made:
        yield made


def say(text: str) -> Any:
    return [{"role": "user", "content": f"{text} ({uuid.uuid4()})"}]


def test_models_have_the_configured_one(client: openai.OpenAI) -> None:
    assert client.models.list().data[0].id == "scripted"
    assert client.models.retrieve("scripted-other").object == "model"


def test_whole_chat_is_parsed(client: openai.OpenAI) -> None:
    said = client.chat.completions.create(model="memsite", messages=say("Hello"), n=2)
    assert [choice.index for choice in said.choices] == [0, 1]
    assert (said.choices[0].message.content or "").startswith("I hear you say: Hello")
    assert said.usage is not None
    assert said.usage.prompt_tokens_details is not None
    assert said.usage.prompt_tokens_details.cached_tokens == 4


def test_streamed_chat_ends_with_its_usage(client: openai.OpenAI) -> None:
    chunks = list(
        client.chat.completions.create(
            model="memsite", messages=say("Hello"), stream=True, stream_options={"include_usage": True}
        )
    )
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text.startswith("I hear you say: Hello")
    assert chunks[-1].usage is not None
    assert chunks[-1].choices == []


def test_streaming_helper_collects_the_chat(client: openai.OpenAI) -> None:
    with client.chat.completions.stream(model="memsite", messages=say("Hello")) as events:
        kinds = {event.type for event in events}
        whole = events.get_final_completion()
    assert {"chunk", "content.delta", "content.done"} <= kinds
    assert (whole.choices[0].message.content or "").startswith("I hear you say")


@pytest.mark.parametrize("is_streamed", [False, True])
def test_tool_is_called_and_its_result_is_answered(client: openai.OpenAI, *, is_streamed: bool) -> None:
    messages = say("Add 7")
    if is_streamed:
        with client.chat.completions.stream(model="memsite", messages=messages, tools=[ADD]) as events:
            said: Any = events.get_final_completion().choices[0]
    else:
        said = client.chat.completions.create(model="memsite", messages=messages, tools=[ADD]).choices[0]
    assert said.finish_reason == "tool_calls"
    call = said.message.tool_calls[0]
    assert (call.function.name, call.function.arguments) == ("add", '{"amount": 7}')
    messages += [said.message, {"role": "tool", "tool_call_id": call.id, "content": "It is 12."}]
    last = client.chat.completions.create(model="memsite", messages=messages, tools=[ADD])
    assert last.choices[0].message.content == "The tool says: It is 12."


def test_structured_output_is_parsed(client: openai.OpenAI) -> None:
    said = client.chat.completions.parse(model="memsite", messages=say("Name a city"), response_format=City)
    assert isinstance(said.choices[0].message.parsed, City)


def test_raw_response_has_our_headers(client: openai.OpenAI) -> None:
    raw = client.chat.completions.with_raw_response.create(model="memsite", messages=say("Hello"))
    assert raw.headers["x-request-id"] == raw.request_id
    assert uuid.UUID(raw.headers["memsite-thread"])
    assert raw.headers["memsite-memory"].startswith(("used=", "skipped;", "degraded;"))


@pytest.mark.parametrize("code", ["429", "500"])
def test_client_repeats_a_failed_request_and_it_is_stored_once(client: openai.OpenAI, code: str) -> None:
    raw = client.chat.completions.with_raw_response.create(model=f"flaky-{code}", messages=say("Try"))
    assert raw.retries_taken == 2
    thread = httpx.get(
        f"{URL}/api/threads/{raw.headers['memsite-thread']}/messages",
        headers={"Authorization": f"Bearer {KEY}"},
    )
    assert [one["role"] for one in thread.json()["results"]] in (["user", "assistant"], ["assistant", "user"])


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        ("fails-400", openai.BadRequestError),
        ("fails-429", openai.RateLimitError),
        ("fails-500", openai.InternalServerError),
    ],
)
def test_failure_has_its_class(client: openai.OpenAI, model: str, kind: type[openai.APIStatusError]) -> None:
    with pytest.raises(kind) as raised:
        client.with_options(max_retries=0).chat.completions.create(model=model, messages=say("Hello"))
    assert raised.value.request_id
    assert raised.value.body


def test_other_failures_have_their_classes(client: openai.OpenAI) -> None:
    with pytest.raises(openai.AuthenticationError):
        client.with_options(api_key="msk_wrong").models.list()
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve("resp_" + uuid.uuid4().hex)
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("no-such-model")
    with pytest.raises(openai.BadRequestError):
        client.responses.create(model="memsite", input="Hi", background=True)


def test_embeddings_are_the_same_as_floats_and_as_base64(client: openai.OpenAI) -> None:
    decoded = client.embeddings.create(model="any", input=["a cat", "a dog"])
    raw: Any = (
        client.embeddings.create(model="any", input="a cat", encoding_format="base64").data[0].embedding
    )
    floats = client.embeddings.create(model="any", input="a cat", encoding_format="float").data[0].embedding
    unpacked = struct.unpack(f"<{len(floats)}f", base64.b64decode(raw))
    assert decoded.data[0].embedding == pytest.approx(floats)
    assert list(unpacked) == pytest.approx(floats)


def test_whole_response_is_continued(client: openai.OpenAI) -> None:
    first = client.responses.create(model="memsite", input="Hello", instructions="Be brief.")
    assert first.output_text == "I hear you say: Hello"
    assert first.usage is not None
    assert first.usage.input_tokens_details.cached_tokens == 4
    assert first.usage.output_tokens_details.reasoning_tokens == 2
    second = client.responses.create(model="memsite", input="And?", previous_response_id=first.id)
    assert client.responses.retrieve(second.id).output_text == second.output_text
    items = client.responses.input_items.list(second.id).data
    assert [part["text"] for part in items[0].model_dump()["content"]] == ["And?"]
    client.responses.delete(second.id)
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(second.id)


def test_streamed_response_is_collected(client: openai.OpenAI) -> None:
    with client.responses.stream(model="memsite", input="Hello there") as events:
        seen = list(events)
        whole = events.get_final_response()
    assert [one.sequence_number for one in seen] == list(range(len(seen)))
    assert (seen[0].type, seen[-1].type) == ("response.created", "response.completed")
    assert whole.output_text == "I hear you say: Hello there"


@pytest.mark.parametrize("is_streamed", [False, True])
def test_response_calls_a_tool(client: openai.OpenAI, *, is_streamed: bool) -> None:
    tool: Any = {
        "type": "function",
        "name": "add",
        "parameters": ADD["function"]["parameters"],
        "strict": False,
    }
    if is_streamed:
        with client.responses.stream(model="memsite", input="Add 7", tools=[tool]) as events:
            first: Any = events.get_final_response()
    else:
        first = client.responses.create(model="memsite", input="Add 7", tools=[tool])
    call = first.output[0]
    assert (call.type, call.name, call.arguments) == ("function_call", "add", '{"amount": 7}')
    result: Any = [{"type": "function_call_output", "call_id": call.call_id, "output": "It is 12."}]
    last = client.responses.create(model="memsite", input=result, tools=[tool], previous_response_id=first.id)
    assert last.output_text == "The tool says: It is 12."


def test_response_is_parsed_into_a_class(client: openai.OpenAI) -> None:
    said = client.responses.parse(model="memsite", input="Name a city", text_format=City)
    assert isinstance(said.output_parsed, City)


def test_conversation_keeps_its_items_in_order(client: openai.OpenAI) -> None:
    made = client.conversations.create(
        items=[{"role": "user", "content": "One"}], metadata={"topic": "counting"}
    )
    client.responses.create(model="memsite", input="Two", conversation=made.id)
    items = list(client.conversations.items.list(made.id, order="asc", limit=2))
    texts = [one.model_dump()["content"][0]["text"] for one in items]
    assert texts == ["One", "Two", "I hear you say: Two"]
    client.conversations.items.delete(items[0].id or "", conversation_id=made.id)
    assert len(list(client.conversations.items.list(made.id))) == 2
    assert client.conversations.update(made.id, metadata={"topic": "other"}).metadata == {"topic": "other"}
    assert client.conversations.delete(made.id).deleted
    with pytest.raises(openai.NotFoundError):
        client.conversations.retrieve(made.id)


def test_what_was_said_once_is_known_in_a_new_conversation(client: openai.OpenAI) -> None:
    client.chat.completions.create(
        model="memsite", messages=[{"role": "user", "content": "My dentist is Doctor Ferreira in Porto."}]
    )
    until = time.monotonic() + LEARNING_SECONDS
    known = ""
    while "Ferreira" not in known and time.monotonic() < until:
        time.sleep(2)
        answer = client.chat.completions.create(
            model="memsite", messages=[{"role": "user", "content": "What do you know about my dentist?"}]
        )
        known = answer.choices[0].message.content or ""
    assert "Ferreira" in known


async def _collect(made: openai.AsyncOpenAI) -> str:
    chunks = await made.chat.completions.create(model="memsite", messages=say("Hello"), stream=True)
    return "".join([chunk.choices[0].delta.content or "" async for chunk in chunks])


@pytest.mark.asyncio
async def test_asynchronous_client_streams() -> None:
    async with openai.AsyncOpenAI(base_url=f"{URL}/v1", api_key=KEY) as made:
        assert (await _collect(made)).startswith("I hear you say: Hello")


def test_client_may_close_a_stream(client: openai.OpenAI) -> None:
    raw = client.chat.completions.with_raw_response.create(
        model="memsite", messages=say("Hello"), stream=True
    )
    stream = raw.parse()
    next(iter(stream))
    stream.close()
    again = client.chat.completions.create(model="memsite", messages=say("Hello"))
    assert again.choices[0].message.content
