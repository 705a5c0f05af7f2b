"""Answers that wait: for as long as asked, and so many of one owner at a time."""

from __future__ import annotations

import asyncio
import time
from uuid import UUID, uuid4

import pytest
from pytest_django import Settings

from memsite.errors import TooManyRequests
from memsite.serving.streaming.waiting import wait_in_loop

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def owner() -> UUID:
    return uuid4()


def test_wait_ends_when_it_came_true(owner: UUID) -> None:
    looks = iter([False, True])
    asyncio.run(wait_in_loop(lambda: next(looks), 60, owner=owner))
    assert list(looks) == []


def test_wait_ends_with_its_time(owner: UUID) -> None:
    start = time.monotonic()
    asyncio.run(wait_in_loop(lambda: False, 0.2, owner=owner))
    assert 0.2 <= time.monotonic() - start < 10


def test_one_wait_more_than_allowed_is_refused_and_others_wait_on(owner: UUID, settings: Settings) -> None:
    async def waits() -> list[BaseException | None]:
        three = [wait_in_loop(lambda: False, 0.2, owner=owner) for _ in range(3)]
        return await asyncio.gather(
            *three, wait_in_loop(lambda: True, 1, owner=uuid4()), return_exceptions=True
        )

    settings.MEMSITE_WAITS = 2
    *mine, other = asyncio.run(waits())
    assert [type(one) for one in mine] == [type(None), type(None), TooManyRequests]
    assert other is None


def test_place_is_free_after_a_wait_that_was_given_up(owner: UUID, settings: Settings) -> None:
    async def give_up() -> None:
        waiting = asyncio.ensure_future(wait_in_loop(lambda: False, 60, owner=owner))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await wait_in_loop(lambda: True, 1, owner=owner)

    settings.MEMSITE_WAITS = 1
    asyncio.run(give_up())
