from __future__ import annotations

import sys
from uuid import UUID

import pytest

from memories.curation import forget_memories
from memories.extraction.rules.by_rules import extract_by_rules
from memories.models import Event, Memory, MemorySource
from memories.values import Candidate, Utterance
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.jobs import LeaseBusy, hold_lease, run_due_jobs
from memsite.jobs.models import Job
from tests.threads.saying import Talk, assistant_calls, assistant_says, tool_answers, user_says
from threads.learning import learning
from threads.learning.learning import learn_from_thread
from threads.messages.removal import delete_message, set_do_not_remember
from threads.messages.transcript import append_messages, create_thread
from threads.models import Learning, Message, Thread
from threads.prompt import fence_memories, new_mark
from threads.tasks import sweep
from threads.visibility.provenance import make_reference

pytestmark = pytest.mark.django_db


def episodes(owner: UUID) -> list[str]:
    rows = Memory.objects.filter(owner_id=owner, layer="episodic", status="active")
    return list(rows.order_by("turn").values_list("content", flat=True))


def facts(owner: UUID, status: str = "active") -> list[str]:
    rows = Memory.objects.filter(owner_id=owner, status=status).exclude(layer="episodic")
    return list(rows.values_list("content", flat=True))


def test_what_was_said_becomes_episodes_in_order(alice: User, talk: Talk) -> None:
    talk("I live in Berlin.", "Nice city.", "It rains today.")
    run_due_jobs()
    assert episodes(alice.pk) == ["I live in Berlin.", "Nice city.", "It rains today."]


def test_episode_names_speaker_session_and_source(thread: Thread, talk: Talk) -> None:
    [asked, answered] = talk("I live in Berlin.", "Nice city.")
    run_due_jobs()
    rows = Memory.objects.filter(layer="episodic").order_by("turn")
    assert [row.speaker for row in rows] == ["alice", "assistant"]
    assert {row.session for row in rows} == {f"{thread.pk}:1"}
    sources = MemorySource.objects.filter(memory__in=rows).values_list("reference", flat=True)
    assert set(sources) == {make_reference(asked.pk), make_reference(answered.pk)}


def test_rules_find_what_the_user_states(alice: User, talk: Talk) -> None:
    talk("I live in Berlin.", "Nice city.")
    run_due_jobs()
    assert any("Berlin" in fact for fact in facts(alice.pk))


def test_system_and_tool_messages_are_not_learnt(alice: User, talk: Talk) -> None:
    talk(user_says("Look."), assistant_calls("a"), tool_answers("a", "The user lives in Berlin."))
    run_due_jobs()
    assert episodes(alice.pk) == ["Look."]


def test_marked_message_is_not_learnt(alice: User, talk: Talk) -> None:
    talk(user_says("I live in Berlin.", do_not_remember=True), assistant_says("Nice."))
    run_due_jobs()
    assert episodes(alice.pk) == ["Nice."]
    assert facts(alice.pk) == []


def test_second_run_learns_nothing_more(alice: User, thread: Thread, talk: Talk) -> None:
    talk("I live in Berlin.", "Nice city.")
    run_due_jobs()
    before = Event.objects.count()
    assert learn_from_thread(thread.pk, owner=alice.pk) == {}
    assert Event.objects.count() == before


def test_run_repeated_from_the_same_messages_changes_nothing(alice: User, thread: Thread, talk: Talk) -> None:
    talk("I live in Berlin.", "Nice city.")
    run_due_jobs()
    before = Event.objects.count()
    Message.objects.update(learnt_at=None)
    assert set(learn_from_thread(thread.pk, owner=alice.pk)) == {"known"}
    assert Event.objects.count() == before


