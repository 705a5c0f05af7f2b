from __future__ import annotations

from uuid import uuid4

from memories import ports
from memories.models import Memory
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.applications import create_application, get_end_user
from memsite.accounts.models import User
from memsite.jobs import run_due_jobs
from tests.threads.saying import Talk, user_says
from threads.context.context import assemble_context
from threads.messages.removal import delete_message
from threads.messages.transcript import append_messages, create_thread
from threads.models import Thread
from threads.visibility.provenance import get_speaker_name, make_reference

PORT = "The staging database listens on port 5433."


def test_sources_are_the_very_messages_and_who_said_them(alice: User, talk: Talk) -> None:
    asked, answered = talk("I live in Berlin.", "Nice city.")
    references = [make_reference(answered.pk), make_reference(asked.pk), "document:7", "message:none"]
    found = ports.sources(references, owner=alice.pk)
    assert [(one.speaker, one.text) for one in found] == [
        ("alice", "I live in Berlin."),
        ("assistant", "Nice city."),
    ]


def test_source_that_was_deleted_is_left_out(alice: User, thread: Thread, talk: Talk) -> None:
    [message] = talk("I live in Berlin.")
    delete_message(thread.pk, message.pk, owner=alice.pk)
    assert ports.sources([make_reference(message.pk)], owner=alice.pk) == []


def test_source_of_another_owner_is_not_shown(bob: User, talk: Talk) -> None:
    [message] = talk("I live in Berlin.")
    assert ports.sources([make_reference(message.pk)], owner=bob.pk) == []


def test_citations_name_where_a_memory_stood(alice: User, bob: User, thread: Thread) -> None:
    written = write_candidates([Candidate(content=PORT)], owner=alice.pk, actor="test")
    assert written.outcomes[0].memory is not None
    memory_id = written.outcomes[0].memory.pk
    assemble_context(thread.pk, "Which port does the staging database listen on?", owner=alice.pk)
    [place] = ports.citations([memory_id, uuid4()], owner=alice.pk)
    assert place.memory_id == memory_id
    assert str(thread.pk) in place.url
    assert not place.is_respected
    assert ports.citations([memory_id], owner=bob.pk) == []


def test_nothing_is_hidden_in_a_thread_of_one_line(alice: User, thread: Thread) -> None:
    assert ports.hidden(thread.pk, owner=alice.pk) == frozenset()


def test_user_is_called_by_name_else_by_the_id_of_the_application(alice: User) -> None:
    assert get_speaker_name(alice.pk) == "alice"
    alice.first_name, alice.last_name = "Alice", "Ames"
    alice.save()
    assert get_speaker_name(alice.pk) == "Alice Ames"


def test_id_of_an_applications_end_user_names_nobody(alice: User) -> None:
    dora = get_end_user(create_application(alice, "chat"), "dora@example.org")
    assert get_speaker_name(dora.pk) == "user"


def test_id_of_an_applications_end_user_is_in_nothing_that_is_learnt_or_sent(alice: User) -> None:
    dora = get_end_user(create_application(alice, "chat"), "dora@example.org")
    thread = create_thread(owner=dora.pk)
    append_messages(thread.pk, [user_says(PORT)], owner=dora.pk)
    run_due_jobs()
    assert {one.speaker for one in Memory.objects.filter(owner=dora, layer="episodic")} == {"user"}
    context = assemble_context(create_thread(owner=dora.pk).pk, f"Really? {PORT}", owner=dora.pk)
    assert context.memories_retrieved
    assert "dora" not in str(context.messages)
