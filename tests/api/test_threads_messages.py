"""Messages over HTTP: append, list, get, mark, delete, clear, count."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from pytest_django import DjangoAssertNumQueries, Settings
from rest_framework.test import APIClient

from memories.models import Memory
from memsite.accounts.models import User
from memsite.jobs import run_due_jobs
from memsite.llm.tokens import count_message_tokens
from threads.messages.transcript import create_thread

CALL = {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}


def user(text: str, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **fields}


@pytest.fixture
def messages(alice: User) -> str:
    """The address of the messages of an empty thread of Alice's."""
    return f"/api/threads/{create_thread(owner=alice.pk).pk}/messages"


def add(client: APIClient, messages: str, *texts: str) -> list[dict[str, Any]]:
    response = client.post(messages, {"messages": [user(text) for text in texts]})
    assert response.status_code == 201, response.json()
    return list(response.json()["results"])


def texts(client: APIClient, messages: str, query: str = "") -> list[str]:
    response = client.get(f"{messages}?{query}")
    assert response.status_code == 200, response.json()
    return [message["content"] for message in response.json()["results"]]


def test_appended_message_is_answered_with_every_field(alice_api: APIClient, messages: str) -> None:
    response = alice_api.post(messages, user("hello", client_id="c1", state={"mood": "fine"}))
    assert response.status_code == 201
    message = response.json()
    assert message == alice_api.get(f"{messages}/{message['id']}").json()
    assert (message["role"], message["content"], message["client_id"]) == ("user", "hello", "c1")
    assert message["state"] == {"mood": "fine"}
    assert message["token_count"] == count_message_tokens({"content": "hello"})
    assert message["thread"] in messages


def test_known_message_is_answered_with_200(alice_api: APIClient, messages: str) -> None:
    first = alice_api.post(messages, user("hello", client_id="c1"))
    again = alice_api.post(messages, user("hello", client_id="c1"))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()


def test_known_message_with_other_content_is_a_conflict(alice_api: APIClient, messages: str) -> None:
    alice_api.post(messages, user("hello", client_id="c1"))
    response = alice_api.post(messages, user("goodbye", client_id="c1"))
    assert response.status_code == 409
    assert response.json()["detail"] == {"client_id": "c1"}


def test_batch_is_answered_in_order(alice_api: APIClient, messages: str) -> None:
    added = add(alice_api, messages, "one", "two", "three")
    assert [message["content"] for message in added] == ["one", "two", "three"]
    assert texts(alice_api, messages) == ["one", "two", "three"]


def test_thousand_messages_are_one_batch(alice_api: APIClient, messages: str) -> None:
    added = add(alice_api, messages, *[f"entry {number}" for number in range(1000)])
    assert [message["content"] for message in added[-2:]] == ["entry 998", "entry 999"]
    assert alice_api.get(f"{messages}/count").json()["count"] == 1000


def test_batch_with_a_bad_message_adds_nothing_and_says_where(alice_api: APIClient, messages: str) -> None:
    batch = [user("one"), {"role": "robot", "content": "two"}]
    response = alice_api.post(messages, {"messages": batch})
    assert response.status_code == 400
    assert "messages.1.role" in response.json()["detail"]
    assert texts(alice_api, messages) == []


def test_tool_calls_and_their_result_are_kept(alice_api: APIClient, messages: str) -> None:
    call = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    result = {"role": "tool", "tool_call_id": "a", "content": "found"}
    added = alice_api.post(messages, {"messages": [call, result]}).json()["results"]
    assert added[0]["tool_calls"] == [CALL]
    assert added[0]["content"] == ""
    assert added[1]["tool_call_id"] == "a"


BAD = [
    {},
    {"content": "hello"},
    {"role": "user"},
    {"role": "robot", "content": "x"},
    {"role": "USER", "content": "x"},
    {"role": None, "content": "x"},
    user(""),
    user("a\x00b"),
    user("x" * 1_000_001),
    user("x", unknown=1),
    user("x", token_count=1),
    user("x", state=[]),
    user("x", state={"a": "\x00"}),
    user("x", client_id=""),
    user("x", client_id="x" * 256),
    user("x", client_id="a\nb"),
    user("x", created_at="yesterday"),
    user("x", created_at="2999-01-01T00:00:00Z"),
    user("x", created_at="0001-01-01T00:00:00+14:00"),
    user("x", tool_call_id="a"),
    user("x", tool_calls=[CALL]),
    {"role": "user", "content": ["x"]},
    {"role": "user", "content": {"text": "x"}},
    {"role": "assistant", "content": ""},
    {"role": "assistant", "content": "", "tool_calls": []},
    {"role": "assistant", "tool_calls": CALL},
    {"role": "assistant", "tool_calls": [{}]},
    {"role": "assistant", "tool_calls": ["look"]},
    {"role": "assistant", "tool_calls": [CALL, CALL]},
    {"role": "assistant", "tool_calls": [CALL | {"type": "program"}]},
    {"role": "assistant", "tool_calls": [CALL | {"id": ""}]},
    {"role": "assistant", "tool_calls": [CALL | {"function": {"name": "look", "arguments": {}}}]},
    {"role": "assistant", "tool_calls": [CALL | {"id": str(number)} for number in range(129)]},
    {"role": "tool", "content": "found"},
    {"role": "tool", "content": "found", "tool_call_id": "nobody called"},
    {"messages": []},
    {"messages": "hello"},
    {"messages": [user("x")] * 1001},
    {"messages": [user("x")], "role": "user"},
    [user("x")],
]


