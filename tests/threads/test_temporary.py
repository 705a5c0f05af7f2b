"""A temporary thread leaves no trace, by any path: no word of it in any table but its own, none in a log."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from tests.llm_server import LLMServer, json_answer, status
from tests.threads.summarization.summing import model_says

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "zqxheron"
PATHS: list[tuple[str, dict[str, Any]]] = [
    ("context", {"input": SECRET}),
    ("extract", {"wait": True}),
    ("summarise", {"wait": True, "force": True}),
    ("compact", {"force": True}),
    ("reply", {"input": f"what of {SECRET}?"}),
    ("reply", {"regenerate": True}),
    ("retrieve", {"query": SECRET}),
    ("undo", {"count": 1}),
    ("cleanup-branches", {}),
]


def tables_with_it() -> set[str]:
    """The tables with a column that has the word, whatever its type."""
    found = set()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
        )
        for table, column in cursor.fetchall():
            cursor.execute(
                f'SELECT EXISTS (SELECT FROM "{table}" WHERE "{column}"::text ILIKE %s)',  # noqa: S608 - names of the schema
                [f"%{SECRET}%"],
            )
            if cursor.fetchone() == (True,):
                found.add(table)
    return found


def rows_of(*prefixes: str) -> dict[str, int]:
    """How many rows the tables have whose names begin so."""
    names = [name for name in connection.introspection.table_names() if name.startswith(prefixes)]
    with connection.cursor() as cursor:
        counts = {}
        for name in names:
            cursor.execute(f'SELECT count(*) FROM "{name}"')  # noqa: S608 - names of the schema
            counts[name] = int((cursor.fetchone() or (0,))[0])
    return counts


def talk(api: APIClient) -> str:
    """A temporary thread in which all kinds of things were said; its address."""
    made = api.post("/api/threads", {"is_temporary": True, "title": SECRET}).json()
    path = f"/api/threads/{made['id']}"
    said = [{"role": "user", "content": f"Remember that I like {SECRET} {n}."} for n in range(12)]
    call = {"id": "c", "function": {"name": "look", "arguments": SECRET}}
    tools = [
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": f"{SECRET} word " * 3_000},
    ]
    assert api.post(f"{path}/messages", {"messages": [*said, *tools]}).status_code == 201
    return path


@pytest.mark.parametrize("model", ["answers", "fails", "none"])
def test_nothing_of_it_is_anywhere(
    model: str,
    alice_api: APIClient,
    alice_browser: Client,
    request: pytest.FixtureRequest,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    if model != "none":
        server: LLMServer = request.getfixturevalue("models_configured")
        state = {"current_goal": SECRET}
        summary = json_answer(model_says(f"The user likes {SECRET}.", task_state=state))
        server.always(summary if model == "answers" else status(400, SECRET))
    before = rows_of("memories_", "jobs_", "django_q_")
    path = talk(alice_api)
    for verb, body in PATHS:
        assert alice_api.post(f"{path}/{verb}", body).status_code < 500
    assert alice_browser.get(path.removeprefix("/api") + "/").status_code == 200
    assert {table for table in tables_with_it() if not table.startswith("threads_")} == set()
    assert alice_api.post(f"{path}/close", {}).status_code == 200
    assert tables_with_it() <= {"threads_thread"}  # the title, until the row goes
    assert alice_api.delete(path).status_code < 300
    assert tables_with_it() == set()
    assert rows_of("memories_", "jobs_", "django_q_") == before
    assert SECRET not in caplog.text + capfd.readouterr().err
