from __future__ import annotations

from uuid import UUID

import pytest
from rest_framework.test import APIClient

from memories.maintenance.reflection import due
from memories.tasks import look_for_patterns
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.jobs.models import Job
from tests.memories.reflection.reflecting import listed, reflect, remember_all, written

pytestmark = pytest.mark.django_db
TABS = ("The user prefers tabs over spaces in Go.", "User prefers tabs in Makefiles.")


def test_what_two_memories_show_becomes_a_procedural_pattern(alice_api: APIClient) -> None:
    ids = remember_all(alice_api, TABS)
    part = reflect(alice_api, "patterns")
    [pattern] = written(part)
    assert pattern["content"] == "The user prefers tabs."
    assert (pattern["layer"], pattern["kind"], pattern["category"]) == (
        "procedural",
        "preference",
        "coding_style",
    )
    assert (pattern["occurrence_count"], pattern["confidence"]) == (2, 1.0)
    assert set(pattern["sources"]) == {f"memory:{memory_id}" for memory_id in ids}
    assert part["source"] == "fallback"
    assert part["error"] is None


def test_what_one_memory_shows_is_no_pattern(alice_api: APIClient) -> None:
    remember_all(alice_api, [TABS[0], "The user lives in Berlin.", "The user works at Acme."])
    assert written(reflect(alice_api, "patterns")) == []


@pytest.mark.parametrize(
    ("contents", "pattern"),
    [
        (["Uses Python with type hints.", "The user uses Python for scripts."], "The user uses Python."),
        (["Always runs tests before pushing.", "The user usually runs the tests before a merge."], "runs"),
        (["The user never uses emojis in commits.", "Does not use emojis in mail."], "does not use emojis"),
        (["The user runs every Monday.", "Runs on Mondays with Bob."], "every Monday"),
        (["I dislike long meetings.", "The user hates long meetings."], "dislikes long meetings"),
        (["用户写代码时喜欢用制表符缩进。", "用户偏好制表符缩进，而不是空格。"], "制表符缩进"),
        (["用户每周一去跑步。", "用户每星期一都跑步，和小明一起。"], "每周一"),
        (["用户讨厌开会。", "用户不喜欢开会，觉得浪费时间。"], "不喜欢开会"),
        (["用户喜欢简短的回答。", "用户希望回答简短。"], "简短"),
    ],
)
def test_rules_find_habits_and_preferences(alice_api: APIClient, contents: list[str], pattern: str) -> None:
    remember_all(alice_api, contents)
    found = written(reflect(alice_api, "patterns"))
    assert any(pattern in memory["content"] for memory in found), found


@pytest.mark.parametrize(
    "contents",
    [
        ["Bob prefers tabs.", "Bob prefers tabs in Go."],
        ["小明喜欢喝茶。", "他喜欢喝茶。"],
        ["Would the user prefer tabs?", "The user might prefer tabs."],
        ["如果用户喜欢制表符就好了。", "用户可能喜欢制表符。"],
        ["The user likes hot dogs.", "The user likes small dogs."],
    ],
)
def test_what_others_do_or_nobody_states_is_no_pattern(alice_api: APIClient, contents: list[str]) -> None:
    remember_all(alice_api, contents)
    assert written(reflect(alice_api, "patterns")) == []


def test_memories_that_speak_against_it_lower_the_confidence_under_the_gate(alice_api: APIClient) -> None:
    remember_all(alice_api, [*TABS, "Uses tabs in shell scripts.", "The user avoids tabs in YAML."])
    assert written(reflect(alice_api, "patterns")) == []


def test_four_of_five_are_enough(alice_api: APIClient) -> None:
    against = "The user avoids tabs in YAML."
    remember_all(alice_api, [*TABS, "Uses tabs in shell scripts.", "Likes tabs on his screen.", against])
    [pattern] = written(reflect(alice_api, "patterns"))
    assert (pattern["confidence"], pattern["occurrence_count"]) == (0.8, 4)


def test_looking_again_changes_nothing(alice_api: APIClient) -> None:
    remember_all(alice_api, TABS)
    reflect(alice_api, "patterns")
    [before] = listed(alice_api, layer="procedural")
    again = reflect(alice_api, "patterns")
    assert [one["action"] for one in again["results"]] == ["known"]
    assert listed(alice_api, layer="procedural") == [before]


def test_new_evidence_strengthens_the_pattern(alice_api: APIClient) -> None:
    remember_all(alice_api, TABS)
    reflect(alice_api, "patterns")
    remember_all(alice_api, ["Uses tabs in shell scripts."])
    reflect(alice_api, "patterns")
    [pattern] = listed(alice_api, layer="procedural")
    assert pattern["occurrence_count"] == 3
    assert len(pattern["sources"]) == 3


def test_events_of_the_same_weekday_become_a_habit(alice_api: APIClient) -> None:
    for day in ("05", "12", "19"):
        remember_all(
            alice_api,
            ["Standup with Bob."],
            layer="episodic",
            kind="event",
            occurred_at=f"2026-01-{day}T09:00Z",
        )
    [pattern] = written(reflect(alice_api, "patterns"))
    assert (pattern["content"], pattern["kind"]) == ("Every Monday: Standup with Bob.", "habit")


