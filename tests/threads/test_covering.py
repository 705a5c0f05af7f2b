from __future__ import annotations

from tests.threads.saying import Talk
from tests.threads.test_path import fork
from threads.models import Branch, Message, Thread, ThreadSummary
from threads.storage.access import get_thread
from threads.storage.path import load_path
from threads.summarization.nearest_summary import NearestSummary, load_nearest_summary


def summarise(last: Message, content: str, **fields: object) -> None:
    ThreadSummary.objects.create(
        owner_id=last.owner_id, thread_id=last.thread_id, last_message=last, content=content, **fields
    )


def of(branch: Branch | None) -> NearestSummary | None:
    assert branch is not None
    return load_nearest_summary(load_path(branch), owner=branch.owner_id)


def current(thread: Thread) -> Branch | None:
    branch: Branch | None = get_thread(thread.pk, owner=thread.owner_id).current_branch
    return branch


def test_summary_that_reaches_furthest_covers(thread: Thread, talk: Talk) -> None:
    messages = talk(*"abcde")
    summarise(messages[1], "a and b")
    summarise(messages[3], "a to d", structured={"user_goal": "z"})
    assert of(current(thread)) == NearestSummary("a to d", {"user_goal": "z"}, messages[3].depth, 4)


def test_summary_of_a_line_that_was_left_covers_nothing_of_it(thread: Thread, talk: Talk) -> None:
    messages = talk(*"abcde")
    summarise(messages[1], "a and b")
    summarise(messages[4], "a to e")
    found = of(fork(thread, messages[2], "x", "y"))
    assert found == NearestSummary("a and b", {}, messages[1].depth, 2)


def test_messages_of_all_lines_are_counted(thread: Thread, talk: Talk) -> None:
    branch = fork(thread, talk(*"abcde")[2], "x", "y")
    assert branch.head is not None
    summarise(branch.head, "all")
    found = of(branch)
    assert found is not None
    assert found.messages == 5


def test_stale_summary_does_not_cover(thread: Thread, talk: Talk) -> None:
    summarise(talk(*"ab")[1], "a and b", is_stale=True)
    assert of(current(thread)) is None


def test_nothing_covers_an_empty_thread(thread: Thread) -> None:
    assert of(current(thread)) is None
