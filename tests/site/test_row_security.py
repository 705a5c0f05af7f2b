"""The database shows and takes an owner's rows alone, whatever a query forgets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import ProgrammingError, connection, transaction
from django.http import HttpResponse
from django.test import RequestFactory
from rest_framework.test import APIClient

from memories.models import Memory
from memories.storage import copy_rows
from memsite.accounts.models import Preferences, User
from memsite.edge.owner import OwnerMiddleware
from memsite.serving.postgres import (
    NOBODY,
    Actor,
    across_owners,
    act_for,
    acting_as,
    acting_for,
    actor,
    as_table_owner,
)
from memsite.serving.streaming import ThreadedApplication, run_in_stream_thread
from memsite.values import new_id


@pytest.fixture
def both(alice: User, bob: User, alice_api: APIClient, bob_api: APIClient) -> None:
    """Alice and Bob have a memory each."""
    for client, content in ((alice_api, "I keep bees."), (bob_api, "I sail a dinghy.")):
        assert client.post("/api/memories", {"content": content}).status_code == 201


def everything() -> set[str]:
    """Run a query that forgot its owner."""
    return set(Memory.objects.values_list("content", flat=True))


def test_query_that_forgets_its_owner_finds_the_owner_s_rows_alone(both: None, alice: User) -> None:
    with acting_for(alice.pk):
        assert everything() == {"I keep bees."}


def test_query_for_nobody_finds_nothing(both: None) -> None:
    with acting_as(NOBODY):
        assert everything() == set()


def test_schedule_over_all_owners_finds_everybody_s_rows(both: None, alice: User) -> None:
    with acting_for(alice.pk), across_owners():
        assert everything() == {"I keep bees.", "I sail a dinghy."}


def test_role_differs_by_what_is_done(alice: User) -> None:
    def role() -> object:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_user")
            return cursor.fetchone()[0]

    with acting_for(alice.pk):
        assert role() == "memsite"
        with across_owners():
            assert role() == "memsite_all"
        with as_table_owner():
            assert role() == "memsite_owner"
        assert role() == "memsite"


def test_change_that_forgets_its_owner_changes_the_owner_s_rows_alone(both: None, alice: User) -> None:
    with acting_for(alice.pk):
        assert Memory.objects.update(pinned=True) == 1
        assert Memory.objects.filter(content="I sail a dinghy.").update(pinned=True) == 0


def test_row_of_another_owner_is_refused(alice: User, bob: User) -> None:
    with acting_for(alice.pk), transaction.atomic():
        with pytest.raises(ProgrammingError, match="row-level security"), transaction.atomic():
            Preferences.objects.create(owner=bob, memory_on=False)
        assert Preferences.objects.count() == 0


@pytest.mark.parametrize("number", [1, 20])
def test_rows_of_another_owner_are_refused_at_once(alice: User, bob: User, number: int) -> None:
    rows = [vars(Preferences(id=new_id(), owner_id=bob.pk)) for _ in range(number)]
    with (
        acting_for(alice.pk),
        pytest.raises(ProgrammingError, match="row-level security"),
        transaction.atomic(),
    ):
        copy_rows(Preferences, rows)


def test_owner_is_told_again_after_a_rollback(both: None, alice: User, bob: User) -> None:
    with acting_for(alice.pk):
        assert everything() == {"I keep bees."}
        with transaction.atomic():
            with acting_for(bob.pk):
                assert everything() == {"I sail a dinghy."}
            transaction.set_rollback(True)
        assert everything() == {"I keep bees."}


def test_failed_statement_leaves_the_owner_as_it_was(both: None, alice: User, bob: User) -> None:
    with acting_for(alice.pk):
        with pytest.raises(ProgrammingError), transaction.atomic(), acting_for(bob.pk):
            connection.cursor().execute("SELECT nothing_of_the_kind")
        assert everything() == {"I keep bees."}


@pytest.mark.django_db(transaction=True)
def test_new_connection_knows_the_owner(both: None, alice: User) -> None:
    with acting_for(alice.pk):
        assert everything() == {"I keep bees."}
        connection.close()
        assert everything() == {"I keep bees."}


def test_request_of_a_visitor_acts_for_nobody(alice: User) -> None:
    seen: list[Actor] = []

    def view(request: Any) -> HttpResponse:
        seen.append(actor())
        return HttpResponse()

    request = RequestFactory().get("/")
    with acting_for(alice.pk):
        middleware = OwnerMiddleware(view)
        for user in (AnonymousUser(), alice):
            request.user = user
            middleware.process_view(request, view, (), {})
            view(request)
            middleware(request)
    assert seen == [Actor(alice.pk), NOBODY, Actor(alice.pk), NOBODY]


def test_stream_goes_on_for_the_owner_of_its_request() -> None:
    owner, seen = new_id(), []

    class Stream:
        is_async = True

        async def __aiter__(self) -> AsyncIterator[bytes]:
            seen.append(await run_in_stream_thread(actor))
            yield b"piece"

    def application(_environ: Any, start: Any) -> Any:
        act_for(owner)
        start("200 OK", [])
        return Stream()

    scope: Any = {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""}
    scope |= {
        "http_version": "1.1",
        "scheme": "http",
        "root_path": "",
        "server": ("s", 80),
        "client": ("c", 1),
    }
    arrived = asyncio.Event()

    async def receive() -> Any:
        if not arrived.is_set():
            arrived.set()
            return {"type": "http.request", "body": b"", "more_body": False}
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    async def send(_message: Any) -> None:
        return None

    asyncio.run(ThreadedApplication(application, threads=1, longest=10)(scope, receive, send))
    assert seen == [Actor(owner)]
