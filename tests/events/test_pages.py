"""Pages of the event log as JSON, and what is logged."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from memories.models import EventType
from memsite.accounts.applications import create_application
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.events.models import LogEntry
from memsite.events.pruning import prune
from memsite.events.types import LoggedType
from threads.messages.removal import expire_temporary_threads

pytestmark = pytest.mark.django_db(transaction=True)


def page(client: APIClient, query: str = "after=0", **headers: str) -> dict[str, Any]:
    response = client.get(f"/api/events?wait=0&{query}", headers=headers)
    assert response.status_code == 200, response.content
    return dict(response.json())


def types(client: APIClient, query: str = "after=0") -> list[str]:
    return [event["type"] for event in page(client, query)["results"]]


def begin(client: APIClient, **fields: Any) -> str:
    return str(client.post("/api/threads", fields).json()["id"])


def test_types_of_memories_are_types_of_the_log() -> None:
    assert {one.value for one in EventType} <= {one.value for one in LoggedType}


def test_batch_is_logged_in_order(alice_api: APIClient) -> None:
    items = [{"content": f"Bee number {number} is called Berta {number}."} for number in range(7)]
    answer = alice_api.post("/api/memories/batch", {"memories": items}).json()
    found = page(alice_api)
    assert [event["id"] for event in found["results"]] == list(range(1, 8))
    assert [e["memory"] for e in found["results"]] == [r["memory"]["id"] for r in answer["results"]]
    assert {event["batch_id"] for event in found["results"]} == {answer["batch_id"]}
    assert (found["last"], found["more"]) == (7, False)
    assert LogEntry.objects.count() == 1


def test_life_of_a_memory_is_logged(alice_api: APIClient) -> None:
    memory = alice_api.post("/api/memories", {"content": "I keep bees."}).json()["memory"]["id"]
    alice_api.delete(f"/api/memories/{memory}")
    alice_api.post(f"/api/memories/{memory}/restore")
    alice_api.delete(f"/api/memories/{memory}?erase=true")
    wanted = ["memory.created", "memory.forgotten", "memory.restored", "memory.deleted"]
    assert types(alice_api) == wanted


def test_life_of_a_thread_is_logged(alice_api: APIClient) -> None:
    thread = begin(alice_api)
    alice_api.patch(f"/api/threads/{thread}", {"title": "Bees"})
    alice_api.post(f"/api/threads/{thread}/messages", {"role": "user", "content": "Hello."})
    alice_api.post(f"/api/threads/{thread}/reply", {"input": "Hi"})
    alice_api.delete(f"/api/threads/{thread}")
    results = page(alice_api)["results"]
    assert [(event["type"], event["action"]) for event in results] == [
        ("thread.created", None),
        ("thread.updated", "changed"),
        ("thread.updated", "appended"),
        ("thread.updated", "appended"),
        ("thread.updated", "appended"),
        ("reply.finished", "done"),
        ("thread.deleted", None),
    ]
    assert {event["thread"] for event in results} == {thread}


def test_temporary_thread_leaves_nothing_in_the_log(alice_api: APIClient) -> None:
    thread = begin(alice_api, is_temporary=True)
    alice_api.post(f"/api/threads/{thread}/reply", {"input": "Hi"})
    alice_api.post(f"/api/threads/{thread}/close")
    expire_temporary_threads(before=timezone.now() + timedelta(days=1), most=10)
    alice_api.delete(f"/api/threads/{thread}")
    assert types(alice_api) == []


def test_nothing_of_threads_is_logged_while_memory_is_off(alice: User, alice_api: APIClient) -> None:
    set_preferences(alice.pk, memory_on=False)
    thread = begin(alice_api)
    alice_api.post(f"/api/threads/{thread}/reply", {"input": "Hi"})
    assert types(alice_api) == []


def test_what_is_rolled_back_takes_no_number(alice_api: APIClient) -> None:
    alice_api.post("/api/memories", {"content": "I keep bees."})
    refused = alice_api.post("/api/memories/batch", {"memories": [{"content": "I sail."}, {"layer": "x"}]})
    assert refused.status_code == 400
    alice_api.post("/api/memories", {"content": "I sail a dinghy."})
    assert [event["id"] for event in page(alice_api)["results"]] == [1, 2]


def test_page_without_a_position_begins_with_the_oldest(alice_api: APIClient) -> None:
    alice_api.post("/api/memories", {"content": "I keep bees."})
    assert [event["id"] for event in page(alice_api, "")["results"]] == [1]


def test_pages_follow_each_other(alice_api: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memsite.events.reading.load_events.__kwdefaults__", {"most": 3}, raising=False)
    items = [{"content": f"Bee number {number} is called Berta {number}."} for number in range(7)]
    alice_api.post("/api/memories/batch", {"memories": items})
    seen, after, more = [], 0, True
    while more:
        found = page(alice_api, f"after={after}")
        seen += [event["id"] for event in found["results"]]
        after, more = found["last"], found["more"]
    assert seen == list(range(1, 8))


def test_filtered_page_goes_on_behind_what_it_left_out(alice_api: APIClient) -> None:
    begin(alice_api)
    alice_api.post("/api/memories", {"content": "I keep bees."})
    begin(alice_api)
    found = page(alice_api, "after=0&types=memory.*")
    assert [event["id"] for event in found["results"]] == [2]
    assert (found["last"], found["more"]) == (3, False)


@pytest.mark.parametrize("query", ["types=memory.eaten", "after=-1", "after=x", "colour=red", "users=all"])
def test_bad_query_is_refused(alice_api: APIClient, query: str) -> None:
    assert alice_api.get(f"/api/events?wait=0&{query}").status_code == 400


def test_header_wins_over_the_parameter(alice_api: APIClient) -> None:
    begin(alice_api)
    begin(alice_api)
    response = alice_api.get("/api/events?wait=0&after=0", headers={"Last-Event-ID": "1"})
    assert [event["id"] for event in response.json()["results"]] == [2]


def test_log_of_another_is_not_read(alice_api: APIClient, bob_api: APIClient) -> None:
    alice_api.post("/api/memories", {"content": "I keep bees."})
    assert page(bob_api) == {"results": [], "last": 0, "more": False}


def test_session_reads_the_log(alice_api: APIClient, alice_browser: Any) -> None:
    alice_api.post("/api/memories", {"content": "I keep bees."})
    assert [event["id"] for event in page(alice_browser)["results"]] == [1]


def test_server_without_streams_lets_browsers_stop_trying(alice_api: APIClient) -> None:
    assert alice_api.get("/api/events").status_code == 204


def test_old_entries_are_deleted_and_lead_to_a_reset(alice_api: APIClient, settings: Any) -> None:
    alice_api.post("/api/memories", {"content": "I keep bees."})
    LogEntry.objects.update(created_at=timezone.now() - timedelta(days=31))
    alice_api.post("/api/memories", {"content": "I sail a dinghy."})
    (reset,) = page(alice_api)["results"]
    assert (reset["type"], reset["id"]) == ("reset", 2)
    assert prune() == 1
    assert page(alice_api)["results"][0]["type"] == "reset"
    assert [event["id"] for event in page(alice_api, "after=1")["results"]] == [2]


def test_log_ends_with_its_owner(alice: User, alice_api: APIClient, alice_browser: Any) -> None:
    alice_api.post("/api/memories", {"content": "I keep bees."})
    alice.delete()
    assert LogEntry.objects.count() == 0


def test_sweep_is_logged(alice_api: APIClient) -> None:
    memory = {"content": "It rained.", "layer": "episodic", "occurred_at": "2020-01-01T00:00:00Z"}
    alice_api.post("/api/memories", memory)
    body = {"layers": ["episodic"], "max_age_days": 1, "min_access_count": 1}
    alice_api.post("/api/memories/gc", body)
    assert types(alice_api)[0] == "memory.created"


class TestApplication:
    @pytest.fixture
    def key(self, alice: User) -> str:
        application = create_application(alice, "bot")
        return issue_key(alice, name="bot", application=application)[1]

    @pytest.fixture
    def bot(self, key: str) -> APIClient:
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
        client.default_format = "json"
        return client

    @staticmethod
    def remember(bot: APIClient, user: str, content: str) -> None:
        headers = {"Memsite-User": user}
        assert bot.post("/api/memories", {"content": content}, headers=headers).status_code == 201

    def test_end_user_has_a_log_of_their_own(self, bot: APIClient) -> None:
        self.remember(bot, "dora", "I keep bees.")
        self.remember(bot, "emil", "I sail a dinghy.")
        (event,) = page(bot, **{"Memsite-User": "emil"})["results"]
        assert event["id"] == 1
        assert "user" not in event

    def test_all_end_users_have_one_order(self, bot: APIClient) -> None:
        assert page(bot, "users=all")["results"] == []
        for number in range(2):
            for user in ("dora", "emil"):
                self.remember(bot, user, f"I keep {number + 2} bees.")
        found = page(bot, "users=all&after=0")
        assert [event["id"] for event in found["results"]] == [1, 2, 3, 4]
        assert sorted(event["user"] for event in found["results"]) == ["dora", "dora", "emil", "emil"]
        assert page(bot, "users=all&after=2")["results"] == found["results"][2:]

    def test_order_holds_nobody_else(self, bot: APIClient, alice_api: APIClient, bob_api: APIClient) -> None:
        page(bot, "users=all")
        for client in (alice_api, bob_api):
            client.post("/api/memories", {"content": "I keep bees."})
        assert page(bot, "users=all")["results"] == []

    def test_all_users_and_one_user_exclude_each_other(self, bot: APIClient) -> None:
        response = bot.get("/api/events?wait=0&users=all", headers={"Memsite-User": "dora"})
        assert response.status_code == 400
