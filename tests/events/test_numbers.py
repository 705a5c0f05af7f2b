"""Events are numbered without gaps, in the order of the commits, whoever writes."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from threading import Barrier, Event
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.test import APIClient

from memories.models import Ledger
from memsite.accounts.applications import create_application, get_end_user
from memsite.accounts.deletion import delete_person
from memsite.accounts.models import User
from memsite.events.application_order import number_new_events
from memsite.events.log import NewEvents, log_events
from memsite.events.models import EventCounter, LogEntry
from memsite.events.reading import LoggedEvent, Subject, get_log_state, load_events
from memsite.events.types import LoggedType
from memsite.serving.postgres import acting_for, write_last
from memsite.serving.postgres.last_writes import LastWrites
from memsite.values import MessageRole, new_id
from threads.messages import NewMessage, append_messages, create_thread

pytestmark = pytest.mark.django_db(transaction=True)


class Failed(Exception):
    """A transaction that a test rolls back."""


def log_one(owner: User, action: str = "") -> None:
    log_events(NewEvents(owner.pk, LoggedType.THREAD_UPDATED, thread_id=owner.pk, action=action))


def read_all(owner: User) -> list[LoggedEvent]:
    return list(load_events(Subject(owner.pk), 0, most=10_000).events)


def in_thread(act: Callable[[], object], owner: User) -> Callable[[], None]:
    """Return `act` for a thread of its own, whose connection is closed at the end."""

    def run() -> None:
        try:
            with acting_for(owner.pk):
                act()
        finally:
            connection.close()

    return run


def test_two_writers_leave_no_gap(alice: User) -> None:
    def write(chance: random.Random) -> None:
        start.wait()
        for _ in range(40):
            with suppress(Failed), transaction.atomic():
                for _ in range(chance.randint(1, 3)):
                    log_one(alice)
                if chance.random() < 0.3:
                    raise Failed

    start = Barrier(3)
    with ThreadPoolExecutor(3) as pool:
        acts = [in_thread(lambda seed=seed: write(random.Random(seed)), alice) for seed in range(3)]  # type: ignore[misc]  # noqa: S311 - a default that binds; no secret
        for done in [pool.submit(act) for act in acts]:
            done.result()
    numbers = [event.number for event in read_all(alice)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert get_log_state(Subject(alice.pk)).last == len(numbers)


def test_reader_never_meets_a_lower_number_later(alice: User) -> None:
    def write() -> None:
        for _ in range(60):
            with transaction.atomic():
                log_one(alice)

    seen: list[int] = []
    with ThreadPoolExecutor(2) as pool:
        writing = [pool.submit(in_thread(write, alice)) for _ in range(2)]
        while True:
            is_done = all(one.done() for one in writing)
            page = load_events(Subject(alice.pk), seen[-1] if seen else 0)
            seen += [event.number for event in page.events]
            if is_done and not page.events:
                break
    assert seen == list(range(1, 121))


def test_slow_transaction_does_not_hold_up_others(alice: User) -> None:
    """The counter is locked at the commit, not when an event happens."""

    def write_slowly() -> None:
        with transaction.atomic():
            log_one(alice, "slow")
            is_under_way.set()
            may_end.wait(20)

    is_under_way, may_end = Event(), Event()
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(in_thread(write_slowly, alice))
        is_under_way.wait(20)
        log_one(alice, "quick")
        assert [event.action for event in read_all(alice)] == ["quick"]
        may_end.set()
        slow.result()
    assert [event.action for event in read_all(alice)] == ["quick", "slow"]


def test_memories_and_threads_share_the_numbers(alice: User, alice_api: APIClient) -> None:
    def add() -> None:
        for number in range(8):
            body = {"content": f"Bee number {number} is called Berta {number}."}
            assert alice_api.post("/api/memories", body).status_code == 201

    def append() -> None:
        for number in range(8):
            append_messages(thread, [NewMessage(role=MessageRole.USER, content=f"{number}")], owner=alice.pk)

    thread = create_thread(owner=alice.pk).pk
    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(in_thread(act, alice)) for act in (add, append)]:
            done.result()
    events = read_all(alice)
    assert [event.number for event in events] == list(range(1, 18))
    assert {event.type for event in events} == {"thread.created", "thread.updated", "memory.created"}


def test_savepoint_that_is_rolled_back_takes_its_events_back(alice: User) -> None:
    with transaction.atomic():
        log_one(alice, "first")
        with suppress(Failed), transaction.atomic():
            log_one(alice, "undone")
            raise Failed
        log_one(alice, "last")
    assert [event.action for event in read_all(alice)] == ["first", "last"]


def test_failed_transaction_leaves_nothing_for_the_next(alice: User) -> None:
    with suppress(Failed), transaction.atomic():
        log_one(alice, "undone")
        raise Failed
    with transaction.atomic():
        log_one(alice, "kept")
    assert [event.action for event in read_all(alice)] == ["kept"]


def test_last_write_that_fails_rolls_the_transaction_back(alice: User, bob: User) -> None:
    def fail(_items: list[Any]) -> None:
        raise Failed

    def change() -> None:
        with transaction.atomic():
            User.objects.filter(pk=alice.pk).update(first_name="Alice")
            write_last(fail, None)

    with pytest.raises(Failed):
        change()
    alice.refresh_from_db()
    assert alice.first_name == ""


@given(st.lists(st.sampled_from("abc")))
def test_items_of_each_write_come_together_in_order(given_items: list[str]) -> None:
    writes = LastWrites()
    for place, name in enumerate(given_items):
        writes.add(frozenset(), {"a": print, "b": repr, "c": len}[name], (name, place))  # type: ignore[arg-type]  # only their identity matters
    taken = writes.take()
    assert sorted(place for _, items in taken for _, place in items) == list(range(len(given_items)))
    assert all(items == sorted(items, key=lambda item: int(item[1])) for _, items in taken)
    assert writes.take() == []


def test_large_act_becomes_several_entries(alice: User) -> None:
    ids = [new_id() for _ in range(2_500)]
    log_events(NewEvents(alice.pk, LoggedType.MEMORY_FORGOTTEN, ids))
    assert [event.memory_id for event in read_all(alice)] == ids
    assert list(LogEntry.objects.order_by("last").values_list("first", "last")) == [
        (1, 1000),
        (1001, 2000),
        (2001, 2500),
    ]


def test_page_begins_within_an_entry(alice: User) -> None:
    ids = [new_id() for _ in range(10)]
    log_events(NewEvents(alice.pk, LoggedType.MEMORY_CREATED, ids))
    page = load_events(Subject(alice.pk), 4, most=3)
    assert [event.number for event in page.events] == [5, 6, 7]
    assert [event.memory_id for event in page.events] == ids[4:7]
    assert (page.last, page.more) == (7, True)


def test_time_of_a_log_does_not_go_back(alice: User) -> None:
    log_one(alice)
    later = LogEntry.objects.get().created_at.replace(year=2099)
    EventCounter.objects.update(logged_at=later)
    log_one(alice)
    assert read_all(alice)[-1].created_at == later


def test_person_is_deleted_while_others_write(alice: User, bob: User) -> None:
    def write() -> None:
        for _ in range(30):
            with suppress(Exception), transaction.atomic():
                create_thread(owner=alice.pk)

    with ThreadPoolExecutor(2) as pool:
        writing = [pool.submit(in_thread(write, alice)) for _ in range(2)]
        delete_person(User.objects.get(pk=alice.pk))
        for done in writing:
            done.result()
    assert LogEntry.objects.filter(owner_id=alice.pk).count() == 0
    assert EventCounter.objects.filter(owner_id=alice.pk).count() == 0


def test_readers_of_an_application_give_each_event_one_number(alice: User) -> None:
    application = create_application(alice, "bot")
    people = [get_end_user(application, name) for name in ("dora", "emil")]
    number_new_events(application.pk)

    def write(owner: User) -> None:
        for _ in range(20):
            with acting_for(owner.pk):
                log_one(owner)

    def number() -> None:
        for _ in range(20):
            number_new_events(application.pk)

    with ThreadPoolExecutor(4) as pool:
        acts: list[Callable[[], object]] = [lambda: write(people[0]), lambda: write(people[1])]
        for done in [pool.submit(in_thread(act, alice)) for act in (*acts, number, number)]:
            done.result()
    page = load_events(Subject(application.pk, is_application=True), 0)
    assert [event.number for event in page.events] == list(range(1, 41))
    assert _own_order(application.pk)


def test_log_of_an_older_site_continues_its_numbers(alice: User, bob: User) -> None:
    statement = import_module("memories.migrations.0018_event_log").CONTINUE
    Ledger.objects.create(owner_id=alice.pk, event_sequence=41)
    Ledger.objects.create(owner_id=bob.pk, event_sequence=5)
    EventCounter.objects.create(owner_id=bob.pk, last=7, logged_at=timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(statement)
        cursor.execute(statement)
    log_one(alice)
    log_one(bob)
    assert [event.number for event in load_events(Subject(alice.pk), 41).events] == [42]
    assert [event.number for event in load_events(Subject(bob.pk), 7).events] == [8]
    assert not get_log_state(Subject(alice.pk)).continues(40)


def _own_order(application: UUID) -> bool:
    """Return whether the numbers of the application follow those of each owner."""
    rows = LogEntry.objects.filter(application_id=application).order_by("owner_id", "application_last")
    pairs = list(rows.values_list("owner_id", "last"))
    return pairs == sorted(pairs)
