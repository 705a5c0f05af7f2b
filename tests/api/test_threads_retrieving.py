"""Retrieving within a thread: by meaning and by words, on one line, from anyone's own messages alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from memories.models import Memory
from memsite.accounts.models import User
from memsite.jobs.models import Job
from memsite.llm.chat import retry
from memsite.llm.embedding.embedders import get_embedder
from tests.llm_server import LLMServer
from threads.messages import message_index, retrieving
from threads.messages.message_index import INDEX, MessageIndex
from threads.messages.transcript import create_thread

SAID = [
    "My sister plays the violin in an orchestra.",
    "The deployment failed with ERR_4711 on node gamma.",
    "We had pancakes with maple syrup for breakfast.",
    "我在柏林住了三年。",
    "The cat sleeps on the radiator all winter.",
]


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    INDEX.clear()
    yield
    INDEX.clear()


@pytest.fixture
def thread(alice: User, alice_api: APIClient) -> str:
    """The address of a thread of Alice's, who says five things in it."""
    address = f"/api/threads/{create_thread(owner=alice.pk).pk}"
    say(alice_api, address, *SAID)
    return address


def say(client: APIClient, thread: str, *texts: str) -> None:
    batch = [{"role": "user", "content": text} for text in texts]
    assert client.post(f"{thread}/messages", {"messages": batch}).status_code == 201


def retrieve(client: APIClient, thread: str, query: str, **fields: Any) -> dict[str, Any]:
    response = client.post(f"{thread}/retrieve", {"query": query, **fields})
    assert response.status_code == 200, response.json()
    return dict(response.json())


def contents(found: dict[str, Any]) -> list[str]:
    return [hit["content"] for hit in found["results"]]


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("Who plays an instrument?", 0),
        ("ERR_4711", 1),
        ("What did we eat in the morning?", 2),
        ("你住在哪个城市？柏林吗", 3),
        ("Where does the pet sleep?", 4),
    ],
)
def test_nearest_message_comes_first(alice_api: APIClient, thread: str, query: str, place: int) -> None:
    assert contents(retrieve(alice_api, thread, query))[0] == SAID[place]


def test_scores_fall_and_lie_between_nought_and_one(alice_api: APIClient, thread: str) -> None:
    found = retrieve(alice_api, thread, "the cat in winter")
    scores = [hit["score"] for hit in found["results"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert (found["searched"], found["total"], found["degraded"]) == (5, 5, None)


def test_score_is_made_of_meaning_and_words(alice_api: APIClient, thread: str) -> None:
    for hit in retrieve(alice_api, thread, "the cat in winter")["results"]:
        expected = 1 - (1 - hit["similarity"]) * (1 - hit["words"] / 2)
        assert hit["score"] == pytest.approx(expected, abs=2e-4)


def test_limit_and_threshold_bound_what_comes(alice_api: APIClient, thread: str) -> None:
    assert len(retrieve(alice_api, thread, "the cat", limit=2)["results"]) == 2
    found = retrieve(alice_api, thread, "The cat sleeps on the radiator all winter.", threshold=0.95)
    assert contents(found) == [SAID[4]]


def test_an_exact_name_is_found_among_many(alice_api: APIClient, thread: str) -> None:
    say(alice_api, thread, *(f"The deployment failed on node number {one}." for one in range(300)))
    assert contents(retrieve(alice_api, thread, "deployment failed ERR_4711", limit=1)) == [SAID[1]]


def test_end_of_a_long_message_is_found(alice_api: APIClient, thread: str) -> None:
    long = "Minutes of the gardening club, item by item. " * 300 + "The treasurer bought a red tractor."
    say(alice_api, thread, long)
    assert contents(retrieve(alice_api, thread, "red tractor", limit=1)) == [long]


def test_a_tool_call_is_found_by_its_arguments(alice_api: APIClient, thread: str) -> None:
    function = {"name": "look_up", "arguments": '{"customer": "KD-20931"}'}
    call = {"role": "assistant", "tool_calls": [{"id": "a", "function": function}]}
    alice_api.post(f"{thread}/messages", call)
    assert retrieve(alice_api, thread, "KD-20931", limit=1)["results"][0]["tool_calls"]


def test_only_the_line_asked_for_is_searched(alice_api: APIClient, thread: str) -> None:
    first = alice_api.get(f"{thread}/messages/0").json()["id"]
    alice_api.post(f"{thread}/branches", {"name": "idea", "from_message": first})
    assert contents(retrieve(alice_api, thread, "cat", branch="idea")) == [SAID[0]]
    assert len(retrieve(alice_api, thread, "cat")["results"]) == 5


def test_role_and_place_narrow_the_search(alice_api: APIClient, thread: str) -> None:
    answer = alice_api.post(f"{thread}/messages", {"role": "assistant", "content": "Noted."}).json()["id"]
    assert contents(retrieve(alice_api, thread, "cat", role="assistant")) == ["Noted."]
    assert "Noted." not in contents(retrieve(alice_api, thread, "noted", before=answer))


def test_a_deleted_message_is_not_found(alice_api: APIClient, thread: str) -> None:
    retrieve(alice_api, thread, "cat")
    alice_api.delete(f"{thread}/messages/-1")
    assert SAID[4] not in contents(retrieve(alice_api, thread, "cat"))


def test_an_empty_thread_has_nothing(alice: User, alice_api: APIClient) -> None:
    found = retrieve(alice_api, f"/api/threads/{create_thread(owner=alice.pk).pk}", "cat")
    assert found == {"results": [], "searched": 0, "total": 0, "degraded": None}


def test_a_temporary_thread_is_searched_and_leaves_nothing(alice: User, alice_api: APIClient) -> None:
    thread = f"/api/threads/{create_thread(owner=alice.pk, is_temporary=True).pk}"
    say(alice_api, thread, *SAID)
    assert contents(retrieve(alice_api, thread, "ERR_4711"))[0] == SAID[1]
    assert not Memory.objects.filter(owner_id=alice.pk).exists()
    assert not Job.objects.filter(owner_id=alice.pk).exists()
    assert not INDEX._kept  # noqa: SLF001 - what is kept of other threads


def test_beyond_the_most_the_newest_are_searched(
    alice_api: APIClient, thread: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieving, "RETRIEVE_MESSAGES", 2)
    found = retrieve(alice_api, thread, "violin")
    assert set(contents(found)) == set(SAID[3:])
    assert (found["searched"], found["total"]) == (2, 5)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"query": ""},
        {"query": 1},
        {"query": "a\x00b"},
        {"query": "a", "limit": 0},
        {"query": "a", "limit": 201},
        {"query": "a", "threshold": 1.1},
        {"query": "a", "threshold": -0.1},
        {"query": "a", "role": "robot"},
        {"query": "a", "since": "yesterday"},
        {"query": "a", "wish": 1},
    ],
)
def test_bad_query_is_refused(alice_api: APIClient, thread: str, body: dict[str, Any]) -> None:
    assert alice_api.post(f"{thread}/retrieve", body).status_code == 400