def test_topic_looks_at_memories_on_the_topic_alone(alice_api: APIClient) -> None:
    coffee = ["The user likes strong coffee at work.", "Likes strong coffee in the morning."]
    remember_all(alice_api, [*TABS, *coffee])
    part = reflect(alice_api, "patterns", source="topic", topic_query="strong coffee")
    assert [memory["content"] for memory in written(part)] == ["The user likes strong coffee."]


def test_ids_limit_what_is_looked_at(alice_api: APIClient) -> None:
    first, _ = remember_all(alice_api, TABS)
    part = reflect(alice_api, "patterns", ids=[first])
    assert part["counts"]["looked_at"] == 1
    assert written(part) == []


@pytest.mark.parametrize(
    ("said", "pattern"),
    [
        (
            [f"The user writes tests before code in {name}." for name in ("Python", "Go", "Rust")],
            "The user usually writes tests before code.",
        ),
        (
            [
                "The user reviews every diff after a break in Go.",
                "The user reviews every diff after a break.",
            ],
            "The user usually reviews every diff after a break.",
        ),
        (
            ["用户在 Python 中先写测试再写代码。", "用户在 Go 中先写测试再写代码。"],
            "用户总是先写测试再写代码。",
        ),
    ],
)
def test_way_of_working_that_is_repeated_is_a_pattern(
    alice_api: APIClient, said: list[str], pattern: str
) -> None:
    remember_all(alice_api, said)
    assert [memory["content"] for memory in written(reflect(alice_api, "patterns"))] == [pattern]


def test_facts_told_alike_are_no_way_of_working(alice_api: APIClient) -> None:
    remember_all(alice_api, ["The user lives in Berlin.", "The user lives in Berlin with Anna."])
    assert written(reflect(alice_api, "patterns")) == []


def test_pattern_waits_for_a_word_with_auto_extract_off(alice_api: APIClient, alice: User) -> None:
    remember_all(alice_api, TABS)
    set_preferences(alice.pk, auto_extract=False)
    reflect(alice_api, "patterns")
    assert [memory["status"] for memory in listed(alice_api, layer="procedural")] == ["pending"]


def test_patterns_are_undone_as_one_batch(alice_api: APIClient) -> None:
    remember_all(alice_api, TABS)
    part = reflect(alice_api, "patterns")
    assert alice_api.post("/api/memories/undo", {"batch_id": part["batch_id"]}).status_code == 200
    assert listed(alice_api, layer="procedural", status="active") == []


def test_each_owner_who_learnt_something_is_looked_at_once(alice_api: APIClient, alice: User) -> None:
    remember_all(alice_api, TABS)
    assert due.list_owners_with_changes() == [alice.pk]
    reflect(alice_api, "patterns")
    assert due.list_owners_with_changes() == []


def test_owner_who_forgot_something_is_looked_at_again(alice_api: APIClient, alice: User) -> None:
    remember_all(alice_api, [*TABS, "I live in Rome."])
    reflect(alice_api, "patterns")
    [home] = [memory for memory in listed(alice_api) if "Rome" in memory["content"]]
    alice_api.delete(f"/api/memories/{home['id']}")
    assert due.list_owners_with_changes() == [alice.pk]


def test_daily_look_is_queued_once_an_owner(alice_api: APIClient, alice: User) -> None:
    remember_all(alice_api, TABS)
    look_for_patterns()
    look_for_patterns()
    assert Job.objects.filter(owner_id=alice.pk, task="memories.tasks.reflect_by_the_clock").count() == 1


def test_another_owners_memories_are_no_evidence(alice_api: APIClient, bob_api: APIClient) -> None:
    remember_all(alice_api, TABS[:1])
    remember_all(bob_api, TABS[1:])
    assert written(reflect(alice_api, "patterns")) == []


def test_memory_that_another_line_of_a_thread_hides_is_no_evidence(
    alice_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = remember_all(alice_api, TABS)
    monkeypatch.setattr("memories.ports.hidden", lambda *_, **__: frozenset({UUID(first)}))
    assert written(reflect(alice_api, "patterns")) == []


def test_forgotten_memory_is_no_evidence(alice_api: APIClient) -> None:
    first, _ = remember_all(alice_api, TABS)
    alice_api.delete(f"/api/memories/{first}")
    assert written(reflect(alice_api, "patterns")) == []


def test_pattern_a_person_forgot_does_not_come_back_from_the_same_memories(alice_api: APIClient) -> None:
    remember_all(alice_api, TABS)
    [pattern] = written(reflect(alice_api, "patterns"))
    alice_api.delete(f"/api/memories/{pattern['id']}")
    reflect(alice_api, "patterns")
    assert listed(alice_api, layer="procedural", status="active") == []


def test_erased_pattern_does_not_come_back_from_the_same_memories(alice_api: APIClient) -> None:
    remember_all(alice_api, TABS)
    [pattern] = written(reflect(alice_api, "patterns"))
    alice_api.delete(f"/api/memories/{pattern['id']}?erase=true")
    reflect(alice_api, "patterns")
    assert listed(alice_api, layer="procedural") == []