@pytest.mark.parametrize("body", BAD)
def test_message_that_cannot_be_is_refused(alice_api: APIClient, messages: str, body: object) -> None:
    response = alice_api.post(messages, body)
    assert response.status_code == 400
    assert response.json()["code"] == "invalid"
    assert response.json()["message"]
    assert texts(alice_api, messages) == []


def test_list_is_the_oldest_first_in_pages(alice_api: APIClient, messages: str) -> None:
    add(alice_api, messages, *"abcde")
    first = alice_api.get(f"{messages}?page_size=3").json()
    second = alice_api.get(first["next"]).json()
    back = alice_api.get(second["previous"]).json()
    assert [[one["content"] for one in page["results"]] for page in (first, second)] == [[*"abc"], [*"de"]]
    assert back["results"] == first["results"]
    assert second["next"] is None


def test_list_can_be_the_newest_first(alice_api: APIClient, messages: str) -> None:
    add(alice_api, messages, *"abc")
    assert texts(alice_api, messages, "order=desc") == [*"cba"]


def test_list_leaves_the_system_prompt_out(alice: User, alice_api: APIClient) -> None:
    thread = create_thread(owner=alice.pk, system_prompt="Be brief.")
    assert texts(alice_api, f"/api/threads/{thread.pk}/messages") == []


def test_list_within_tokens_has_the_newest(alice_api: APIClient, messages: str) -> None:
    added = add(alice_api, messages, "one", "two", "three")
    budget = added[1]["token_count"] + added[2]["token_count"]
    assert texts(alice_api, messages, f"max_tokens={budget}") == ["two", "three"]
    assert texts(alice_api, messages, f"max_tokens={budget}&order=desc") == ["three", "two"]


def test_list_within_tokens_cuts_a_single_long_message(alice_api: APIClient, messages: str) -> None:
    add(alice_api, messages, "word " * 500)
    [message] = alice_api.get(f"{messages}?max_tokens=20").json()["results"]
    assert message["content"].endswith("…")
    assert message["token_count"] <= 20


def test_list_within_tokens_never_splits_a_call_from_its_results(alice_api: APIClient, messages: str) -> None:
    calls = [CALL | {"id": str(number)} for number in range(60)]
    results = [{"role": "tool", "tool_call_id": call["id"], "content": "found " * 9} for call in calls]
    batch = [{"role": "assistant", "tool_calls": calls}, *results, user("thanks")]
    alice_api.post(messages, {"messages": batch})
    assert texts(alice_api, messages, "max_tokens=300") == ["thanks"]


def test_list_before_and_after_a_message(alice_api: APIClient, messages: str) -> None:
    added = add(alice_api, messages, *"abcd")
    assert texts(alice_api, messages, f"before={added[2]['id']}") == [*"ab"]
    assert texts(alice_api, messages, f"after={added[1]['id']}") == [*"cd"]
    assert texts(alice_api, messages, f"after={added[0]['id']}&before={added[3]['id']}") == [*"bc"]


def test_list_within_a_time_range(alice_api: APIClient, messages: str) -> None:
    noon = datetime(2024, 5, 1, 12, tzinfo=UTC)
    said = [user(str(hour), created_at=(noon + timedelta(hours=hour)).isoformat()) for hour in range(4)]
    alice_api.post(messages, {"messages": said})
    assert texts(alice_api, messages, "since=2024-05-01T13:00:00Z&until=2024-05-01T15:00:00Z") == ["1", "2"]
    assert texts(alice_api, messages, "until=2024-05-01T13:00:00") == ["0"]


