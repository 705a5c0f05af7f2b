"""Compactors at the same time as others, and killed at any statement: nothing lost, nothing doubled."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from memsite.accounts.models import User
from memsite.jobs.models import Lease
from memsite.llm.tokens import count_message_tokens
from memsite.values import MessageRole
from tests.killing import is_killed_at
from tests.threads.saying import assistant_calls, tool_answers, user_says
from tests.threads.test_concurrency import at_once
from threads.compaction.compaction import compact_branch, restore_messages
from threads.compaction.offloading import load_original_content
from threads.context.context import assemble_context
from threads.messages.incoming import NewMessage
from threads.messages.removal import delete_message
from threads.messages.transcript import append_messages, create_thread
from threads.models import ContextMetrics, Message, Offload, Thread

pytestmark = pytest.mark.django_db(transaction=True)

BULK = "The tide table says nothing new about the harbour. " * 30
HUGE = "word " * 4_100


def said(number: int) -> list[NewMessage]:
    pairs = [(assistant_calls(f"c{n}"), tool_answers(f"c{n}", f"{n}: {BULK}")) for n in range(number)]
    return [user_says("go"), *(one for pair in pairs for one in pair)]


def assert_whole(thread: Thread, originals: dict[Any, str]) -> None:
    """Every message says what it said, as a pointer exactly where its content is put away."""
    rows = list(Message.objects.filter(thread=thread))
    assert load_original_content([row.pk for row in rows], owner=thread.owner_id) == originals
    away = {row.pk for row in rows if row.is_compacted}
    assert set(Offload.objects.filter(message__thread=thread).values_list("message_id", flat=True)) == away
    for row in rows:
        assert row.token_count == count_message_tokens({"content": row.content, "tool_calls": row.tool_calls})
    saved = sum(
        one.token_count - one.message.token_count
        for one in Offload.objects.filter(message__thread=thread).select_related("message")
    )
    assert sum(ContextMetrics.objects.filter(thread=thread).values_list("tokens_saved", flat=True)) == saved


@pytest.mark.kill
def test_compactor_killed_at_any_statement_loses_and_doubles_nothing(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("threads.compaction.compaction.COMPACTION_BATCH", 3)
    statement, was_killed = 0, True
    while was_killed:
        statement += 1
        thread = create_thread(owner=alice.pk)
        rows = append_messages(thread.pk, said(10), owner=alice.pk).messages
        originals = {row.pk: row.content for row in rows}
        was_killed = is_killed_at(statement, partial(compact_branch, thread.pk, owner=alice.pk, force=True))
        assert_whole(thread, originals)
        Lease.objects.all().delete()
        compact_branch(thread.pk, owner=alice.pk, force=True)
        assert_whole(thread, originals)
        assert Offload.objects.filter(message__thread=thread).count() == 5
    assert statement > 15


@pytest.mark.kill
def test_restorer_killed_at_any_statement_loses_and_doubles_nothing(alice: User) -> None:
    statement, was_killed = 0, True
    while was_killed:
        statement += 1
        thread = create_thread(owner=alice.pk)
        rows = append_messages(thread.pk, said(8), owner=alice.pk).messages
        originals = {row.pk: row.content for row in rows}
        compact_branch(thread.pk, owner=alice.pk, force=True)
        was_killed = is_killed_at(statement, partial(restore_messages, thread.pk, originals, owner=alice.pk))
        assert_whole(thread, originals)
        restore_messages(thread.pk, originals, owner=alice.pk)
        assert_whole(thread, originals)
        assert not Offload.objects.filter(message__thread=thread).exists()
    assert statement > 8


@pytest.mark.kill
def test_append_killed_while_it_offloads_stores_all_or_nothing(alice: User) -> None:
    statement, was_killed = 0, True
    while was_killed:
        statement += 1
        thread = create_thread(owner=alice.pk)
        new = [
            user_says("go", client_id="a"),
            assistant_calls("c"),
            NewMessage(role=MessageRole.TOOL, tool_call_id="c", content=HUGE, client_id="b"),
        ]
        was_killed = is_killed_at(statement, partial(append_messages, thread.pk, new, owner=alice.pk))
        stored = Message.objects.filter(thread=thread).count()
        assert stored == (0 if was_killed else 3)
        if not stored:
            append_messages(thread.pk, new, owner=alice.pk)
        ids = list(Message.objects.filter(thread=thread).order_by("depth").values_list("pk", flat=True))
        assert_whole(thread, dict(zip(ids, ["go", "", HUGE], strict=True)))
        assert Offload.objects.filter(message__thread=thread).count() == 1
    assert statement > 5


def test_compactors_writers_and_readers_at_once_keep_everything(alice: User) -> None:
    thread = create_thread(owner=alice.pk)
    rows = append_messages(thread.pk, said(20), owner=alice.pk).messages
    originals = {row.pk: row.content for row in rows}

    def squeeze() -> None:
        compact_branch(thread.pk, owner=alice.pk, force=True)

    def write() -> None:
        for number in range(5):
            one = append_messages(thread.pk, [user_says(f"more {number}")], owner=alice.pk).messages[0]
            originals[one.pk] = one.content

    def read() -> None:
        for _ in range(3):
            context = assemble_context(thread.pk, "and now?", owner=alice.pk, max_tokens=4_000)
            assert context.token_stats.total <= 4_000

    at_once([squeeze, write, squeeze, read])
    assert_whole(thread, originals)


def test_message_deleted_while_it_is_compacted_is_gone(alice: User) -> None:
    thread = create_thread(owner=alice.pk)
    rows = append_messages(thread.pk, said(10), owner=alice.pk).messages
    gone = rows[1:9:2]
    at_once(
        [
            lambda: compact_branch(thread.pk, owner=alice.pk, force=True),
            lambda: [delete_message(thread.pk, row.pk, owner=alice.pk) for row in gone],
        ]
    )
    away = Offload.objects.filter(message__thread=thread).count()
    assert away == Message.objects.filter(thread=thread, is_compacted=True).count()
