"""Pages of lines in a thread of 10,000 messages and 100 branches."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from memsite.accounts.models import User
from memsite.values import MessageRole
from threads.messages.transcript import create_thread
from threads.models import Branch, Line, Message, Thread
from threads.storage.access import get_branch, get_thread
from threads.storage.path import load_path
from threads.storage.queries import MessageFilter, list_messages

BRANCHES, MESSAGES = 100, 10_000


@pytest.fixture
def bushy(alice: User) -> Thread:
    """`main` of 5,050 messages; b1 … b99 leave it one after the other, 50 messages each."""
    thread = create_thread(owner=alice.pk)
    main = get_branch(thread, "main")
    trunk = _grow(thread, main.line, 0, MESSAGES - (BRANCHES - 1) * 50)
    main.head = trunk[-1]
    main.save()
    for number in range(1, BRANCHES):
        root = trunk[number * 50]
        line = Line.objects.create(owner=alice, thread=thread, origin=main.line, fork_depth=root.depth)
        rows = _grow(thread, line, root.depth + 1, 50)
        Branch.objects.create(owner=alice, thread=thread, name=f"b{number}", line=line, head=rows[-1])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE threads_message")
    return thread


def _grow(thread: Thread, line: Line, depth: int, count: int) -> list[Message]:
    rows = [
        Message(
            owner_id=thread.owner_id, thread=thread, line=line, depth=depth + step, role="user", content="x"
        )
        for step in range(count)
    ]
    return Message.objects.bulk_create(rows, batch_size=2000)


def scans(plan: dict[str, Any]) -> list[str]:
    """The kinds of scans in a plan."""
    own = [str(plan["Node Type"])] if "Scan" in str(plan["Node Type"]) else []
    return own + [name for part in plan.get("Plans", ()) for name in scans(part)]


def plan_of(rows: Any) -> dict[str, Any]:
    plan: dict[str, Any] = json.loads(rows.explain(format="json"))[0]["Plan"]
    return plan


def test_page_of_any_line_is_one_index_scan(bushy: Thread, subtests: pytest.Subtests) -> None:
    for name, order, after in product(("main", "b1", "b99"), ("depth", "-depth"), (None, 40, 2_000)):
        with subtests.test(name=name, order=order, after=after):
            path = load_path(get_branch(bushy, name))
            rows = list_messages(path, MessageFilter(after=after), owner=bushy.owner_id).order_by(order)[:20]
            assert set(scans(plan_of(rows))) <= {"Index Scan", "Bitmap Index Scan", "Bitmap Heap Scan"}
            assert len(scans(plan_of(rows))) == 1 or name != "main"


def test_page_of_a_branch_is_one_query_beside_its_lines(
    bushy: Thread, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    thread = get_thread(bushy.pk, owner=bushy.owner_id)
    branch = get_branch(thread, "b99")
    with django_assert_num_queries(2):
        rows = list(list_messages(load_path(branch), owner=bushy.owner_id).order_by("-depth")[:60])
    assert [row.depth for row in rows] == list(range(rows[0].depth, rows[0].depth - 60, -1))


def rows_read(plan: dict[str, Any]) -> int:
    """How many rows the scans of an analysed plan met with, those that were passed over counted."""
    own = int(plan["Actual Rows"]) + int(plan.get("Rows Removed by Filter", 0))
    return max([own, *(rows_read(part) for part in plan.get("Plans", ()))])


def test_page_reads_few_rows_beside_its_own_however_deep_other_lines_go(
    bushy: Thread, subtests: pytest.Subtests
) -> None:
    for name, order, roles in product(
        ("main", "b1", "b50", "b99"), ("depth", "-depth"), ((), (MessageRole.USER,))
    ):
        with subtests.test(name=name, order=order, roles=roles):
            path = load_path(get_branch(bushy, name))
            rows = list_messages(path, MessageFilter(roles=roles), owner=bushy.owner_id).order_by(order)[:20]
            plan: dict[str, Any] = json.loads(rows.explain(format="json", analyze=True))[0]["Plan"]
            assert rows_read(plan) <= 120