def test_nobody_else_retrieves(thread: str, bob_api: APIClient, charlie_api: APIClient) -> None:
    for client in (bob_api, charlie_api):
        assert client.post(f"{thread}/retrieve", {"query": "cat"}).status_code == 404


@pytest.fixture
def remote(chat_server: LLMServer, settings: Settings) -> LLMServer:
    """Embeddings by a server elsewhere."""
    settings.MEMSITE_EMBEDDING = "openai"
    settings.MEMSITE_EMBEDDING_MODEL = "remote-model"
    settings.MEMSITE_EMBEDDING_BASE_URL = chat_server.url
    settings.OPENAI_API_KEY = "sk-test-0123456789"
    settings.MEMSITE_MODEL_TIMEOUT = 5.0
    return chat_server


def test_a_remote_embedder_sees_no_secrets(alice_api: APIClient, thread: str, remote: LLMServer) -> None:
    say(alice_api, thread, "My password is hunter2-Blau!")
    retrieve(alice_api, thread, "password")
    shown = [text for exchange in remote.requests for text in exchange.texts]
    assert shown
    assert not any("hunter2" in text for text in shown)


def test_words_decide_where_the_embedder_fails(
    alice_api: APIClient, thread: str, remote: LLMServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMSITE_EMBEDDING_BASE_URL = "http://127.0.0.1:9/v1"  # where nobody listens
    monkeypatch.setattr(retry, "WAIT_INITIAL", 0.0)
    monkeypatch.setattr(retry, "WAIT_JITTER", 0.0)
    found = retrieve(alice_api, thread, "ERR_4711")
    assert contents(found)[0] == SAID[1]
    assert found["degraded"]


def test_a_remote_embedder_is_shown_a_bounded_number_at_once(
    alice_api: APIClient, thread: str, remote: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_index, "RETRIEVE_BATCH", 2)
    monkeypatch.setattr(message_index, "RETRIEVE_REMOTE", 4)
    assert retrieve(alice_api, thread, "cat")["degraded"] == "not embedded yet"
    assert retrieve(alice_api, thread, "cat")["degraded"] is None


def test_what_is_kept_in_a_process_is_bounded(alice_api: APIClient, thread: str) -> None:
    retrieve(alice_api, thread, "cat")
    model = get_embedder().model
    ids = [message_id for message_id, _ in INDEX._kept]  # noqa: SLF001 - what is to be bounded
    small = MessageIndex(most=2)
    small.keep(INDEX.find(ids, model), model)
    assert len(small.find(ids, model)) == 2
