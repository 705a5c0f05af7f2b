"""Contexts of a thread of 2,000 messages, 500 of them tool calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.llm.tokens import count_message_tokens
from tests.threads.saying import assistant_calls, assistant_says, tool_answers, user_says
from threads.context.context import Context, assemble_context
from threads.messages.incoming import NewMessage
from threads.messages.transcript import append_messages, create_thread
from threads.models import Citation, Thread
from threads.prompt.rendering import FORMATS, Format

QUESTION = "Which port does the staging database listen on?"
ROUNDS = 500

both_shapes = pytest.mark.parametrize("shape", FORMATS)
windows = pytest.mark.parametrize("max_tokens", [800, 4_000, 16_000])


def rounds() -> Iterator[NewMessage]:
    for number in range(ROUNDS):
        yield user_says(f"Question {number}: what is written on page {number}?")
        yield assistant_calls(f"call_{number}")
        yield tool_answers(f"call_{number}", f"Page {number} tells of ships. " * (1 + number % 9))
        yield assistant_says(f"Answer {number}: it tells of ships.")


@pytest.fixture
def long_thread(alice: User) -> Thread:
    thread = create_thread(owner=alice.pk, system_prompt="Answer in one sentence.")
    said = list(rounds())
    for start in range(0, len(said), 1_000):
        append_messages(thread.pk, said[start : start + 1_000], owner=alice.pk)
    write_candidates(
        [
            Candidate(content=f"The staging database {number} listens on port 54{number}.")
            for number in range(30)
        ],
        owner=alice.pk,
        actor="test",
    )
    return thread


def blocks(context: Context) -> list[dict[str, Any]]:
    """All messages as Anthropic's blocks, in their order, whatever the shape."""
    found: list[dict[str, Any]] = []
    for message in context.messages:
        content = message["content"]
        if message["role"] == "tool":
            found.append({"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": content})
        elif isinstance(content, list):
            found += content
        elif content:
            found.append({"type": "text", "text": content})
        calls = message.get("tool_calls") or []
        found += [{"type": "tool_use", "id": call["id"]} for call in calls]
    return found


def recount(context: Context) -> int:
    system = count_message_tokens({"content": context.system}) if context.system else 0
    return system + sum(map(count_message_tokens, context.messages))


@both_shapes
@windows
def test_parts_add_up_within_the_window(long_thread: Thread, max_tokens: int, shape: Format) -> None:
    context = assemble_context(
        long_thread.pk, QUESTION, owner=long_thread.owner_id, max_tokens=max_tokens, shape=shape
    )
    assert context.token_stats.total == recount(context) <= max_tokens
    assert recount(context) > max_tokens * 0.8
    assert context.degraded == {}


@both_shapes
@windows
def test_every_call_is_right_before_its_result(long_thread: Thread, max_tokens: int, shape: Format) -> None:
    context = assemble_context(
        long_thread.pk, QUESTION, owner=long_thread.owner_id, max_tokens=max_tokens, shape=shape
    )
    found = blocks(context)
    calls = [place for place, block in enumerate(found) if block["type"] == "tool_use"]
    results = [place for place, block in enumerate(found) if block["type"] == "tool_result"]
    assert calls
    assert results == [place + 1 for place in calls]
    assert [found[place]["id"] for place in calls] == [found[place]["tool_use_id"] for place in results]


@both_shapes
@windows
def test_newest_messages_keep_their_order_and_the_input_is_last(
    long_thread: Thread, max_tokens: int, shape: Format
) -> None:
    context = assemble_context(
        long_thread.pk, QUESTION, owner=long_thread.owner_id, max_tokens=max_tokens, shape=shape
    )
    texts = [block["text"] for block in blocks(context) if block["type"] == "text"]
    assert texts[-1] == QUESTION
    answers = [int(text.split()[1].rstrip(":")) for text in texts if text.endswith("it tells of ships.")]
    assert answers == list(range(answers[0], ROUNDS))


@windows
def test_each_memory_of_a_context_is_cited_once(long_thread: Thread, max_tokens: int) -> None:
    context = assemble_context(long_thread.pk, QUESTION, owner=long_thread.owner_id, max_tokens=max_tokens)
    stored = list(Citation.objects.filter(context_id=context.id).values_list("memory_id", flat=True))
    assert len(stored) == len(set(stored)) == context.memories_retrieved >= 3
    assert set(stored) == {one.memory_id for one in context.citations}


@both_shapes
def test_context_of_a_growing_thread_begins_as_the_one_before(long_thread: Thread, shape: Format) -> None:
    """All but what the newest round and the input's turn add is, to the letter, what was sent before."""
    owner, kept = long_thread.owner_id, []
    before = assemble_context(long_thread.pk, QUESTION, owner=owner, max_tokens=16_000, shape=shape)
    for number in range(4):
        append_messages(long_thread.pk, [user_says(f"And {number}?"), assistant_says("Ships.")], owner=owner)
        after = assemble_context(long_thread.pk, QUESTION, owner=owner, max_tokens=16_000, shape=shape)
        kept.append(shared_tokens(before, after) / before.token_stats.total)
        before = after
    assert sorted(kept)[1] > 0.7


def shared_tokens(before: Context, after: Context) -> int:
    """Tokens of the literal beginning that two contexts share, in whole messages."""
    if before.system != after.system:
        return 0
    shared = count_message_tokens({"content": before.system}) if before.system else 0
    for one, other in zip(before.messages, after.messages, strict=False):
        if one != other:
            break
        shared += count_message_tokens(one)
    return shared