def test_failure_before_the_end_leaves_nothing_written(
    alice: User, thread: Thread, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk("I live in Berlin.")
    monkeypatch.setattr(learning, "_mark_learnt", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        learn_from_thread(thread.pk, owner=alice.pk)
    assert not Memory.objects.exists()
    assert Message.objects.filter(learnt_at=None).count() == 1


def test_message_marked_while_it_is_learnt_from_is_left_out(
    alice: User, thread: Thread, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    [marked, _] = talk("I live in Berlin.", "Nice city.")

    def meanwhile(utterances: list[Utterance], *, vague: bool) -> list[Candidate]:
        set_do_not_remember(thread.pk, marked.pk, do_not_remember=True, owner=alice.pk)
        return extract_by_rules(utterances, vague=vague)

    monkeypatch.setattr(sys.modules["memories.extraction.extract"], "extract_by_rules", meanwhile)
    learn_from_thread(thread.pk, owner=alice.pk)
    assert episodes(alice.pk) == ["Nice city."]


def test_message_deleted_while_it_is_learnt_from_is_left_out(
    alice: User, thread: Thread, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    [gone, _] = talk("I live in Berlin.", "Nice city.")

    def meanwhile(utterances: list[Utterance], *, vague: bool) -> list[Candidate]:
        if Message.objects.filter(pk=gone.pk).exists():
            delete_message(thread.pk, gone.pk, owner=alice.pk)
        return extract_by_rules(utterances, vague=vague)

    monkeypatch.setattr(sys.modules["memories.extraction.extract"], "extract_by_rules", meanwhile)
    learn_from_thread(thread.pk, owner=alice.pk)
    assert episodes(alice.pk) == ["Nice city."]


def test_one_run_an_owner_at_a_time(alice: User, thread: Thread, talk: Talk) -> None:
    talk("I live in Berlin.")
    with hold_lease(f"learn:{alice.pk}", 60), pytest.raises(LeaseBusy):
        learn_from_thread(thread.pk, owner=alice.pk)


def test_without_auto_extract_findings_wait_and_episodes_are_kept(alice: User, talk: Talk) -> None:
    set_preferences(alice.pk, auto_extract=False)
    talk("I live in Berlin.")
    run_due_jobs()
    assert episodes(alice.pk) == ["I live in Berlin."]
    assert facts(alice.pk) == []
    assert any("Berlin" in fact for fact in facts(alice.pk, "pending"))


def test_memory_switched_off_before_the_job_runs_learns_nothing_ever(alice: User, talk: Talk) -> None:
    talk("I live in Berlin.")
    set_preferences(alice.pk, memory_on=False)
    run_due_jobs()
    set_preferences(alice.pk, memory_on=True)
    sweep()
    run_due_jobs()
    assert not Memory.objects.exists()


def test_what_was_recalled_is_not_learnt_again(alice: User, talk: Talk) -> None:
    block = fence_memories(["[fact] I live in Paris."], new_mark())
    talk(user_says(f"{block}\nWhere should I eat tonight?"))
    run_due_jobs()
    assert episodes(alice.pk) == ["Where should I eat tonight?"]
    assert facts(alice.pk) == []


def test_correction_of_an_earlier_batch_is_understood(alice: User, talk: Talk) -> None:
    talk(user_says("I live in Berlin."))
    run_due_jobs()
    talk(user_says("I meant Munich, not Berlin."))
    run_due_jobs()
    assert any("Munich" in fact for fact in facts(alice.pk))


def test_long_message_is_kept_whole(alice: User, talk: Talk) -> None:
    words = [f"word{number}" for number in range(2000)]
    talk(" ".join(words))
    run_due_jobs()
    assert " ".join(episodes(alice.pk)).split() == words


def test_what_came_of_it_is_kept_without_its_text(thread: Thread, talk: Talk) -> None:
    [message] = talk("I live in Berlin.")
    run_due_jobs()
    record = Learning.objects.get(thread=thread)
    assert (record.source, record.error, record.messages) == ("fallback", "", 1)
    assert record.outcomes[0]["sources"] == [make_reference(message.pk)]
    assert record.outcomes[0]["action"] == "created"
    assert "Berlin" not in str(record.outcomes)


def test_jobs_hold_no_text(talk: Talk) -> None:
    talk("I live in Berlin.")
    run_due_jobs()
    assert "Berlin" not in str(list(Job.objects.values_list("args", "result", "error")))


def test_sweep_queues_threads_whose_job_was_lost(alice: User, talk: Talk) -> None:
    talk("I live in Berlin.")
    Job.objects.all().delete()
    assert sweep() == 1
    run_due_jobs()
    assert episodes(alice.pk) == ["I live in Berlin."]


def test_sweep_has_nothing_to_do_when_all_is_learnt(talk: Talk) -> None:
    talk("I live in Berlin.")
    run_due_jobs()
    assert sweep() == 0


def test_sweep_leaves_temporary_threads_alone(alice: User) -> None:
    thread = create_thread(owner=alice.pk, is_temporary=True)
    append_messages(thread.pk, [user_says("I live in Berlin.")], owner=alice.pk)
    Message.objects.update(learnt_at=None)
    assert sweep() == 0
    assert learn_from_thread(thread.pk, owner=alice.pk) == {}


def test_more_messages_than_one_batch_are_all_learnt(alice: User, talk: Talk) -> None:
    talk(*[user_says(f"Entry number {number}.") for number in range(120)])
    run_due_jobs()
    assert len(episodes(alice.pk)) == 120
    assert Learning.objects.count() == 2


def test_long_messages_are_learnt_from_in_batches_of_their_own(
    alice: User, thread: Thread, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "LEARN_BYTES", 40)
    texts = [
        "I live in Berlin, a city of many lakes.",
        "我住在柏林,一座有很多湖的城市。",
        "It rains.",
        "Still.",
    ]
    talk(*texts)
    run_due_jobs()
    assert episodes(alice.pk) == texts
    records = Learning.objects.filter(thread=thread).order_by("created_at")
    assert [record.messages for record in records] == [1, 1, 2]


def test_forgotten_memory_does_not_come_back_from_the_same_message(
    alice: User, thread: Thread, talk: Talk
) -> None:
    talk("I live in Berlin.")
    run_due_jobs()
    ids = list(Memory.objects.filter(owner_id=alice.pk).values_list("id", flat=True))
    forget_memories(ids, owner=alice.pk, actor="person")
    Message.objects.update(learnt_at=None)
    learn_from_thread(thread.pk, owner=alice.pk)
    assert not Memory.objects.filter(status__in=["active", "pending"]).exists()
