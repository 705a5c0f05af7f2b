"""OpenAI's Agents SDK against `/v1` of a running site: sessions, chains of responses, tools, streams."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import openai
import pytest
import pytest_asyncio
from agents import (
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIConversationsSession,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)

URL, KEY = os.environ["MEMSITE_TEST_URL"], os.environ["MEMSITE_TEST_KEY"]
set_tracing_disabled(True)
pytestmark = pytest.mark.asyncio


@function_tool
def add(amount: int) -> str:
    """Add an amount to five."""
    return f"It is {amount + 5}."


@pytest_asyncio.fixture
async def client() -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(base_url=f"{URL}/v1", api_key=KEY) as made:
        yield made


def make_agent(client: openai.AsyncOpenAI, *, has_tools: bool = False) -> Agent[None]:
    model = OpenAIResponsesModel("memsite", client)
    return Agent("helper", instructions="Be brief.", model=model, tools=[add] if has_tools else [])


async def test_session_of_conversations_keeps_the_turns(client: openai.AsyncOpenAI) -> None:
    session = OpenAIConversationsSession(openai_client=client)
    agent = make_agent(client)
    for text in ("One", "Two", "Three"):
        done = await Runner.run(agent, text, session=session)
        assert done.final_output == f"I hear you say: {text}"
    texts = [str(item) for item in await session.get_items()]
    assert len(texts) == 6
    assert "One" in texts[0]
    assert "I hear you say: Three" in texts[5]


async def test_session_gives_its_newest_items_and_is_cleared(client: openai.AsyncOpenAI) -> None:
    session = OpenAIConversationsSession(openai_client=client)
    await session.add_items([{"role": "user", "content": text} for text in ("One", "Two", "Three")])
    assert "Three" in str(await session.get_items(limit=1))
    assert "Three" in str(await session.pop_item())
    assert len(await session.get_items()) == 2
    await session.clear_session()
    assert await session.get_items() == []


async def test_session_keeps_a_tool_call_and_its_result(client: openai.AsyncOpenAI) -> None:
    session = OpenAIConversationsSession(openai_client=client)
    done = await Runner.run(make_agent(client, has_tools=True), "Add 7", session=session)
    assert done.final_output == "The tool says: It is 12."
    kinds = [item.get("type", "message") for item in await session.get_items()]
    assert kinds == ["message", "function_call", "function_call_output", "message"]
    again = await Runner.run(make_agent(client), "Thanks", session=session)
    assert again.final_output == "I hear you say: Thanks"


async def test_previous_response_is_continued(client: openai.AsyncOpenAI) -> None:
    agent = make_agent(client)
    first = await Runner.run(agent, "One")
    second = await Runner.run(agent, "Two", previous_response_id=first.last_response_id)
    assert second.final_output == "I hear you say: Two"
    again = await Runner.run(agent, "Three", previous_response_id=first.last_response_id)
    assert again.last_response_id != second.last_response_id


async def test_tool_runs_along_a_chain_of_responses(client: openai.AsyncOpenAI) -> None:
    agent = make_agent(client, has_tools=True)
    done = await Runner.run(agent, "Add 7", auto_previous_response_id=True)
    assert done.final_output == "The tool says: It is 12."


async def test_conversation_is_continued_by_its_id(client: openai.AsyncOpenAI) -> None:
    conversation = (await client.conversations.create()).id
    agent = make_agent(client, has_tools=True)
    done = await Runner.run(agent, "Add 7", conversation_id=conversation)
    assert done.final_output == "The tool says: It is 12."
    items = [item.type async for item in client.conversations.items.list(conversation, order="asc")]
    assert items == ["message", "function_call", "function_call_output", "message"]


async def test_streamed_run_has_the_text(client: openai.AsyncOpenAI) -> None:
    run = Runner.run_streamed(make_agent(client), "One")
    kinds = [event.type async for event in run.stream_events()]
    assert "raw_response_event" in kinds
    assert run.final_output == "I hear you say: One"


async def test_chat_completions_are_used_alike(client: openai.AsyncOpenAI) -> None:
    model = OpenAIChatCompletionsModel("memsite", client)
    agent = Agent("helper", model=model, tools=[add], model_settings=ModelSettings(include_usage=True))
    done = await Runner.run(agent, "Add 7")
    assert done.final_output == "The tool says: It is 12."
