from __future__ import annotations

from memsite.accounts.models import User
from tests.threads.saying import Talk
from threads.messages.transcript import create_thread
from threads.models import Branch, Line, Message, Thread
from threads.storage.access import get_thread
from threads.storage.path import load_path
from threads.storage.queries import list_messages, list_thread_ids


def fork(thread: Thread, at: Message, *texts: str) -> Branch:
    """A branch that goes on from a message with these texts."""
    line = Line.objects.create(owner_id=thread.owner_id, thread=thread, origin=at.line, fork_depth=at.depth)
    parent = at
    for text in texts:
        parent = Message.objects.create(
            owner_id=thread.owner_id,
            thread=thread,
            line=line,
            parent=parent,
            depth=parent.depth + 1,
            role="user",
            content=text,
        )
    return Branch.objects.create(owner_id=thread.owner_id, thread=thread, line=line, head=parent)


def along(branch: Branch | None, owner: User) -> str:
    rows = list_messages(load_path(branch), owner=owner.pk).order_by("depth")
    return "".join(rows.values_list("content", flat=True))


def test_thread_without_messages_has_an_empty_path(alice: User, thread: Thread) -> None:
    assert along(get_thread(thread.pk, owner=alice.pk).current_branch, alice) == ""


def test_path_of_a_fork_begins_on_the_line_it_left(alice: User, thread: Thread, talk: Talk) -> None:
    messages = talk(*"abcd")
    assert along(fork(thread, messages[1], "x", "y"), alice) == "abxy"
    assert along(get_thread(thread.pk, owner=alice.pk).current_branch, alice) == "abcd"


def test_path_of_a_fork_of_a_fork_takes_three_lines(alice: User, thread: Thread, talk: Talk) -> None:
    messages = talk(*"abcd")
    first = fork(thread, messages[2], "x", "y")
    x = Message.objects.get(thread=thread, content="x")
    second = fork(thread, x, "z")
    assert along(first, alice) == "abcxy"
    assert along(second, alice) == "abcxz"


def test_path_ends_at_the_head_wherever_it_was_moved(alice: User, thread: Thread, talk: Talk) -> None:
    messages = talk(*"abcd")
    branch = get_thread(thread.pk, owner=alice.pk).current_branch
    assert branch is not None
    branch.head = messages[1]
    assert along(branch, alice) == "ab"


def test_ids_of_threads_come_last_changed_first(alice: User, bob: User) -> None:
    first, second = create_thread(owner=alice.pk), create_thread(owner=alice.pk)
    create_thread(owner=bob.pk)
    assert list_thread_ids(owner=alice.pk) == [second.pk, first.pk]
