from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from memories.models import Memory
from memories.tasks import reflect_on_episodes
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.jobs import run_due_jobs
from memsite.values import MessageRole
from tests.memories.reflection.reflecting import listed, reflect, remember_all, written
from threads.messages.incoming import NewMessage
from threads.messages.transcript import append_messages, create_thread

pytestmark = pytest.mark.django_db
SAID = ("I live in Berlin.", "It rains today.", "I prefer tea to coffee.")


def stats(client: APIClient) -> dict[str, object]:
    return dict(client.get("/api/memories/stats").json())


def test_episodes_of_programs_teach_what_they_state(alice_api: APIClient) -> None:
    remember_all(alice_api, SAID, layer="episodic")
    part = reflect(alice_api, "facts")
    contents = " ".join(memory["content"] for memory in written(part))
    assert "Berlin" in contents
    assert "tea" in contents
    assert part["counts"]["looked_at"] == 3


def test_learnt_fact_names_its_episode(alice_api: APIClient) -> None:
    [episode] = remember_all(alice_api, SAID[:1], layer="episodic")
    [fact] = written(reflect(alice_api, "facts"))
    assert fact["sources"] == [f"memory:{episode}"]


def test_episodes_are_reflected_on_once(alice_api: APIClient) -> None:
    remember_all(alice_api, SAID, layer="episodic")
    reflect(alice_api, "facts")
    before = listed(alice_api, layer="semantic")
    assert reflect(alice_api, "facts")["counts"]["looked_at"] == 0
    assert listed(alice_api, layer="semantic") == before


def test_what_others_said_is_not_the_users(alice_api: APIClient) -> None:
    remember_all(alice_api, ["I live in Rome."], layer="episodic", speaker="Bob")
    assert written(reflect(alice_api, "facts")) == []


def test_what_the_owner_said_by_name_is_theirs(alice_api: APIClient) -> None:
    remember_all(alice_api, ["I live in Rome."], layer="episodic", speaker="Alice")
    [fact] = written(reflect(alice_api, "facts"))
    assert "Rome" in fact["content"]


def test_episodes_of_threads_count_as_reflected_and_teach_nothing_twice(
    alice_api: APIClient, alice: User
) -> None:
    thread = create_thread(owner=alice.pk)
    append_messages(
        thread.pk, [NewMessage(role=MessageRole.USER, content="I live in Berlin.")], owner=alice.pk
    )
    run_due_jobs()
    before = listed(alice_api, layer="semantic")
    part = reflect(alice_api, "facts")
    assert part["counts"] == {"looked_at": 1, "proposed": 0, "written": 0, "refused": 0, "retired": 0}
    assert listed(alice_api, layer="semantic") == before


def test_ten_episodes_make_reflection_due(alice_api: APIClient) -> None:
    remember_all(alice_api, [f"Event {n}." for n in range(9)], layer="episodic")
    assert reflect_on_episodes() == 0
    assert stats(alice_api)["should_reflect"] is False
    remember_all(alice_api, ["Event 9."], layer="episodic")
    assert stats(alice_api)["should_reflect"] is True
    assert reflect_on_episodes() == 1


def test_health_tells_what_waits_and_when_was_reflected(alice_api: APIClient) -> None:
    remember_all(alice_api, SAID, layer="episodic")
    before = stats(alice_api)
    oldest = min(memory["created_at"] for memory in listed(alice_api, layer="episodic"))
    assert (before["episodes_since_reflection"], before["last_reflection"]) == (3, None)
    assert before["oldest_unreflected"] == oldest
    part = reflect(alice_api, "facts")
    after = stats(alice_api)
    assert (after["episodes_since_reflection"], after["oldest_unreflected"]) == (0, None)
    assert after["last_reflection"] == part["finished_at"]


def test_more_episodes_than_one_look_takes_are_all_read(alice_api: APIClient, alice: User) -> None:
    remember_all(alice_api, [f"Event {n}." for n in range(45)], layer="episodic")
    reflect_on_episodes()
    run_due_jobs()
    assert not Memory.objects.filter(owner=alice, layer="episodic", reflected_at=None).exists()


def test_with_memory_off_nothing_is_reflected_on(alice_api: APIClient, alice: User) -> None:
    remember_all(alice_api, [f"I have {n} cats." for n in range(2, 13)], layer="episodic")
    set_preferences(alice.pk, memory_on=False)
    assert alice_api.post("/api/memories/reflect", {"what": "facts"}).status_code == 400
    reflect_on_episodes()
    run_due_jobs()
    assert not Memory.objects.filter(owner=alice, reflected_at__isnull=False).exists()


def test_facts_wait_for_a_word_with_auto_extract_off(alice_api: APIClient, alice: User) -> None:
    set_preferences(alice.pk, auto_extract=False)
    remember_all(alice_api, SAID[:1], layer="episodic")
    [fact] = written(reflect(alice_api, "facts"))
    assert fact["status"] == "pending"
