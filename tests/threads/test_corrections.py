"""What a person says and then puts right, from the thread to what is recalled."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from memories.extraction.talk import lasting
from memories.models import Memory
from memories.retrieval import SearchQuery, search_memories
from memories.values import Layer
from memsite.accounts.models import User
from memsite.jobs import run_due_jobs
from tests.threads.saying import Talk, user_says
from threads.messages.transcript import append_messages, create_thread
from threads.models import Thread


def _said(user: User, thread: Thread, *texts: str) -> None:
    """Each a day after the last, and learnt before the next is said."""
    for day, text in enumerate(texts):
        at = timezone.now() - timedelta(days=len(texts) - day)
        append_messages(thread.pk, [user_says(text, created_at=at)], owner=user.pk)
        run_due_jobs()


def _objects(user: User, status: str) -> set[str]:
    rows = Memory.objects.filter(owner=user, status=status).exclude(layer="episodic")
    return set(rows.values_list("object", flat=True))


@pytest.mark.parametrize(
    ("first", "then", "old", "new"),
    [
        ("I live in Berlin.", "I moved to Paris.", "Berlin", "Paris"),
        ("I live in Berlin.", "No, I moved to Paris.", "Berlin", "Paris"),
        ("I work at Acme.", "I work at Globex now.", "Acme", "Globex"),
        ("I use Vue.", "Actually, I use React now.", "Vue", "React"),
        ("我住在北京。", "我搬到上海了。", "北京", "上海"),
        ("我在腾讯工作。", "我现在在华为工作。", "腾讯", "华为"),
        ("我现在用 Vue。", "其实我现在用 React。", "Vue", "React"),
    ],
)
def test_change_ends_what_was_so(
    alice: User, thread: Thread, first: str, then: str, old: str, new: str
) -> None:
    _said(alice, thread, first, then)
    assert _objects(alice, "active") == {new}
    [ended] = Memory.objects.filter(owner=alice, status="deprecated").exclude(layer="episodic")
    assert (ended.object, ended.retired_at, ended.ended_at is not None) == (old, None, True)


@pytest.mark.parametrize(
    ("first", "then", "old", "new"),
    [
        ("I live in Berlin.", "No, I live in Paris.", "Berlin", "Paris"),
        ("我住在北京。", "不对，我住在上海。", "北京", "上海"),
    ],
)
def test_correction_retires_what_was_wrong(
    alice: User, thread: Thread, first: str, then: str, old: str, new: str
) -> None:
    _said(alice, thread, first, then)
    assert _objects(alice, "active") == {new}
    [wrong] = Memory.objects.filter(owner=alice, status="deprecated").exclude(layer="episodic")
    right = Memory.objects.get(owner=alice, object=new)
    assert (wrong.object, wrong.ended_at, wrong.retired_at is not None) == (old, None, True)
    assert right.valid_from == wrong.valid_from


def test_correction_of_one_value_of_several_leaves_what_another_conversation_said(
    alice: User, thread: Thread
) -> None:
    _said(alice, create_thread(owner=alice.pk), "I use Docker.")
    _said(alice, thread, "I use Vue.", "Actually, I use React now.")
    assert _objects(alice, "active") == {"Docker", "React"}


def test_moving_is_told_of_the_time_that_is_asked_about(alice: User, thread: Thread) -> None:
    moved = datetime(2025, 6, 1, tzinfo=UTC)
    for at, text in ((moved - timedelta(days=300), "I live in Berlin."), (moved, "I moved to Paris.")):
        append_messages(thread.pk, [user_says(text, created_at=at)], owner=alice.pk)
        run_due_jobs()
    query = "Where does the user live?"

    def objects(**fields: Any) -> set[str]:
        asked = SearchQuery(query, layers=(Layer.SEMANTIC,), min_similarity=0, **fields)
        return {hit.memory.object for hit in search_memories(asked, owner=alice.pk).hits}

    assert objects() == {"Paris"}
    assert objects(as_of=moved - timedelta(days=30)) == {"Berlin"}


def test_two_homes_said_in_one_breath_are_disputed(alice: User, talk: Talk) -> None:
    talk("I live in Berlin. I live in Paris.")
    run_due_jobs()
    assert _objects(alice, "disputed") == {"Berlin", "Paris"}


def test_sentences_that_are_kept_together_are_learnt(
    alice: User, thread: Thread, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMSITE_EMBEDDING = "local"
    monkeypatch.setattr(
        lasting,
        "estimate_lasting",
        lambda vectors: [1.0 if place == 2 else -1.0 for place in range(len(vectors))],
    )
    _said(
        alice, thread, "Night shifts only until the baby comes. Third year of the apprenticeship, one to go."
    )
    [learnt] = Memory.objects.filter(owner=alice).exclude(layer="episodic")
    assert "Night shifts" in learnt.content
    assert "Third year" in learnt.content
