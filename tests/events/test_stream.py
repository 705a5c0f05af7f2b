"""A stream of events over HTTP."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from memsite.accounts.keys import issue_key, revoke_key
from memsite.accounts.models import ApiKey, User
from memsite.events import feed, stream
from memsite.events.api.views import EventsView
from memsite.events.claims import claim_stream
from memsite.events.feed import get_feed
from memsite.events.log import NewEvents, log_events
from memsite.events.models import StreamClaim
from memsite.events.reading import Subject, get_log_state
from memsite.events.types import LoggedType
from memsite.serving.postgres import NOBODY, acting_as
from memsite.serving.streaming import OpenStreams, open_streams, run_in_stream_thread
from memsite.serving.streaming.open_streams import StreamPlace
from memsite.values import new_id
from tests.events.streams import Block, do, opened

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def key(alice: User) -> str:
    return issue_key(alice, name="stream")[1]


def remember(client: APIClient, content: str) -> str:
    answer = client.post("/api/memories", {"content": content})
    assert answer.status_code == 201
    return str(answer.json()["memory"]["id"])


def test_new_memory_is_sent(alice_api: APIClient, key: str) -> None:
    async def read() -> tuple[Block | None, str, Block]:
        async with opened(key) as open_stream:
            first = await open_stream.next_block()
            memory = await do(remember, alice_api, "I keep bees.")
            return first, memory, await open_stream.next_event()

    first, memory, event = asyncio.run(read())
    assert first == Block(id=0)
    assert (event.id, event.event) == (1, "memory.created")
    assert event.data["memory"] == memory
    assert set(event.data) == {
        *("id", "type", "created_at", "memory", "thread", "action", "batch_id", "actor"),
    }


def test_stream_begins_as_event_sources_expect(key: str) -> None:
    async def read() -> tuple[dict[bytes, bytes], bytes]:
        async with opened(key) as open_stream:
            await open_stream.next_block()
            return open_stream.headers, b"retry"

    headers, _ = asyncio.run(read())
    assert headers[b"content-type"] == b"text/event-stream"
    assert b"no-cache" in headers[b"cache-control"]
    assert b"no-transform" in headers[b"cache-control"]
    assert headers[b"x-accel-buffering"] == b"no"


def test_stream_holds_no_text(alice_api: APIClient, key: str) -> None:
    async def read() -> Block:
        async with opened(key, "after=0") as open_stream:
            return await open_stream.next_event()

    remember(alice_api, "I keep bees.")
    assert "bees" not in str(asyncio.run(read()).data)


def test_events_of_another_are_not_sent(alice_api: APIClient, bob_api: APIClient, key: str) -> None:
    async def read() -> Block:
        async with opened(key) as open_stream:
            await open_stream.next_block()
            await do(remember, bob_api, "I sail a dinghy.")
            memory = await do(remember, alice_api, "I keep bees.")
            event = await open_stream.next_event()
            assert event.data["memory"] == memory
            return event

    assert asyncio.run(read()).id == 1


@pytest.mark.parametrize("how", ["header", "parameter"])
def test_stream_resumes_after_the_last_event(alice_api: APIClient, key: str, how: str) -> None:
    async def read() -> list[int | None]:
        query, headers = ("", {"last_event_id": "1"}) if how == "header" else ("after=1", {})
        async with opened(key, query, **headers) as open_stream:
            return [(await open_stream.next_event()).id for _ in range(2)]

    for number in range(3):
        remember(alice_api, f"I keep {number + 2} bees.")
    assert asyncio.run(read()) == [2, 3]


@pytest.mark.parametrize("last", ["99", "nonsense", "9" * 30])
def test_unknown_number_is_answered_with_a_reset(alice_api: APIClient, key: str, last: str) -> None:
    async def read() -> tuple[Block, Block]:
        async with opened(key, last_event_id=last) as open_stream:
            reset = await open_stream.next_event()
            await do(remember, alice_api, "I sail a dinghy.")
            return reset, await open_stream.next_event()

    remember(alice_api, "I keep bees.")
    reset, event = asyncio.run(read())
    assert (reset.id, reset.event, reset.data["id"]) == (1, "reset", 1)
    assert event.id == 2


def test_only_chosen_types_are_sent(alice_api: APIClient, key: str) -> None:
    async def read() -> tuple[Block | None, Block]:
        async with opened(key, "types=thread.*") as open_stream:
            await open_stream.next_block()
            await do(remember, alice_api, "I keep bees.")
            left_out = await open_stream.next_block()
            await do(alice_api.post, "/api/threads", {})
            return left_out, await open_stream.next_event()

    left_out, event = asyncio.run(read())
    assert left_out == Block(id=1)  # so that the client resumes after it
    assert (event.id, event.event) == (2, "thread.created")


def test_silent_stream_is_kept_alive(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def read() -> list[Block | None]:
        async with opened(key) as open_stream:
            return [await open_stream.next_block() for _ in range(3)]

    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 0.02)
    assert asyncio.run(read())[1:] == [Block(comment=True)] * 2


def test_stream_of_a_revoked_key_ends(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    row, key = issue_key(alice, name="soon gone")

    async def read() -> Block | None:
        async with opened(key) as open_stream:
            await open_stream.next_block()
            await do(revoke_key, str(row.pk), owner=alice)
            return await open_stream.next_block()

    monkeypatch.setattr(stream, "CHECK_SECONDS", 0.05)
    assert asyncio.run(read()) is None


def test_stream_goes_on_while_its_key_is_valid(
    alice_api: APIClient, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read() -> Block:
        async with opened(key) as open_stream:
            await asyncio.sleep(0.2)
            await do(remember, alice_api, "I keep bees.")
            return await open_stream.next_event()

    monkeypatch.setattr(stream, "CHECK_SECONDS", 0.02)
    assert asyncio.run(read()).id == 1


def test_stream_ends_after_its_longest_time(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def read() -> bytes:
        async with opened(key) as open_stream:
            return await open_stream.read_to_the_end()

    monkeypatch.setattr(stream, "LONGEST_SECONDS", 0.1)
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 0.05)
    assert asyncio.run(read()).startswith(b"retry: 3000\nid: 0\n\n")


def test_streams_end_with_the_server(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def read() -> tuple[Block | None, int]:
        async with opened(key) as open_stream:
            await open_stream.next_block()
            await asyncio.sleep(0.05)
            open_streams.end_all()
            end = await open_stream.next_block()
        async with opened(key) as refused:
            return end, refused.status

    monkeypatch.setattr(open_streams, "_is_ending", False)
    end, status = asyncio.run(read())
    assert (end, status) == (None, 503)


def test_key_has_few_streams_at_once(key: str, settings: Any) -> None:
    async def read() -> tuple[int, dict[bytes, bytes], int]:
        async with opened(key), opened(key), opened(key) as refused:
            status, headers = refused.status, refused.headers
        await get_feed().finish_releasing()
        async with opened(key) as again:
            pass
        await get_feed().finish_releasing()
        return status, headers, again.status

    settings.MEMSITE_KEY_STREAMS = 2
    status, headers, again = asyncio.run(read())
    assert (status, again) == (429, 200)
    assert b"retry-after" in headers
    assert len(open_streams) == 0
    assert StreamClaim.objects.count() == 0


def test_claims_of_a_killed_process_expire(key: str, settings: Any) -> None:
    async def read() -> list[int]:
        async with opened(key) as refused:
            status = refused.status
        await do(StreamClaim.objects.update, expires_at=timezone.now())
        async with opened(key) as admitted:
            return [status, admitted.status]

    settings.MEMSITE_KEY_STREAMS = 1
    claim_stream(f"key:{ApiKey.objects.get().pk}")
    assert asyncio.run(read()) == [429, 200]


def test_open_stream_renews_its_claim(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def read() -> bool:
        async with opened(key) as open_stream:
            await open_stream.next_block()
            await do(StreamClaim.objects.update, expires_at=timezone.now())
            await asyncio.sleep(0.5)
            return await do(StreamClaim.objects.filter(expires_at__gt=timezone.now()).exists)

    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.05)
    assert asyncio.run(read())


def test_process_has_a_limit_of_streams(key: str, bob: User, settings: Any) -> None:
    async def read() -> int:
        async with opened(key), opened(issued) as refused:
            return refused.status

    settings.MEMSITE_EVENT_STREAMS = 1
    issued = issue_key(bob, name="stream")[1]
    assert asyncio.run(read()) == 503


def test_place_of_a_stream_that_never_began_is_given_back() -> None:
    streams = OpenStreams()
    place: StreamPlace | None = streams.take_place(1)
    assert place is not None
    assert len(streams) == 1
    place = None
    assert len(streams) == 0


def test_events_arrive_after_listening_broke_off(alice_api: APIClient, key: str) -> None:
    def cut() -> int:
        with acting_as(NOBODY), connection.cursor() as cursor:  # the role it connects as
            cursor.execute(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                " WHERE datname = current_database() AND application_name = %s",
                [feed.LISTENER_NAME],
            )
            return int(cursor.fetchone()[0])

    async def read() -> tuple[int, Block]:
        async with opened(key) as open_stream:
            await open_stream.next_block()
            async with asyncio.timeout(20):
                while not (ended := await run_in_stream_thread(cut)):  # noqa: ASYNC110 - the server says no more
                    await asyncio.sleep(0.05)
            await do(remember, alice_api, "I keep bees.")
            return ended, await open_stream.next_event()

    ended, event = asyncio.run(read())
    assert (ended, event.id) == (1, 1)


def test_stream_cut_again_and_again_loses_and_doubles_nothing(alice: User, key: str) -> None:
    def log_some(chance: random.Random) -> None:
        for _ in range(chance.randint(0, 3)):
            ids = [new_id() for _ in range(chance.randint(1, 5))]
            log_events(NewEvents(alice.pk, LoggedType.MEMORY_CREATED, ids))

    async def read(chance: random.Random) -> list[int]:
        seen: list[int] = []
        last = 0
        for _ in range(25):
            writing = asyncio.create_task(do(log_some, chance))
            async with opened(key, last_event_id=str(last)) as open_stream:
                await open_stream.next_block()
                newest = await do(lambda: get_log_state(Subject(alice.pk)).last)
                for _ in range(min(newest - last, chance.randint(0, 4))):
                    last = (await open_stream.next_event()).id or 0
                    seen.append(last)
            await writing
        async with opened(key, last_event_id=str(last)) as open_stream:
            while last < await do(lambda: get_log_state(Subject(alice.pk)).last):
                last = (await open_stream.next_event()).id or 0
                seen.append(last)
        return seen

    seen = asyncio.run(read(random.Random(7)))  # noqa: S311 - the same cuts in every run; no secret
    assert seen == list(range(1, len(seen) + 1))
    assert len(seen) > 25


def test_events_arrive_without_any_notice(
    alice_api: APIClient, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read() -> Block:
        async with opened(key) as open_stream:
            await open_stream.next_block()
            await do(remember, alice_api, "I keep bees.")
            return await open_stream.next_event()

    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(feed.Feed, "_wake", lambda _feed, _notice: None)
    assert asyncio.run(read()).id == 1


def test_stream_is_described(client: Any) -> None:
    accept = {"Accept": "application/vnd.oai.openapi+json"}
    schema = client.get("/api/schema", headers=accept).json()
    answer = schema["paths"]["/api/events"]["get"]["responses"]["200"]["content"]
    assert set(answer) == {"application/json", "text/event-stream"}
    assert EventsView.http_method_names == ("get", "options")
