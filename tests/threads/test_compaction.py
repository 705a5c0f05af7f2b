"""Compaction of a line: when, what and how far; nothing is lost, and everything can come back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memsite.accounts.models import User
from memsite.errors import NotFound
from memsite.jobs import run_due_jobs
from memsite.jobs.models import Job
from memsite.llm.tokens import count_message_tokens
from memsite.values import MessageRole
from tests.threads.saying import Talk, assistant_calls, assistant_says, tool_answers, user_says
from threads.compaction.compaction import compact_branch, restore_messages
from threads.compaction.context_settings import change_settings, load_settings
from threads.compaction.offloading import load_original_content
from threads.compaction.token_counts import sum_live_tokens
from threads.messages.incoming import NewMessage
from threads.messages.transcript import append_messages, create_thread
from threads.models import Branch, ContextMetrics, Message, Offload, Thread
from threads.storage.path import load_path

LONG = "The tide table says nothing new about the harbour. " * 100


@pytest.fixture
def small(thread: Thread) -> Thread:
    """A thread that rots from 12,000 tokens on."""
    change_settings(thread.pk, {"pre_rot": 12_000}, owner=thread.owner_id)
    return thread


def calls_and_answers(number: int, text: str = LONG) -> list[NewMessage]:
    """So many calls with bulky results."""
    return [
        one
        for place in range(number)
        for one in (assistant_calls(f"c{place}"), tool_answers(f"c{place}", f"{place}: {text}"))
    ]


def rows_of(thread: Thread) -> list[Message]:
    return list(Message.objects.filter(thread=thread).order_by("depth"))


def live(thread: Thread) -> int:
    thread.refresh_from_db()
    return sum_live_tokens(load_path(thread.current_branch), owner=thread.owner_id)


def wholes(thread: Thread) -> list[str]:
    ids = [row.pk for row in rows_of(thread)]
    found = load_original_content(ids, owner=thread.owner_id)
    return [found[one] for one in ids]


def test_line_is_compacted_from_80_percent_on_down_to_60(small: Thread, talk: Talk) -> None:
    talk("go", *calls_and_answers(12))
    assert live(small) > 9_600
    run_due_jobs()
    assert live(small) <= 7_200


def test_line_under_80_percent_is_left_alone(small: Thread, talk: Talk) -> None:
    talk("go", *calls_and_answers(4), *["and then"] * 10)
    run_due_jobs()
    assert not Offload.objects.exists()
    assert not Job.objects.filter(task="threads.tasks.compact").exists()


def test_oldest_results_go_first(small: Thread, talk: Talk) -> None:
    change_settings(small.pk, {"keep_last": 4}, owner=small.owner_id)
    talk("go", LONG, *calls_and_answers(12))
    run_due_jobs()
    results = [row.is_compacted for row in rows_of(small) if row.role == "tool"]
    assert results == sorted(results, reverse=True)
    assert not rows_of(small)[1].is_compacted


def test_long_messages_go_when_results_are_not_enough(small: Thread, talk: Talk) -> None:
    talk(*[LONG] * 20)
    run_due_jobs()
    assert [row.is_compacted for row in rows_of(small)].count(True) >= 5
    assert live(small) < 9_600 or all(row.is_compacted for row in rows_of(small)[:-10])


def test_last_ten_and_system_messages_are_never_touched(small: Thread, talk: Talk) -> None:
    talk(NewMessage(role=MessageRole.SYSTEM, content=LONG), *calls_and_answers(12))
    compact_branch(small.pk, owner=small.owner_id, force=True)
    rows = rows_of(small)
    assert not any(row.is_compacted for row in [rows[0], *rows[-10:]])
    assert all(row.is_compacted for row in rows[:-10] if row.role == "tool")


def test_pointer_has_the_fixed_shape(small: Thread, talk: Talk) -> None:
    talk("go", *calls_and_answers(12))
    run_due_jobs()
    row = next(row for row in rows_of(small) if row.is_compacted)
    kept = Offload.objects.get(message=row)
    told = json.loads(row.content)["_OFFLOADED_"]
    assert set(told) == {"memory_id", "summary", "preview", "total_length"}
    assert (told["memory_id"], told["total_length"]) == (str(kept.pk), len(kept.content))
    assert told["preview"] == kept.content[:200]
    assert row.token_count == count_message_tokens({"content": row.content})


def test_calls_and_their_results_keep_their_ids(small: Thread, talk: Talk) -> None:
    said = talk("go", *calls_and_answers(12))
    run_due_jobs()
    before = [(row.role, row.tool_calls, row.tool_call_id, row.parent_id) for row in said]
    after = [(row.role, row.tool_calls, row.tool_call_id, row.parent_id) for row in rows_of(small)]
    assert after == before


def test_result_over_4000_tokens_is_offloaded_at_once(thread: Thread, talk: Talk) -> None:
    huge = "word " * 4_100
    row = talk("go", assistant_calls("a"), tool_answers("a", huge))[-1]
    assert row.is_compacted
    assert wholes(thread)[-1] == huge
    assert ContextMetrics.objects.get(thread=thread).offloaded == 1


def test_result_of_4000_tokens_is_kept(thread: Thread, talk: Talk) -> None:
    row = talk("go", assistant_calls("a"), tool_answers("a", "word " * 3_900))[-1]
    assert not row.is_compacted


def test_nothing_is_offloaded_while_it_is_off(small: Thread, talk: Talk) -> None:
    change_settings(small.pk, {"is_on": False}, owner=small.owner_id)
    talk("go", *calls_and_answers(12), assistant_calls("z"), tool_answers("z", "word " * 5_000))
    run_due_jobs()
    assert not Offload.objects.exists()


def test_line_that_cannot_be_made_smaller_is_not_tried_at_every_message(small: Thread, talk: Talk) -> None:
    change_settings(small.pk, {"pre_rot": 3_000}, owner=small.owner_id)
    talk(*["Short words of no bulk, again and again, until there are many of them."] * 200)
    run_due_jobs()
    for _ in range(3):
        talk("more")
    assert not Job.objects.filter(task="threads.tasks.compact", status="queued").exists()


def test_full_line_that_stays_full_is_summarised(small: Thread, talk: Talk) -> None:
    wishes = {"pre_rot": 3_000, "summary_by_messages": False, "summary_by_tokens": False}
    change_settings(small.pk, wishes, owner=small.owner_id)
    talk(*["Short words of no bulk, again and again, until there are many of them."] * 200)
    run_due_jobs()
    assert Job.objects.filter(task="threads.tasks.summarise").exists()


def test_temporary_thread_is_compacted_without_a_job(alice: User) -> None:
    thread = create_thread(owner=alice.pk, is_temporary=True)
    change_settings(thread.pk, {"pre_rot": 12_000}, owner=alice.pk)
    append_messages(thread.pk, [user_says("go"), *calls_and_answers(12)], owner=alice.pk)
    assert live(thread) <= 7_200
    assert not Job.objects.exists()


def test_repeated_message_is_known_when_it_was_compacted(small: Thread, talk: Talk) -> None:
    talk(user_says(LONG, client_id="a"), *["hm"] * 10)
    compact_branch(small.pk, owner=small.owner_id, force=True)
    assert rows_of(small)[0].is_compacted
    appended = append_messages(small.pk, [user_says(LONG, client_id="a")], owner=small.owner_id)
    assert appended.new == 0


def test_running_total_is_never_lower_than_what_is_there(small: Thread, talk: Talk) -> None:
    for number in range(15):
        talk("go", *calls_and_answers(1, LONG * (number % 3)))
        branch = Branch.objects.get(thread=small)
        assert branch.live_tokens is not None
        assert branch.live_tokens >= live(small)


def test_what_was_brought_back_stays_for_a_while(small: Thread, talk: Talk) -> None:
    talk("go", *calls_and_answers(12))
    run_due_jobs()
    away = [row.pk for row in rows_of(small) if row.is_compacted]
    restore_messages(small.pk, away, owner=small.owner_id)
    talk("thanks")
    run_due_jobs()
    assert not any(row.is_compacted for row in rows_of(small))


def test_message_of_another_thread_is_not_brought_back(small: Thread, talk: Talk, bob: User) -> None:
    talk("go", *calls_and_answers(12))
    run_due_jobs()
    away = [row.pk for row in rows_of(small) if row.is_compacted]
    with pytest.raises(NotFound):
        restore_messages(create_thread(owner=bob.pk).pk, away, owner=bob.pk)
    assert Offload.objects.count() == len(away)


def test_deleted_message_takes_its_whole_content_along(small: Thread, talk: Talk) -> None:
    talk("go", *calls_and_answers(12))
    run_due_jobs()
    Message.objects.filter(thread=small).delete()
    assert not Offload.objects.exists()


ANYTHING = st.text(
    st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), min_size=1, max_size=60
)
TURN = st.tuples(st.sampled_from(["user", "assistant", "tool"]), ANYTHING, st.integers(1, 80))


def _said(turns: list[tuple[str, str, int]]) -> list[NewMessage]:
    said: list[NewMessage] = []
    for place, (role, text, times) in enumerate(turns):
        if role == "tool":
            said += [assistant_calls(f"c{place}"), tool_answers(f"c{place}", text * times)]
        else:
            said.append({"user": user_says, "assistant": assistant_says}[role](text * times))
    return said


def _facts(row: Message) -> tuple[Any, ...]:
    return (row.role, row.tool_calls, row.tool_call_id, row.parent_id, row.content, row.token_count)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(turns=st.lists(TURN, min_size=1, max_size=30), keep=st.integers(1, 12))
def test_compacted_and_restored_is_as_before(
    alice: User, turns: list[tuple[str, str, int]], keep: int
) -> None:
    thread = create_thread(owner=alice.pk)
    change_settings(thread.pk, {"keep_last": keep, "tool_result_tokens": 100_000}, owner=alice.pk)
    said = append_messages(thread.pk, _said(turns), owner=alice.pk).messages
    before = live(thread)
    done = compact_branch(thread.pk, owner=alice.pk, force=True)
    rows = rows_of(thread)
    assert (done.tokens_before, done.tokens_after) == (before, live(thread))
    saved = ContextMetrics.objects.filter(thread=thread).values_list("tokens_saved", flat=True)
    assert sum(saved) == before - live(thread)
    assert not any(row.is_compacted for row in rows[-keep:])
    assert wholes(thread) == [one.content for one in said]
    restore_messages(thread.pk, [row.pk for row in rows], owner=alice.pk)
    assert [_facts(row) for row in rows_of(thread)] == [_facts(one) for one in said]
    assert live(thread) == before
    assert load_settings(thread).keep_last == keep
