"""Writers and learners of one thread at the same time, and learners killed at any statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import Any

import pytest
from django.db import connections

from memories.models import Event, Memory, MemorySource
from memsite.accounts.models import User
from memsite.errors import Conflict, InvalidInput, NotFound
from memsite.jobs.models import Lease
from tests.killing import is_killed_at
from tests.threads.saying import user_says
from tests.threads.test_branching import assert_paths_follow_parents
from threads.branches.branching import checkout_branch, create_branch, undo_messages
from threads.learning.learning import learn_from_thread
from threads.messages.removal import delete_message
from threads.messages.transcript import append_messages, create_thread
from threads.models import Branch, Learning, Message, Thread
from threads.storage.access import get_branch
from threads.storage.path import load_path
from threads.storage.queries import list_messages
from threads.visibility.provenance import make_reference

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(actions: list[Callable[[], Any]]) -> list[Any]:
    """What the actions return, each on a thread and a connection of its own."""

    def closing(action: Callable[[], Any]) -> Any:
        try:
            return action()
        finally:
            connections.close_all()

    context = copy_context()  # says for whom the database is asked
    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(lambda action: context.copy().run(closing, action), actions))


def test_writers_at_once_make_one_chain(thread: Thread) -> None:
    def writer(name: str) -> Callable[[], None]:
        def write() -> None:
            for number in range(8):
                append_messages(thread.pk, [user_says(f"{name}{number}")], owner=thread.owner_id)

        return write

    at_once([writer(name) for name in "abcd"])
    rows = list(Message.objects.filter(thread=thread).order_by("depth"))
    assert [row.depth for row in rows] == list(range(32))
    assert [row.parent_id for row in rows[1:]] == [row.pk for row in rows[:-1]]
    of_a = [row.content for row in rows if row.content.startswith("a")]
    assert of_a == sorted(of_a)


def test_same_client_id_at_once_is_added_once(thread: Thread) -> None:
    def write() -> tuple[Any, int]:
        appended = append_messages(thread.pk, [user_says("hello", client_id="a")], owner=thread.owner_id)
        return appended.messages[0].pk, appended.new

    results = at_once([write] * 4)
    assert len({message for message, _ in results}) == 1
    assert sum(new for _, new in results) == 1


def test_learners_at_once_learn_once(thread: Thread) -> None:
    append_messages(thread.pk, [user_says("I live in Berlin.")], owner=thread.owner_id)

    def run() -> Any:
        try:
            return learn_from_thread(thread.pk, owner=thread.owner_id)
        except Conflict as busy:
            return busy

    at_once([run] * 4)
    assert Memory.objects.filter(layer="episodic").count() == 1
    assert Learning.objects.count() == 1


def assert_learnt_once(thread: Thread) -> None:
    messages = Message.objects.filter(thread=thread)
    references = [make_reference(message.pk) for message in messages]
    learnt = MemorySource.objects.filter(reference__in=references).values_list("memory_id", flat=True)
    mirrors = Memory.objects.filter(id__in=learnt, layer="episodic", occurrence_count=1)
    assert mirrors.count() == messages.count()
    created = Event.objects.filter(memory_id__in=learnt, type="memory.created")
    assert created.count() == len(set(learnt))
    assert Learning.objects.filter(thread=thread).count() == 1
    assert not messages.filter(learnt_at=None).exists()


@pytest.mark.kill
def test_learner_killed_at_any_statement_learns_once(alice: User) -> None:
    statement, was_killed = 0, True
    while was_killed:
        statement += 1
        thread = create_thread(owner=alice.pk)
        said = [user_says(f"I live in town {statement}."), user_says(f"My friend is number {statement}.")]
        append_messages(thread.pk, said, owner=alice.pk)
        was_killed = is_killed_at(statement, partial(learn_from_thread, thread.pk, owner=alice.pk))
        Lease.objects.all().delete()  # as the end of the killed worker's job would
        learn_from_thread(thread.pk, owner=alice.pk)
        assert_learnt_once(thread)
    assert statement > 15


def test_writers_of_two_branches_at_once_keep_both_lines(thread: Thread) -> None:
    append_messages(thread.pk, [user_says("root")], owner=thread.owner_id)
    other = create_branch(thread.pk, "other", owner=thread.owner_id)
    main = get_branch(thread, "main")

    def writer(target: Branch) -> Callable[[], None]:
        def write() -> None:
            for number in range(6):
                said = [user_says(f"{target.name}{number}")]
                append_messages(thread.pk, said, owner=thread.owner_id, branch=target.pk)

        return write

    at_once([writer(main), writer(other), writer(main), writer(other)])
    for name in ("main", "other"):
        path = load_path(get_branch(thread, name))
        rows = list(list_messages(path, owner=thread.owner_id).order_by("depth"))
        assert [row.parent_id for row in rows[1:]] == [row.pk for row in rows[:-1]]
        assert Counter(row.content[:-1] for row in rows[1:]) == {name: 12}


def test_writers_deleters_and_undoers_at_once_leave_whole_chains(thread: Thread) -> None:
    owner = thread.owner_id
    append_messages(thread.pk, [user_says(f"m{number}") for number in range(6)], owner=owner)

    def step(number: int) -> None:
        append_messages(thread.pk, [user_says("one"), user_says("two")], owner=owner)
        delete_message(thread.pk, number - 3, owner=owner)
        undo_messages(thread.pk, owner=owner, count=1 + number % 2)
        create_branch(thread.pk, f"branch{number}", owner=owner)
        append_messages(thread.pk, [user_says("three")], owner=owner)
        checkout_branch(thread.pk, branch=("main", f"branch{number}")[number % 2], owner=owner)
        append_messages(thread.pk, [user_says("four")], owner=owner)

    def run(number: int) -> None:
        with suppress(NotFound, InvalidInput):  # another deleted or undid what this one needs
            step(number)

    at_once([partial(run, number) for number in range(6)])
    assert_paths_follow_parents(thread)
