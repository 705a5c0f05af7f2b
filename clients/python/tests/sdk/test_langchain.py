"""LangChain's history and middleware, with a fake model."""

from __future__ import annotations

import warnings
from typing import Any
from uuid import uuid4

import pytest

pytest.importorskip("langchain")

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from memsite import Memsite

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from memsite.langchain import MemsiteChatMessageHistory, MemsiteMiddleware

pytestmark = pytest.mark.filterwarnings("ignore")  # LangChain's own deprecations


class Model(GenericFakeChatModel):
    """Answers "ok", and keeps what it was sent."""

    seen: list[Any] = []

    def _generate(self, messages: list[Any], *args: Any, **kwargs: Any) -> Any:
        self.seen.append(messages)
        return super()._generate(messages, *args, **kwargs)


def model(answer: str = "ok") -> Model:
    return Model(messages=iter([AIMessage(content=answer)] * 5), seen=[])


def away() -> Memsite:
    return Memsite("http://127.0.0.1:9", "msk_x", retries=0)


def test_history_comes_back_as_it_was(memsite: Memsite) -> None:
    history = MemsiteChatMessageHistory(memsite, uuid4().hex)
    call = {"name": "look", "args": {"at": "tea"}, "id": "c1", "type": "tool_call"}
    messages = [
        SystemMessage("Be short."),
        HumanMessage("Look at the tea."),
        AIMessage("", tool_calls=[call]),
        ToolMessage("green", tool_call_id="c1"),
        AIMessage("It is green.", id="answer-1"),
    ]
    history.add_messages(messages)
    history.add_messages([AIMessage("It is green.", id="answer-1")])
    assert history.messages == messages
    history.clear()
    assert history.messages == []


def test_message_without_a_text_is_kept_with_those_beside_it(memsite: Memsite) -> None:
    history = MemsiteChatMessageHistory(memsite, uuid4().hex)
    picture = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    messages = [HumanMessage([picture]), AIMessage("A cat.")]
    history.add_messages(messages)
    assert history.messages == messages


def test_history_goes_on_while_memory_is_away() -> None:
    history = MemsiteChatMessageHistory(away(), "s")
    history.add_messages([HumanMessage("Hi")])
    history.clear()
    assert history.messages == []


def test_agent_is_given_memories_and_the_turn_is_stored(memsite: Memsite) -> None:
    name, session = f"Zorp{uuid4().hex[:8]}", uuid4().hex
    memsite.memories.add(f"The name of the ship is {name}.")
    fake = model()
    agent = create_agent(fake, middleware=[MemsiteMiddleware(memsite)], system_prompt="Be short.")
    agent.invoke(
        {"messages": [HumanMessage(f"What is {name}?")]}, config={"configurable": {"thread_id": session}}
    )
    system = fake.seen[0][0]
    assert system.text.startswith("Be short.")
    assert f"The name of the ship is {name}." in system.text
    thread = memsite.threads.create(external_id=session)
    assert [one.content for one in memsite.threads.messages(thread.id).results] == [f"What is {name}?", "ok"]


def test_agent_goes_on_while_memory_is_away() -> None:
    agent = create_agent(model("still here"), middleware=[MemsiteMiddleware(away(), session_id="s")])
    assert agent.invoke({"messages": [HumanMessage("Hi")]})["messages"][-1].text == "still here"
