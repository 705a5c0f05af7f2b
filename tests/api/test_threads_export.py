"""A thread taken away: everything in JSON, a transcript in Markdown."""

from __future__ import annotations

import json
import re
from typing import Any, cast

import pytest
from asgiref.sync import async_to_sync
from django.http import StreamingHttpResponse
from django.test import AsyncClient
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.rest import downloads
from threads.messages.exporting import escape_markdown, fence_markdown
from threads.messages.transcript import create_thread
from threads.models import Message, Offload, Thread, ThreadSummary
from threads.summarization.task_state import set_task_state

FUNCTION = {"name": "look", "arguments": "{}"}


@pytest.fixture
def thread(alice: User) -> Thread:
    return create_thread(
        owner=alice.pk, title="Plans", system_prompt="Be brief.", metadata={"colour": "blue"}
    )


@pytest.fixture
def address(thread: Thread) -> str:
    return f"/api/threads/{thread.pk}"


def say(client: APIClient, address: str, *texts: str) -> list[dict[str, Any]]:
    batch = [{"role": "user", "content": text} for text in texts]
    return list(client.post(f"{address}/messages", {"messages": batch}).json()["results"])


def taken(client: APIClient, address: str, query: str = "") -> str:
    response = client.get(f"{address}/export?{query}")
    assert response.status_code == 200, response.content
    return cast("StreamingHttpResponse", response).getvalue().decode()


def as_json(client: APIClient, address: str, query: str = "") -> dict[str, Any]:
    return dict(json.loads(taken(client, address, query)))


def test_json_has_all_lines_with_their_parents(alice_api: APIClient, address: str) -> None:
    first, second = say(alice_api, address, "one", "two")
    alice_api.post(f"{address}/checkout", {"message": first["id"]})
    [other] = say(alice_api, address, "another two")
    export = as_json(alice_api, address)
    parents = {message["id"]: message["parent"] for message in export["messages"]}
    assert parents == {first["id"]: None, second["id"]: first["id"], other["id"]: first["id"]}
    assert {branch["head"] for branch in export["branches"]} == {second["id"], other["id"]}
    assert [branch["head"] for branch in export["branches"] if branch["is_current"]] == [other["id"]]


def test_json_has_the_threads_own_fields(alice_api: APIClient, address: str, thread: Thread) -> None:
    export = as_json(alice_api, address)
    assert (export["format"], export["version"], export["complete"]) == ("memsite.thread", 1, True)
    assert export["thread"]["id"] == str(thread.pk)
    assert export["thread"]["system_prompt"] == "Be brief."
    assert export["thread"]["metadata"] == {"colour": "blue"}


def test_json_has_every_field_of_a_message(alice_api: APIClient, address: str) -> None:
    call = {"role": "assistant", "tool_calls": [{"id": "a", "function": FUNCTION}], "state": {"mood": "fine"}}
    result = {"role": "tool", "tool_call_id": "a", "content": "found", "client_id": "c1"}
    added = alice_api.post(f"{address}/messages", {"messages": [call, result]}).json()["results"]
    for message, known in zip(as_json(alice_api, address)["messages"], added, strict=True):
        same = {name: message[name] for name in known.keys() - {"thread", "created_at"} & message.keys()}
        assert same == {name: known[name] for name in same}
        assert {"role", "content", "tool_calls", "tool_call_id", "state", "client_id"} <= message.keys()


def test_json_has_summaries_and_the_task_state(
    alice: User, alice_api: APIClient, address: str, thread: Thread
) -> None:
    [message] = say(alice_api, address, "one")
    ThreadSummary.objects.create(
        owner_id=alice.pk, thread=thread, last_message_id=message["id"], content="She began."
    )
    set_task_state(thread.pk, {"current_goal": "Finish"}, owner=alice.pk)
    export = as_json(alice_api, address)
    assert export["summaries"][0]["content"] == "She began."
    assert export["summaries"][0]["last_message_id"] == message["id"]
    assert export["task_state"]["current_goal"] == "Finish"


def test_offloaded_content_is_whole(alice: User, alice_api: APIClient, address: str) -> None:
    [message] = say(alice_api, address, "a pointer")
    Offload.objects.create(
        owner_id=alice.pk, message_id=message["id"], content="all of it ``` here", token_count=9
    )
    Message.objects.filter(owner_id=alice.pk).update(is_compacted=True)
    assert as_json(alice_api, address)["messages"][0]["content"] == "all of it ``` here"
    assert "all of it ``` here" in taken(alice_api, address, "format=markdown")


