"""Reading a thread over HTTP: within budgets, counts, ids, and tokens of anything."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from memsite.accounts.models import User
from memsite.llm.tokens import count_message_tokens, count_tokens
from threads.messages.transcript import create_thread
from threads.models import Thread


@pytest.fixture
def thread(alice: User) -> Thread:
    return create_thread(owner=alice.pk)


@pytest.fixture
def messages(thread: Thread) -> str:
    return f"/api/threads/{thread.pk}/messages"


def add(client: APIClient, messages: str, *new: dict[str, Any]) -> list[dict[str, Any]]:
    response = client.post(messages, {"messages": list(new)})
    assert response.status_code == 201, response.json()
    return list(response.json()["results"])


def said(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def calls(*ids: str) -> dict[str, Any]:
    function = {"name": "look", "arguments": "{}"}
    return {"role": "assistant", "tool_calls": [{"id": one, "function": function} for one in ids]}


def found(call: str, text: str = "found") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call, "content": text}


def texts(client: APIClient, address: str) -> list[str]:
    response = client.get(address)
    assert response.status_code == 200, response.json()
    return [message["content"] for message in response.json()["results"]]


def test_oldest_that_fit_are_asked_for_by_strategy(alice_api: APIClient, messages: str) -> None:
    added = add(alice_api, messages, *map(said, ["one", "two", "three"]))
    budget = added[0]["token_count"] + added[1]["token_count"]
    assert texts(alice_api, f"{messages}?max_tokens={budget}&strategy=oldest_first") == ["one", "two"]
    assert texts(alice_api, f"{messages}?max_tokens={budget}&strategy=newest_first") == ["two", "three"]


def test_oldest_first_keeps_no_call_whose_result_is_beyond(alice_api: APIClient, messages: str) -> None:
    talk = [
        said("look, please"),
        calls("a"),
        *(said(f"waiting {number}") for number in range(70)),
        found("a"),
    ]
    add(alice_api, messages, *talk)
    assert texts(alice_api, f"{messages}?max_tokens=200&strategy=oldest_first") == ["look, please"]


@pytest.mark.parametrize("strategy", ["newest_first", "oldest_first"])
def test_a_call_is_left_out_where_its_result_lies_outside(
    alice_api: APIClient, messages: str, strategy: str
) -> None:
    added = add(alice_api, messages, said("look"), calls("a", "b"), found("a"), found("b"))
    address = f"{messages}?max_tokens=900&strategy={strategy}&before={added[3]['id']}"
    assert texts(alice_api, address) == ["look"]


def test_a_call_that_waits_for_its_result_is_kept(alice_api: APIClient, messages: str) -> None:
    add(alice_api, messages, said("look"), calls("a"))
    assert len(texts(alice_api, f"{messages}?max_tokens=900")) == 2


def test_budget_is_kept_in_the_encoding_of_a_model(alice_api: APIClient, messages: str) -> None:
    add(alice_api, messages, *(said("我们把工作室搬到了旧奶牛场。") for _ in range(20)))
    address = f"{messages}?max_tokens=100&model=gpt-4"
    kept = alice_api.get(address).json()["results"]
    costs = [count_message_tokens(message, "cl100k_base") for message in kept]
    assert sum(costs) <= 100 < sum(costs) + costs[0]
    assert [message["token_count"] for message in kept] == costs


def test_count_tells_tokens_and_emptiness(alice_api: APIClient, messages: str) -> None:
    empty = {"count": 0, "is_empty": True, "token_count": 0, "encoding": "o200k_base"}
    assert alice_api.get(f"{messages}/count").json() == empty
    added = add(alice_api, messages, said("one"), calls("a"))
    counted = alice_api.get(f"{messages}/count").json()
    assert counted["token_count"] == sum(message["token_count"] for message in added)
    assert (counted["count"], counted["is_empty"]) == (2, False)


def test_count_is_made_in_another_encoding(alice_api: APIClient, messages: str) -> None:
    add(alice_api, messages, said("我们把工作室搬到了旧奶牛场。"))
    counted = alice_api.get(f"{messages}/count?encoding=cl100k_base").json()
    assert counted["token_count"] == 4 + count_tokens("我们把工作室搬到了旧奶牛场。", "cl100k_base")


@pytest.mark.parametrize(
    "query",
    [
        "encoding=o900k",
        "encoding=gpt2&model=gpt-4",
        "strategy=middle",
        "max_tokens=9&strategy=",
        "model=a&model=b",
    ],
)
def test_bad_wish_of_reading_is_refused(alice_api: APIClient, messages: str, query: str) -> None:
    assert alice_api.get(f"{messages}?{query}").status_code == 400


def test_ids_of_all_threads_come_last_changed_first(alice: User, bob: User, alice_api: APIClient) -> None:
    create_thread(owner=bob.pk)
    first, second = create_thread(owner=alice.pk), create_thread(owner=alice.pk, is_temporary=True)
    assert alice_api.get("/api/threads/ids").json()["results"] == [str(second.pk), str(first.pk)]
    assert alice_api.get("/api/threads/ids?is_temporary=true").json()["results"] == [str(second.pk)]


def test_ids_come_in_pages_by_one_query_each(
    alice: User, alice_api: APIClient, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    ids = [str(create_thread(owner=alice.pk).pk) for _ in range(5)][::-1]
    alice_api.get("/api/threads/ids")  # notes that the key was used
    with django_assert_max_num_queries(2):  # the key, the page
        page = alice_api.get("/api/threads/ids?page_size=3").json()
    assert page["results"] + alice_api.get(page["next"]).json()["results"] == ids


@pytest.mark.parametrize("query", ["page_size=0", "page_size=10001", "sort=title", "wish=1", "cursor=x"])
def test_bad_wish_for_ids_is_refused(alice_api: APIClient, query: str) -> None:
    assert alice_api.get(f"/api/threads/ids?{query}").status_code == 400


COUNTS: list[tuple[dict[str, Any], int, str]] = [
    ({"text": "hello world"}, 2, "o200k_base"),
    ({"text": "hello world", "model": "gpt-4"}, 2, "cl100k_base"),
    ({"text": "", "encoding": "cl100k_base"}, 0, "cl100k_base"),
    ({"text": "abcd" * 25, "encoding": "simple"}, 25, "simple"),
    ({"text": "abcd" * 25, "encoding": "simple", "tokens_per_character": 0.5}, 50, "simple"),
    ({"messages": [{"role": "user", "content": "hello world"}] * 2}, 12, "o200k_base"),
    ({"messages": [{"content": None}], "encoding": "simple"}, 4, "simple"),
    ({"messages": []}, 0, "o200k_base"),
]


@pytest.mark.parametrize(("body", "tokens", "encoding"), COUNTS)
def test_tokens_of_anything_are_counted(
    alice_api: APIClient, body: dict[str, Any], tokens: int, encoding: str
) -> None:
    counted = alice_api.post("/api/tokens/count", body).json()
    assert (counted["tokens"], counted["encoding"]) == (tokens, encoding)
    assert counted["is_estimate"] is (encoding == "simple")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": "a", "messages": []},
        {"text": 1},
        {"text": "a", "encoding": "o900k"},
        {"text": "a", "encoding": "gpt2", "model": "gpt-4"},
        {"messages": ["a"]},
        {"messages": [{"content": 5}]},
        {"messages": [{}] * 1001},
    ],
)
def test_what_is_not_to_be_counted_is_refused(alice_api: APIClient, body: dict[str, Any]) -> None:
    assert alice_api.post("/api/tokens/count", body).status_code == 400
