"""A reply over HTTP, whole and streamed."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client
from rest_framework.test import APIClient

from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.errors import Conflict
from memsite.rest.renderers import JSONRenderer
from tests.api.test_threads import begin
from tests.llm_server import LLMServer, status, stream
from threads.api.shapes import streaming
from threads.api.shapes.streaming import EventStream, WholeStream
from threads.messages.transcript import create_thread
from threads.models import Reply
from threads.replies import Piece, ask_question

pytestmark = pytest.mark.django_db(transaction=True)


def test_whole_reply_holds_question_answer_and_context(
    alice_api: APIClient, models_configured: LLMServer
) -> None:
    models_configured.script(stream("He", "llo."))
    thread = begin(alice_api)["id"]
    answer = alice_api.post(f"/api/threads/{thread}/reply", {"input": "Hi"}).json()
    assert answer["question"]["content"] == "Hi"
    assert answer["message"]["content"] == "Hello."
    assert answer["reply"]["status"] == "done"
    assert answer["reply"]["source"] == "llm"
    assert answer["token_stats"]["total"] > 0


def test_without_a_model_the_source_is_fallback(alice_api: APIClient) -> None:
    thread = begin(alice_api)["id"]
    answer = alice_api.post(f"/api/threads/{thread}/reply", {"input": "Hi"}).json()
    assert answer["reply"]["source"] == "fallback"
    assert "No language model" in answer["message"]["content"]


def test_model_that_fails_is_told_in_the_answer(alice_api: APIClient, models_configured: LLMServer) -> None:
    models_configured.always(status(400))
    thread = begin(alice_api)["id"]
    answer = alice_api.post(f"/api/threads/{thread}/reply", {"input": "Hi"}).json()
    assert answer["message"]["role"] == "assistant"
    assert (answer["reply"]["status"], answer["reply"]["source"]) == ("done", "fallback")
    assert "400" in answer["reply"]["error"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"input": ""},
        {"input": "x", "regenerate": True},
        {"input": "x", "temperature": 3},
        {"input": "x", "colour": "red"},
        {"input": "a\x00b"},
    ],
)
def test_bad_wish_is_refused(alice_api: APIClient, body: dict[str, Any]) -> None:
    thread = begin(alice_api)["id"]
    assert alice_api.post(f"/api/threads/{thread}/reply", body).status_code == 400
    assert alice_api.get(f"/api/threads/{thread}/messages/count").json()["count"] == 0


def test_answer_given_once_more(alice_api: APIClient, models_configured: LLMServer) -> None:
    models_configured.script(stream("First."), stream("Second."))
    thread = begin(alice_api)["id"]
    first = alice_api.post(f"/api/threads/{thread}/reply", {"input": "Hi"}).json()
    body = {"regenerate": first["message"]["id"]}
    second = alice_api.post(f"/api/threads/{thread}/reply", body).json()
    assert second["question"]["id"] == first["question"]["id"]
    assert second["message"]["content"] == "Second."


def test_stopping_where_nothing_runs_stops_nothing(alice_api: APIClient) -> None:
    thread = begin(alice_api)["id"]
    assert alice_api.post(f"/api/threads/{thread}/reply/stop", {}).json() == {"results": []}


def test_stream_tells_begun_deltas_and_ended(alice: User, models_configured: LLMServer) -> None:
    models_configured.script(stream("He", "llo."))
    _, key = issue_key(alice, name="test")
    events = async_to_sync(_streamed)(key, {"input": "Hi", "stream": True})
    assert next(name for name, _ in events) == "begun"
    assert "".join(data["text"] for name, data in events if name == "delta") == "Hello."
    assert events[-1][0] == "ended"
    assert events[-1][1]["message"]["content"] == "Hello."


def test_error_in_a_stream_has_the_shape_of_all_errors(alice: User, models_configured: LLMServer) -> None:
    _, key = issue_key(alice, name="test")
    events = async_to_sync(_streamed)(key, {"input": "word " * 900, "max_tokens": 800, "stream": True})
    assert events[-1][0] == "error"
    assert events[-1][1]["code"] == "invalid"
    assert events[-1][1]["detail"]["max_tokens"] == 800


def test_events_are_asked_for_by_accept_too(alice: User, models_configured: LLMServer) -> None:
    _, key = issue_key(alice, name="test")
    events = async_to_sync(_streamed)(key, {"input": "Hi"}, "text/event-stream")
    assert events[-1][0] == "ended"


def test_error_before_a_stream_is_json_whatever_is_accepted(alice_api: APIClient) -> None:
    thread = begin(alice_api)["id"]
    response = alice_api.post(f"/api/threads/{thread}/reply", {}, headers={"Accept": "text/event-stream"})
    assert (response.status_code, response.json()["code"]) == (400, "invalid")


def test_stream_is_described(client: Client) -> None:
    schema = client.get("/api/schema", headers={"Accept": "application/vnd.oai.openapi+json"}).json()
    answer = schema["paths"]["/api/threads/{thread_id}/reply"]["post"]["responses"]["200"]["content"]
    assert set(answer) == {"application/json", "text/event-stream"}
    assert answer["text/event-stream"]["schema"]["$ref"].endswith("/ReplyEvent")


def test_more_streams_at_once_than_connections_all_end(alice: User, models_configured: LLMServer) -> None:
    async def many() -> list[list[tuple[str, Any]]]:
        return await asyncio.gather(*(_streamed(key, {"input": "Hi", "stream": True}) for _ in range(12)))

    _, key = issue_key(alice, name="test")
    assert [events[-1][0] for events in async_to_sync(many)()] == ["ended"] * 12


def test_reply_whose_client_leaves_while_it_begins_is_ended(alice: User) -> None:
    def begin_slowly() -> AsyncIterator[Piece]:
        pieces = ask_question(thread.pk, "Hi", owner=alice.pk)
        is_stored.set()
        is_left.wait(10)
        return pieces

    async def leave() -> None:
        reading: asyncio.Task[bytes] = asyncio.ensure_future(anext(stream.source))
        await asyncio.to_thread(is_stored.wait, 10)
        reading.cancel()
        is_left.set()
        with suppress(asyncio.CancelledError):
            await reading

    thread = create_thread(owner=alice.pk)
    is_stored, is_left = threading.Event(), threading.Event()
    stream: Any = EventStream(begin_slowly, lambda _piece: ("piece", None))
    asyncio.run(leave())
    assert Reply.objects.get().status == "failed"


def test_reply_whose_client_leaves_before_a_thread_is_free_never_begins(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def wait_for_thread(call: Callable[[], Any]) -> Any:
        await is_free.wait()
        return call()

    async def leave() -> None:
        reading: asyncio.Task[bytes] = asyncio.ensure_future(anext(stream.source))
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_later(0.01, is_free.set)
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading

    def begin_greeting() -> AsyncIterator[str]:
        begun.append("it")
        return greeting()

    begun: list[str] = []
    is_free = asyncio.Event()
    monkeypatch.setattr(streaming, "run_in_stream_thread", wait_for_thread)
    stream: Any = EventStream(begin_greeting, lambda piece: ("piece", piece))
    asyncio.run(leave())
    assert not begun


async def greeting() -> AsyncIterator[str]:
    for piece in ("He", "llo"):
        yield piece


def test_whole_reply_waits_in_the_loop(alice: User, models_configured: LLMServer) -> None:
    def join(pieces: Sequence[str]) -> dict[str, Any]:
        return {"text": "".join(pieces)}

    response = finished(WholeStream(greeting, join))
    async_to_sync(response.settle)()
    assert (response.status_code, response.content) == (200, b'{"text":"Hello"}')


def test_error_of_a_whole_reply_has_its_status(alice: User) -> None:
    def refuse() -> AsyncIterator[str]:
        raise Conflict("This message is being answered.")

    response = finished(WholeStream(refuse, lambda _pieces: {}))
    async_to_sync(response.settle)()
    assert (response.status_code, response.data["code"]) == (409, "conflict")


def finished(response: WholeStream[str]) -> WholeStream[str]:
    rendering = {"accepted_renderer": JSONRenderer(), "accepted_media_type": "application/json"}
    vars(response).update(rendering, renderer_context={})  # what a view sets before it renders
    response.render()
    return response


async def _streamed(
    key: str, body: dict[str, Any], accept: str = "application/json"
) -> list[tuple[str, Any]]:
    client, headers = AsyncClient(), {"Authorization": f"Bearer {key}"}
    begun = await client.post("/api/threads", {}, content_type="application/json", headers=headers)
    headers["Accept"] = accept
    path = f"/api/threads/{begun.json()['id']}/reply"
    response: Any = await client.post(path, body, content_type="application/json", headers=headers)
    assert response["Content-Type"] == "text/event-stream"
    stream: AsyncIterator[bytes] = response.streaming_content
    text = b"".join([part async for part in stream]).decode()
    blocks = [block.split("\n") for block in text.strip().split("\n\n")]
    return [(head.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for head, data in blocks]
