"""What is tried again, and how."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from memsite import (
    Conflict,
    ConnectionFailed,
    Memsite,
    MemsiteError,
    NotFound,
    TooManyRequests,
    Unavailable,
    UnexpectedAnswer,
)
from memsite.errors import BY_CODE, AnswerError

STATS = {
    "owner": "o",
    "total": 1,
    "by_layer": {},
    "by_kind": {},
    "by_status": {},
    "last_reflection": None,
    "episodes_since_reflection": 0,
    "should_reflect": False,
    "oldest_unreflected": None,
    "embedding_model": "m",
    "embedding_models": {},
    "not_embedded": 0,
    "sentence_vectors": {"model": "", "filled": 0, "missing": 0},
    "warnings": [],
}


def refusal(status: int, code: str, **headers: str) -> httpx.Response:
    return httpx.Response(status, json={"code": code, "message": "No.", "detail": {"a": 1}}, headers=headers)


def test_lost_answer_to_a_read_is_requested_again(script: Any) -> None:
    script.steps = [httpx.ReadError("cut"), refusal(503, "unavailable"), httpx.Response(200, json=STATS)]
    assert script.client.memories.stats().total == 1
    assert script.pauses == [0.5, 1.0]


def test_the_server_says_how_long_to_wait(script: Any) -> None:
    script.steps = [
        refusal(429, "too_many_requests", **{"Retry-After": "7"}),
        httpx.Response(200, json=STATS),
    ]
    script.client.memories.stats()
    assert script.pauses == [7.0]


def test_a_long_wait_is_left_to_the_caller(script: Any) -> None:
    script.steps = [refusal(429, "too_many_requests", **{"Retry-After": "3600"})]
    with pytest.raises(TooManyRequests) as caught:
        script.client.memories.stats()
    assert caught.value.retry_after == 3600


def test_repeated_message_has_the_same_id(script: Any, message: Any) -> None:
    script.steps = [httpx.ReadTimeout("late"), httpx.Response(201, json=message)]
    script.client.threads.append("t", "user", "Hi")
    assert script.body(0) == script.body(1)
    assert script.body(0)["client_id"]


def test_an_own_id_is_kept(script: Any, message: Any) -> None:
    script.steps = [httpx.Response(201, json=message)]
    script.client.threads.append("t", "user", "Hi", client_id="mine")
    assert script.body(0)["client_id"] == "mine"


def test_thread_without_an_id_is_not_created_twice(script: Any) -> None:
    script.steps = [httpx.ReadError("cut")]
    with pytest.raises(ConnectionFailed) as caught:
        script.client.threads.create(title="Boats")
    assert caught.value.may_have_arrived


def test_request_that_was_not_sent_is_sent_again(script: Any) -> None:
    script.steps = [httpx.ConnectError("refused")] * 3
    with pytest.raises(ConnectionFailed) as caught:
        script.client.threads.create(title="Boats")
    assert (len(script.requests), caught.value.may_have_arrived) == (3, False)


@pytest.mark.parametrize(("status", "code"), [(404, "not_found"), (409, "conflict")])
def test_refusals_are_final(script: Any, status: int, code: str) -> None:
    script.steps = [refusal(status, code)]
    with pytest.raises((NotFound, Conflict)) as caught:
        script.client.memories.get("m")
    assert (caught.value.status, caught.value.code, caught.value.detail) == (status, code, {"a": 1})


@pytest.mark.parametrize("code", sorted(BY_CODE))
def test_every_code_has_its_error(script: Any, code: str) -> None:
    script.steps = [refusal(400, code)] * 3
    with pytest.raises(BY_CODE[code]):
        script.client.memories.get("m")


def test_unknown_code_is_an_answer_error(script: Any) -> None:
    script.steps = [httpx.Response(418, text="<html>")]
    with pytest.raises(AnswerError) as caught:
        script.client.memories.get("m")
    assert caught.value.status == 418


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"total": "many"}', b"\xff"])
def test_answer_of_another_program_is_a_memsite_error(script: Any, body: bytes) -> None:
    script.steps = [httpx.Response(200, content=body)]
    with pytest.raises(UnexpectedAnswer):
        script.client.memories.stats()


def test_bad_address_is_a_memsite_error() -> None:
    with pytest.raises(MemsiteError), Memsite("nowhere", "msk_x", retries=0) as client:
        client.memories.stats()


def test_the_awaited_client_does_the_same(script: Any) -> None:
    script.steps = [refusal(503, "unavailable"), httpx.Response(200, json=STATS)]

    async def ask() -> int:
        async with script.async_client as client:
            return int((await client.memories.stats()).total)

    assert asyncio.run(ask()) == 1
    assert script.pauses == [0.5]


def test_the_awaited_client_gives_up(script: Any) -> None:
    script.steps = [refusal(503, "unavailable")] * 3

    async def ask() -> None:
        async with script.async_client as client:
            await client.memories.stats()

    with pytest.raises(Unavailable):
        asyncio.run(ask())


def test_pages_are_followed_by_cursor_at_the_own_address(script: Any) -> None:
    more = {
        "results": ["a"],
        "next": "http://inner:9/api/threads/ids?cursor=c2&page_size=1",
        "previous": None,
    }
    script.steps = [httpx.Response(200, json=more)]
    assert script.client.threads.list_ids(page_size=1).next_cursor == "c2"