def test_list_by_branch_and_role(alice_api: APIClient, messages: str) -> None:
    alice_api.post(messages, {"messages": [user("a"), {"role": "assistant", "content": "b"}]})
    assert texts(alice_api, messages, "branch=main&role=assistant") == ["b"]
    assert texts(alice_api, messages, "role=assistant&role=user") == ["a", "b"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("max_tokens=0", 400),
        ("max_tokens=x", 400),
        ("max_tokens=50&cursor=x", 400),
        ("order=up", 400),
        ("sort=content", 400),
        ("wish=1", 400),
        ("before=1", 404),
        ("since=yesterday", 400),
        ("role=robot", 400),
        (f"before={UUID(int=7)}", 404),
        ("branch=other", 404),
    ],
)
def test_list_refuses_what_it_does_not_know(
    alice_api: APIClient, messages: str, query: str, status: int
) -> None:
    assert alice_api.get(f"{messages}?{query}").status_code == status


def test_place_of_another_owners_message_is_not_found(
    alice_api: APIClient, bob: User, bob_api: APIClient, messages: str
) -> None:
    [message] = add(alice_api, messages, "hello")
    own = f"/api/threads/{create_thread(owner=bob.pk).pk}/messages"
    assert bob_api.get(f"{own}?before={message['id']}").status_code == 404
    assert bob_api.get(f"{own}/{message['id']}").status_code == 404


def test_page_takes_two_queries_at_any_length(
    alice_api: APIClient, messages: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    add(alice_api, messages, *[str(number) for number in range(200)])
    with django_assert_max_num_queries(3):  # the key, the thread, the page
        alice_api.get(f"{messages}?page_size=200")


def test_queries_of_a_batch_do_not_grow_with_it(
    alice_api: APIClient, messages: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(26):
        add(alice_api, messages, *[str(number) for number in range(100)])


@pytest.mark.parametrize(("index", "text"), [("0", "a"), ("1", "b"), ("-1", "c")])
def test_message_is_found_by_its_index(alice_api: APIClient, messages: str, index: str, text: str) -> None:
    add(alice_api, messages, *"abc")
    assert alice_api.get(f"{messages}/{index}").json()["content"] == text


@pytest.mark.parametrize("reference", ["3", "-4", "99999999999999999999", "x", str(UUID(int=7))])
def test_unknown_message_is_not_found(alice_api: APIClient, messages: str, reference: str) -> None:
    add(alice_api, messages, *"abc")
    assert alice_api.get(f"{messages}/{reference}").status_code == 404
    assert alice_api.delete(f"{messages}/{reference}").status_code == 404


def test_deleted_message_tells_what_was_forgotten(alice_api: APIClient, messages: str) -> None:
    [message] = add(alice_api, messages, "It rains.")
    run_due_jobs()
    mirror = Memory.objects.get(layer="episodic")
    removed = alice_api.delete(f"{messages}/{message['id']}").json()
    assert removed["messages"] == 1
    assert removed["forgotten"] == [str(mirror.pk)]
    undone = alice_api.post("/api/memories/undo", {"batch_id": removed["batch_id"]})
    assert undone.status_code == 200


def test_marked_message_is_not_learnt(alice_api: APIClient, messages: str) -> None:
    [message] = add(alice_api, messages, "I live in Berlin.")
    marked = alice_api.patch(f"{messages}/{message['id']}", {"do_not_remember": True})
    assert marked.json()["do_not_remember"] is True
    run_due_jobs()
    assert not Memory.objects.exists()


@pytest.mark.parametrize("body", [{}, {"do_not_remember": "x"}, {"content": "other"}, []])
def test_message_takes_no_other_change(alice_api: APIClient, messages: str, body: object) -> None:
    [message] = add(alice_api, messages, "hello")
    assert alice_api.patch(f"{messages}/{message['id']}", body).status_code == 400


def test_count_and_clear_take_the_same_filters(alice_api: APIClient, messages: str) -> None:
    alice_api.post(messages, {"messages": [user("a"), {"role": "assistant", "content": "b"}, user("c")]})
    assert alice_api.get(f"{messages}/count?role=user").json()["count"] == 2
    assert alice_api.delete(f"{messages}?role=user").json()["messages"] == 2
    assert texts(alice_api, messages) == ["b"]
    assert alice_api.delete(messages).json()["messages"] == 1
    assert alice_api.get(f"{messages}/count").json()["count"] == 0


def test_batch_with_too_much_text_is_refused_whole(
    alice_api: APIClient, messages: str, settings: Settings
) -> None:
    settings.MEMSITE_BATCH_CHARACTERS = 1000
    response = alice_api.post(messages, {"messages": [user("x" * 500)] * 2})
    assert (response.status_code, response.json()["code"]) == (413, "too_large")
    assert texts(alice_api, messages) == []


def test_developer_is_stored_as_system(alice_api: APIClient, messages: str) -> None:
    stored = alice_api.post(messages, {"role": "developer", "content": "Be brief."})
    assert (stored.status_code, stored.json()["role"]) == (201, "system")