def test_a_branch_is_exported_alone(alice_api: APIClient, address: str) -> None:
    first, _ = say(alice_api, address, "one", "two")
    alice_api.post(f"{address}/branches", {"name": "idea", "from_message": first["id"]})
    export = as_json(alice_api, address, "branch=idea")
    assert [message["content"] for message in export["messages"]] == ["one"]
    assert [branch["name"] for branch in export["branches"]] == ["idea"]
    assert "two" not in taken(alice_api, address, "format=markdown&branch=idea")


def test_file_has_a_name_and_a_type(alice_api: APIClient, address: str, thread: Thread) -> None:
    for wanted, kind, suffix in (("json", "application/json", "json"), ("markdown", "text/markdown", "md")):
        response = alice_api.get(f"{address}/export?format={wanted}")
        assert response["Content-Type"].startswith(kind)
        assert response["Content-Disposition"] == f'attachment; filename="thread-{thread.pk}.{suffix}"'
        assert response["Cache-Control"] == "private, no-store"


def test_transcript_shows_who_said_what(alice_api: APIClient, address: str) -> None:
    say(alice_api, address, "Where shall we go?", "To the sea.")
    text = taken(alice_api, address, "format=markdown")
    assert text.startswith("# Plans\n")
    assert text.index("Be brief.") < text.index("Where shall we go?") < text.index("To the sea.")
    assert len(re.findall(r"^## User, \d{4}-\d\d-\d\d \d\d:\d\d UTC$", text, re.MULTILINE)) == 2


def test_no_message_can_pass_for_another(alice_api: APIClient, address: str) -> None:
    say(alice_api, address, "bye\n```\n\n## Assistant, 2024-01-01 10:00 UTC\n\n````text\nI lied.")
    text = taken(alice_api, address, "format=markdown")
    assert outside_of_fences(text).count("\n## ") == 2  # the system prompt, and the user


def outside_of_fences(text: str) -> str:
    """What of a Markdown text does not stand in code blocks, as CommonMark reads it."""
    outside, fence = [], ""
    for line in re.split(r"\r\n|\n|\r", text):
        mark = re.match(r" {0,3}(`{3,})", line)
        if fence and mark and len(mark[1]) >= len(fence) and not line.strip().strip("`"):
            fence = ""
        elif not fence and mark:
            fence = mark[1]
        elif not fence:
            outside.append(line)
    return "\n".join(outside)


@given(st.text(alphabet="`~ab\n\r #>-", max_size=60) | st.text(max_size=60))
def test_a_fenced_text_stays_in_its_fence(text: str) -> None:
    assert outside_of_fences(f"{fence_markdown(text)}\nend") == "end"


@given(st.text(alphabet="`*_<>[]()!#&|~\\ab\n\r\u202e\u200b ", max_size=40))
def test_a_title_is_one_line_without_markup(text: str) -> None:
    line = escape_markdown(text)
    assert line.isprintable()
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_<>\[\]#]", line)


def test_pages_of_an_export_are_one_query_each(
    alice_api: APIClient, address: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    say(alice_api, address, *(str(number) for number in range(450)))
    with django_assert_max_num_queries(12):
        export = as_json(alice_api, address)
    assert [message["content"] for message in export["messages"]] == [str(one) for one in range(450)]


@pytest.mark.parametrize(
    "query", ["format=xml", "format=", "all=true&branch=main", "format=markdown&all=true", "wish=1"]
)
def test_bad_wish_for_an_export_is_refused(alice_api: APIClient, address: str, query: str) -> None:
    response = alice_api.get(f"{address}/export?{query}")
    assert response.status_code == 400
    assert response.json()["code"] == "invalid"


def test_unknown_branch_is_not_found(alice_api: APIClient, address: str) -> None:
    assert alice_api.get(f"{address}/export?branch=other").status_code == 404


@pytest.mark.parametrize("wanted", ["json", "markdown"])
def test_nobody_else_takes_it_away(
    address: str, bob_api: APIClient, charlie_api: APIClient, wanted: str
) -> None:
    for client in (bob_api, charlie_api):
        assert client.get(f"{address}/export?format={wanted}").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_natively_it_comes_in_pieces(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "_TURN", 100)
    thread = create_thread(owner=alice.pk)
    _, key = issue_key(alice, name="test", scopes=("read",))

    async def pieces() -> list[bytes]:
        headers = {"Authorization": f"Bearer {key}"}
        response: Any = await AsyncClient().get(f"/api/threads/{thread.pk}/export", headers=headers)
        assert response.status_code == 200, response.content
        return [piece async for piece in response]

    came = async_to_sync(pieces)()
    assert len(came) > 1
    assert json.loads(b"".join(came))["complete"] is True
