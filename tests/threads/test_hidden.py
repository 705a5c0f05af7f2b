"""What a search must not see, asked again and again while threads and memories change."""

from __future__ import annotations

from uuid import UUID

import pytest
from pytest_django import DjangoAssertNumQueries

from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from tests.threads.saying import Talk, user_says
from threads.branches.branching import checkout_branch, undo_messages
from threads.branches.revocation import keep_memories
from threads.messages.removal import delete_message
from threads.messages.transcript import append_messages, create_thread
from threads.models import Message, Thread
from threads.visibility.hidden import find_hidden_memories
from threads.visibility.provenance import make_reference

pytestmark = pytest.mark.django_db


def learn(owner: UUID, text: str, *messages: Message) -> UUID:
    sources = tuple(make_reference(message.pk) for message in messages)
    memory = (
        write_candidates([Candidate(text, sources=sources)], owner=owner, actor="test").outcomes[0].memory
    )
    assert memory is not None
    return memory.pk


def test_going_to_and_fro_hides_what_was_learnt_on_the_other_line(thread: Thread, talk: Talk) -> None:
    [first, second] = talk("one", "two")
    learnt = learn(thread.owner_id, "Two it is.", second)
    assert find_hidden_memories(None, owner=thread.owner_id) == frozenset()
    checkout_branch(thread.pk, owner=thread.owner_id, message=first.pk)
    assert find_hidden_memories(None, owner=thread.owner_id) == {learnt}
    checkout_branch(thread.pk, owner=thread.owner_id, branch="main")
    assert find_hidden_memories(None, owner=thread.owner_id) == frozenset()


def test_what_is_learnt_late_from_a_line_that_was_left_is_hidden_at_once(thread: Thread, talk: Talk) -> None:
    [first, second] = talk("one", "two")
    undo_messages(thread.pk, owner=thread.owner_id)
    assert find_hidden_memories(None, owner=thread.owner_id) == frozenset()
    late = learn(thread.owner_id, "Two it is.", second)
    learn(thread.owner_id, "One it is.", first)
    learn(thread.owner_id, "One or two.", first, second)
    assert find_hidden_memories(None, owner=thread.owner_id) == {late}


def test_kept_memory_is_hidden_in_its_own_thread_alone(thread: Thread, talk: Talk) -> None:
    [_, second] = talk("one", "two")
    learnt = learn(thread.owner_id, "Two it is.", second)
    undo_messages(thread.pk, owner=thread.owner_id)
    other = create_thread(owner=thread.owner_id)
    assert find_hidden_memories(other.pk, owner=thread.owner_id) == {learnt}
    keep_memories([learnt], owner=thread.owner_id)
    assert find_hidden_memories(other.pk, owner=thread.owner_id) == frozenset()
    assert find_hidden_memories(thread.pk, owner=thread.owner_id) == {learnt}
    keep_memories([learnt], owner=thread.owner_id, keeps=False)
    assert find_hidden_memories(other.pk, owner=thread.owner_id) == {learnt}


def test_message_said_on_another_line_meanwhile_counts(thread: Thread, talk: Talk) -> None:
    [first] = talk("one")
    talk("two")
    main = thread.current_branch_id
    checkout_branch(thread.pk, owner=thread.owner_id, message=first.pk)
    find_hidden_memories(None, owner=thread.owner_id)
    said = append_messages(thread.pk, [user_says("three")], owner=thread.owner_id, branch=main).messages[0]
    learnt = learn(thread.owner_id, "Three it is.", said)
    assert find_hidden_memories(None, owner=thread.owner_id) == {learnt}


def test_memory_of_a_deleted_message_is_hidden_no_more(thread: Thread, talk: Talk) -> None:
    [_, second] = talk("one", "two")
    learnt = learn(thread.owner_id, "Two it is.", second)
    undo_messages(thread.pk, owner=thread.owner_id)
    assert find_hidden_memories(None, owner=thread.owner_id) == {learnt}
    delete_message(thread.pk, second.pk, owner=thread.owner_id)
    assert find_hidden_memories(None, owner=thread.owner_id) == frozenset()


def test_nothing_is_looked_up_again_while_nothing_changes(
    alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(5):
        thread = create_thread(owner=alice.pk)
        said = append_messages(thread.pk, [user_says("one"), user_says("two")], owner=alice.pk).messages
        learn(alice.pk, f"Two is {number}.", said[1])
        undo_messages(thread.pk, owner=alice.pk)
    with django_assert_num_queries(5):
        assert len(find_hidden_memories(None, owner=alice.pk)) == 5
    with django_assert_num_queries(2):
        assert len(find_hidden_memories(None, owner=alice.pk)) == 5


def test_anothers_branches_hide_nothing_of_ones_own(thread: Thread, talk: Talk, bob: User) -> None:
    [_, second] = talk("one", "two")
    learn(thread.owner_id, "Two it is.", second)
    undo_messages(thread.pk, owner=thread.owner_id)
    own = learn(bob.pk, "Two it is.", second)
    assert find_hidden_memories(None, owner=bob.pk) == frozenset()
    assert own not in find_hidden_memories(None, owner=thread.owner_id)
