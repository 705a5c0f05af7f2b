"""How much of a body is read, of whom, and for how long."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memsite import asgi
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.edge import bodies
from memsite.edge.bodies import ANONYMOUS_BYTES, BoundedBodies
from memsite.errors import NotAuthenticated
from tests.edge.asking import Echo, ask, scope

LONGEST = 200_000
CHUNKED = ("Transfer-Encoding", "chunked")
LARGE = b"x" * (ANONYMOUS_BYTES + 1)


def length(size: int) -> tuple[str, str]:
    return ("Content-Length", str(size))


async def somebody(_scope: Any) -> str:
    return "alice"


async def nobody(_scope: Any) -> str:
    raise NotAuthenticated("Sign in.")


def bounded(identify: Any = somebody) -> tuple[BoundedBodies, Echo]:
    inner = Echo()
    return BoundedBodies(inner, longest=LONGEST, identify=identify), inner


def test_body_within_the_limit_arrives_whole() -> None:
    application, inner = bounded()
    assert ask(application, scope(length(6)), [b"abc", b"def"]).status == 200
    assert inner.bodies == [b"abcdef"]


def test_chunked_body_goes_on_with_its_length() -> None:
    application, inner = bounded()
    ask(application, scope(CHUNKED), [b"abc", b"def"])
    assert dict(inner.scopes[0]["headers"]) == {b"host": b"localhost", b"content-length": b"6"}


@pytest.mark.parametrize("path", ["/api/memories", "/api/events", "/mcp", "/v1/chat/completions", "/nowhere"])
def test_chunked_body_past_the_limit_is_refused_on_every_path(path: str) -> None:
    application, inner = bounded()
    answer = ask(application, scope(CHUNKED, path=path), [LARGE] * 4)
    assert (answer.status, inner.bodies) == (413, [])


def test_announced_length_past_the_limit_is_refused_before_the_body_comes() -> None:
    application, _ = bounded()
    answer = ask(application, scope(length(LONGEST + 1)), [])
    assert (answer.status, json.loads(answer.body)["code"]) == (413, "too_large")


@pytest.mark.parametrize("header", [CHUNKED, length(len(LARGE))])
def test_large_body_of_nobody_is_refused(header: tuple[str, str]) -> None:
    application, inner = bounded(nobody)
    answer = ask(application, scope(header), [LARGE], ended=False)
    assert (answer.status, inner.bodies) == (401, [])
    assert answer.headers["www-authenticate"] == "Bearer"


def test_small_body_of_nobody_is_passed_on() -> None:
    application, _ = bounded(nobody)
    assert ask(application, scope(length(3)), [b"abc"]).status == 200


def test_body_that_stops_coming_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "LONGEST_PAUSE", 0.05)
    application, inner = bounded()
    answer = ask(application, scope(length(6)), [b"abc"], ended=False)
    assert (answer.status, inner.bodies) == (408, [])


def test_one_caller_may_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "_AT_ONCE_FOR_ONE", 0)
    application, _ = bounded()
    answer = ask(application, scope(length(len(LARGE))), [LARGE])
    assert (answer.status, answer.headers["retry-after"]) == (429, "1")


def test_memory_that_is_taken_by_others_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "_AT_ONCE_FOR_ALL", 0)
    application, _ = bounded()
    assert ask(application, scope(length(len(LARGE))), [LARGE]).status == 503


def test_memory_is_given_back_after_each_request() -> None:
    application, _ = bounded()
    sent = [ask(application, scope(length(len(LARGE))), [LARGE]).status for _ in range(20)]
    assert set(sent) == {200}


@pytest.mark.parametrize("error", ["nobody", "too large"])
def test_refusal_under_v1_has_the_shape_of_openai(error: str) -> None:
    application, _ = bounded(nobody if error == "nobody" else somebody)
    size = len(LARGE) if error == "nobody" else LONGEST + 1
    said = json.loads(ask(application, scope(length(size), path="/v1/chat/completions"), []).body)["error"]
    expected = {"nobody": ("authentication_error", "invalid_api_key")}
    assert (said["type"], said["code"]) == expected.get(error, ("invalid_request_error", "too_large"))
    assert said.keys() == {"message", "type", "param", "code"}


def test_page_says_what_was_wrong_to_a_person() -> None:
    application, _ = bounded()
    answer = ask(application, scope(length(LONGEST + 1), path="/memories/"), [])
    assert answer.status == 413
    assert b"<h1>Too large</h1>" in answer.body


@pytest.mark.django_db(transaction=True)
def test_large_body_of_a_key_reaches_its_view(alice: User) -> None:
    _, key = issue_key(alice, name="test")
    body = json.dumps({"messages": [{"role": "user", "content": "x" * len(LARGE)}]}).encode()
    request = scope(
        length(len(body)), ("Authorization", f"Bearer {key}"), ("Content-Type", "application/json")
    )
    answer = ask(asgi.application, {**request, "path": "/api/memories/batch"}, [body])
    assert (answer.status, json.loads(answer.body)["code"]) == (400, "invalid")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/api/memories", "/api/threads/x/reply"])
def test_large_body_without_a_key_is_refused_by_the_site(path: str) -> None:
    request = scope(CHUNKED, ("Authorization", "Bearer msk_000000000000_guess"), path=path)
    assert ask(asgi.application, request, [LARGE], ended=False).status == 401


@pytest.mark.django_db(transaction=True)
def test_large_form_of_a_signed_in_person_is_read(alice: User, alice_browser: Any) -> None:
    cookie = f"sessionid={alice_browser.cookies['sessionid'].value}"
    request = scope(
        CHUNKED,
        ("Cookie", cookie),
        ("Content-Type", "application/x-www-form-urlencoded"),
        path="/settings/",
    )
    assert ask(asgi.application, request, [LARGE]).status not in {401, 413}
