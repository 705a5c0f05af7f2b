"""Citations: every memory that was sent, why it was, and a person's word on it."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from memories.curation import weigh_feedback
from memories.models import Memory, MemoryAccess
from memsite.accounts.models import User
from tests.api.asking import add
from tests.api.test_threads import begin
from threads.models import Citation


@pytest.fixture
def cited(alice_api: APIClient) -> dict[str, Any]:
    """A citation of the one memory Alice has."""
    alice_api.post("/api/memories", {"content": "The user keeps bees behind the barn.", "importance": 0.6})
    thread = begin(alice_api)["id"]
    body = {"input": "Where does the user keep bees?", "max_tokens": 4000}
    citations = alice_api.post(f"/api/threads/{thread}/context", body).data["citations"]
    assert len(citations) == 1
    return dict(citations[0])


def _say(api: APIClient, cited: dict[str, Any], *, useful: bool | None) -> Any:
    return api.patch(f"/api/citations/{cited['id']}", {"useful": useful})


def test_word_is_kept_and_can_be_taken_back(alice_api: APIClient, cited: dict[str, Any]) -> None:
    assert _say(alice_api, cited, useful=True).data["useful"] is True
    assert Citation.objects.get().useful is True
    assert _say(alice_api, cited, useful=None).data["useful"] is None
    assert Memory.objects.get().importance == 0.6


@pytest.mark.parametrize(("useful", "importance"), [(True, 0.7), (False, 0.5)])
def test_word_moves_the_importance(
    alice_api: APIClient, cited: dict[str, Any], *, useful: bool, importance: float
) -> None:
    for _ in range(2):
        _say(alice_api, cited, useful=useful)
    assert Memory.objects.get().importance == pytest.approx(importance)


def test_many_words_move_it_by_half_at_most(alice: User, cited: dict[str, Any]) -> None:
    memory = Memory.objects.get()
    weigh_feedback(memory.pk, useful=0, useless=10_000, owner=alice.pk, actor="person")
    memory.refresh_from_db()
    assert 0.3 <= memory.importance < 0.31


def test_another_owners_citation_is_not_found(bob_api: APIClient, cited: dict[str, Any]) -> None:
    assert _say(bob_api, cited, useful=True).status_code == 404


@pytest.mark.parametrize("body", [{}, {"useful": "yes, very"}, {"useful": True, "note": "x"}])
def test_bad_word_is_refused(body: dict[str, Any], alice_api: APIClient, cited: dict[str, Any]) -> None:
    assert alice_api.patch(f"/api/citations/{cited['id']}", body).status_code == 400


@pytest.fixture
def diet(alice_api: APIClient) -> list[str]:
    """Two requirements about food and one about every answer, as they were stated."""
    stated = ["I'm allergic to peanuts.", "The user is vegan.", "Please answer me in Welsh."]
    for content in stated:
        add(alice_api, content, kind="preference" if "Welsh" in content else "fact")
    return stated


def _cite(api: APIClient, text: str, **fields: Any) -> list[dict[str, Any]]:
    thread = begin(api)["id"]
    return list(api.post(f"/api/threads/{thread}/context", {"input": text, **fields}).json()["citations"])


def test_context_cites_what_it_respects_and_why(alice_api: APIClient, diet: list[str]) -> None:
    cited = _cite(alice_api, "Suggest a dessert for tonight.")
    assert [(one["content"], one["role"], one["why"]) for one in cited] == [
        (diet[0], "respected", "applies to food, drink and medicine"),
        (diet[1], "respected", "applies to food, drink and medicine"),
        (diet[2], "respected", "applies to every answer"),
    ]
    assert {(one["score"], one["relevance"]) for one in cited} == {(0, None)}


def test_requirement_that_was_not_sent_is_not_cited(alice_api: APIClient, diet: list[str]) -> None:
    assert [one["content"] for one in _cite(alice_api, "What is two plus two?")] == diet[2:]


def test_recalled_memories_are_cited_before_requirements(alice_api: APIClient, diet: list[str]) -> None:
    alice_api.post("/api/memories", {"content": "The user keeps bees behind the barn."})
    cited = _cite(alice_api, "Where does the user keep bees?")
    assert [one["role"] for one in cited] == ["recalled", "respected"]
    assert cited[0]["relevance"] > 0.5


def test_requirement_is_used_and_rated_like_a_recalled_memory(alice_api: APIClient, diet: list[str]) -> None:
    [cited] = _cite(alice_api, "What is two plus two?")
    assert [str(one) for one in MemoryAccess.objects.values_list("memory_id", flat=True)] == [
        cited["memory_id"]
    ]
    judged = _say(alice_api, cited, useful=True).json()
    assert (judged["role"], judged["useful"]) == ("respected", True)
    assert judged["why"] == "applies to every answer"


def test_preview_cites_and_uses_nothing(alice_api: APIClient, diet: list[str]) -> None:
    assert _cite(alice_api, "Suggest a dessert for tonight.", preview=True) == []
    assert not MemoryAccess.objects.exists()


def test_citing_a_requirement_keeps_the_beginning_of_the_next_context(
    alice_api: APIClient, diet: list[str]
) -> None:
    thread = begin(alice_api)["id"]
    asked = {"input": "Suggest a dessert for tonight."}
    first, second = (alice_api.post(f"/api/threads/{thread}/context", asked).json() for _ in range(2))
    assert first["messages"] == second["messages"]


def test_reply_cites_what_it_respects(alice_api: APIClient, diet: list[str]) -> None:
    thread = begin(alice_api)["id"]
    asked = {"input": "Suggest a dessert for tonight."}
    reply = alice_api.post(f"/api/threads/{thread}/reply", asked).json()
    assert [one["role"] for one in reply["citations"]] == ["respected"] * 3
    assert "peanuts" not in reply["message"]["content"], "it is no answer to the question"
    stored = Citation.objects.filter(message_id=reply["message"]["id"])
    assert set(stored.values_list("role", flat=True)) == {"respected"}
