"""Branches and time travel, against what git would do."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from memsite.accounts.models import User
from memsite.errors import Conflict, InvalidInput, NotFound
from tests.threads.saying import Talk, user_says
from threads.branches.branching import (
    checkout_branch,
    cleanup_branches,
    create_branch,
    delete_branch,
    rename_branch,
    undo_messages,
)
from threads.branches.comparing import compare_branches
from threads.messages.removal import delete_message
from threads.messages.transcript import append_messages, create_thread
from threads.models import Branch, Line, Message, Thread
from threads.storage.access import get_branch, get_thread
from threads.storage.path import branches_of, load_path
from threads.storage.queries import list_messages


def line_of(thread: Thread, name: str | None = None) -> list[str]:
    """What a branch, by default the current one, leads over."""
    fresh = get_thread(thread.pk, owner=thread.owner_id)
    head = get_branch(fresh, name) if name else fresh.current_branch
    return list(
        list_messages(load_path(head), owner=thread.owner_id)
        .order_by("depth")
        .values_list("content", flat=True)
    )


def test_new_branch_leads_over_the_same_messages_and_is_not_current(thread: Thread, talk: Talk) -> None:
    talk("a", "b")
    create_branch(thread.pk, "idea", owner=thread.owner_id)
    assert line_of(thread, "idea") == ["a", "b"]
    assert get_thread(thread.pk, owner=thread.owner_id).current_branch.name == "main"


def test_branches_go_on_apart(thread: Thread, talk: Talk) -> None:
    talk("a", "b")
    create_branch(thread.pk, "idea", owner=thread.owner_id)
    talk("c")
    checkout_branch(thread.pk, branch="idea", owner=thread.owner_id)
    talk("d", "e")
    assert line_of(thread, "main") == ["a", "b", "c"]
    assert line_of(thread, "idea") == ["a", "b", "d", "e"]


def test_going_on_from_an_earlier_message_loses_nothing(thread: Thread, talk: Talk) -> None:
    said = talk("a", "b", "c")
    checkout_branch(thread.pk, message=said[0].pk, owner=thread.owner_id)
    talk("x")
    assert line_of(thread) == ["a", "x"]
    assert line_of(thread, "main") == ["a", "b", "c"]


def test_looking_back_and_returning_leaves_no_branch(thread: Thread, talk: Talk) -> None:
    said = talk("a", "b")
    checkout_branch(thread.pk, message=said[0].pk, owner=thread.owner_id)
    checkout_branch(thread.pk, branch="main", owner=thread.owner_id)
    assert [one.name for one in branches_of(thread.pk, owner=thread.owner_id)] == ["main"]


def test_message_before_the_first_is_not_needed_to_begin_anew(thread: Thread, talk: Talk) -> None:
    talk("a", "b")
    undo_messages(thread.pk, count=2, owner=thread.owner_id)
    talk("x")
    assert line_of(thread) == ["x"]


def test_undone_messages_stay_within_reach(thread: Thread, talk: Talk) -> None:
    talk("a", "b", "c")
    undone = undo_messages(thread.pk, count=2, owner=thread.owner_id)
    assert [message.content for message in undone.messages] == ["b", "c"]
    assert undone.kept_by is not None
    assert line_of(thread) == ["a"]
    assert line_of(thread, str(undone.kept_by.pk)) == ["a", "b", "c"]


def test_undoing_more_than_there_is_changes_nothing(thread: Thread, talk: Talk) -> None:
    talk("a")
    with pytest.raises(InvalidInput):
        undo_messages(thread.pk, count=2, owner=thread.owner_id)
    assert line_of(thread) == ["a"]


def test_deleted_branch_takes_only_what_it_alone_reached(thread: Thread, talk: Talk) -> None:
    talk("a", "b")
    create_branch(thread.pk, "idea", owner=thread.owner_id)
    checkout_branch(thread.pk, branch="idea", owner=thread.owner_id)
    talk("c")
    checkout_branch(thread.pk, branch="main", owner=thread.owner_id)
    assert delete_branch(thread.pk, "idea", owner=thread.owner_id).messages == 1
    assert line_of(thread) == ["a", "b"]
    assert not Message.objects.filter(content="c").exists()


def test_current_branch_is_not_deleted(thread: Thread) -> None:
    with pytest.raises(Conflict):
        delete_branch(thread.pk, "main", owner=thread.owner_id)


def test_cleanup_keeps_the_current_branch_and_those_named(thread: Thread, talk: Talk) -> None:
    said = talk("a", "b", "c")
    for name, message in zip(("one", "two"), said, strict=False):
        create_branch(thread.pk, name, from_message=message.pk, owner=thread.owner_id)
    cleanup_branches(thread.pk, keep=["two"], owner=thread.owner_id)
    assert [one.name for one in branches_of(thread.pk, owner=thread.owner_id)] == ["main", "two"]
    assert line_of(thread) == ["a", "b", "c"]


def test_cleanup_from_an_earlier_message_keeps_the_branches_with_names(thread: Thread, talk: Talk) -> None:
    said = talk("a", "b", "c")
    undo_messages(thread.pk, count=1, owner=thread.owner_id)
    checkout_branch(thread.pk, message=said[0].pk, owner=thread.owner_id)
    talk("x")
    cleanup_branches(thread.pk, owner=thread.owner_id)
    assert {one.name for one in branches_of(thread.pk, owner=thread.owner_id)} == {"main", None}
    assert (line_of(thread, "main"), line_of(thread)) == (["a", "b"], ["a", "x"])
    assert not Message.objects.filter(content="c").exists()


@pytest.mark.parametrize(
    "name", ["", "a b", "-x", "a/b", "x" * 101, "00000000-0000-7000-8000-000000000000", "."]
)
def test_bad_name_is_refused(thread: Thread, name: str) -> None:
    with pytest.raises(InvalidInput):
        create_branch(thread.pk, name, owner=thread.owner_id)


def test_taken_name_is_refused(thread: Thread, talk: Talk) -> None:
    create_branch(thread.pk, "idea", owner=thread.owner_id)
    with pytest.raises(Conflict):
        rename_branch(thread.pk, "idea", "main", owner=thread.owner_id)


def test_branch_of_another_is_not_there(thread: Thread, bob: User) -> None:
    with pytest.raises(NotFound):
        checkout_branch(thread.pk, branch="main", owner=bob.pk)


def test_comparison_begins_where_branches_part(thread: Thread, talk: Talk) -> None:
    said = talk("a", "b", "c")
    checkout_branch(thread.pk, message=said[1].pk, owner=thread.owner_id)
    talk("x", "y")
    rename_branch(thread.pk, str(_current(thread).pk), "other", owner=thread.owner_id)
    found = compare_branches(thread.pk, "main", "other", owner=thread.owner_id)
    assert found.ancestor is not None
    assert found.ancestor.content == "b"
    assert [one.content for one in found.left.messages] == ["c"]
    assert [one.content for one in found.right.messages] == ["x", "y"]


def test_message_deleted_under_a_fork_reattaches_what_followed(thread: Thread, talk: Talk) -> None:
    said = talk("a", "b", "c")
    checkout_branch(thread.pk, message=said[1].pk, owner=thread.owner_id)
    talk("x")
    delete_message(thread.pk, said[1].pk, owner=thread.owner_id)
    talk("y")
    assert line_of(thread) == ["a", "x", "y"]
    assert line_of(thread, "main") == ["a", "c"]


def test_conversation_begun_anew_on_a_fork_has_its_own_messages_only(thread: Thread, talk: Talk) -> None:
    said = talk("a", "b")
    checkout_branch(thread.pk, message=said[0].pk, owner=thread.owner_id)
    (forked,) = talk("x")
    delete_message(thread.pk, forked.pk, owner=thread.owner_id)
    undo_messages(thread.pk, owner=thread.owner_id)
    talk("y")
    assert line_of(thread) == ["y"]
    assert line_of(thread, "main") == ["a", "b"]


def assert_paths_follow_parents(thread: Thread) -> None:
    """Every branch's path by depth is the chain of parents from its head."""
    parents = dict(Message.objects.filter(thread=thread).values_list("id", "parent_id"))
    for row in branches_of(thread.pk, owner=thread.owner_id):
        rows = list_messages(load_path(row), owner=thread.owner_id).order_by("-depth")
        chain, at = [], row.head_id
        while at is not None:
            chain.append(at)
            at = parents[at]
        assert list(rows.values_list("id", flat=True)) == chain


def _current(thread: Thread) -> Branch:
    found: Any = get_thread(thread.pk, owner=thread.owner_id).current_branch
    assert isinstance(found, Branch)
    return found


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["say", "branch", "checkout", "back", "undo", "delete", "cut"]), st.integers(0, 6)
    ),
    max_size=14,
)


class BranchLaws(TestCase):
    """Any run of steps leaves what a simple model of a tree with named heads has."""

    @hypothesis_settings(max_examples=60)
    @given(STEPS)
    def test_branches_lead_over_what_a_tree_says(self, steps: list[tuple[str, int]]) -> None:
        owner = User.objects.create_user(username="law").pk
        thread = create_thread(owner=owner)
        model = Tree(_current(thread))
        for number, (step, choice) in enumerate(steps):
            getattr(model, step)(thread, choice, f"m{number}")
        for row in branches_of(thread.pk, owner=owner):
            expected = model.line(str(row.pk))
            assert line_of(thread, str(row.pk)) == expected
        assert_paths_follow_parents(thread)
        assert Line.objects.filter(thread=thread).count() <= 1 + len(steps)


class Tree:
    """Messages with parents, heads by branch id: nothing clever."""

    def __init__(self, main: Branch) -> None:
        self.parent: dict[str, str | None] = {}
        self.id: dict[str, UUID] = {}
        self.heads: dict[str, str | None] = {str(main.pk): None}

    def line(self, branch_id: str) -> list[str]:
        found, at = [], self.heads[branch_id]
        while at is not None:
            found.append(at)
            at = self.parent[at]
        return found[::-1]

    def _here(self, thread: Thread) -> str:
        return str(_current(thread).pk)

    def say(self, thread: Thread, _choice: int, text: str) -> None:
        here = self._here(thread)
        (row,) = append_messages(thread.pk, [user_says(text)], owner=thread.owner_id).messages
        self.parent[text], self.id[text], self.heads[here] = self.heads[here], row.pk, text

    def branch(self, thread: Thread, choice: int, text: str) -> None:
        here = self._here(thread)
        source = sorted(self.id)[choice % len(self.id)] if self.id and choice else None
        made = create_branch(
            thread.pk, text, from_message=self.id[source] if source else None, owner=thread.owner_id
        )
        self.heads[str(made.pk)] = source or self.heads[here]

    def checkout(self, thread: Thread, choice: int, _text: str) -> None:
        self._here(thread)
        rows = branches_of(thread.pk, owner=thread.owner_id)
        checkout_branch(thread.pk, branch=str(rows[choice % len(rows)].pk), owner=thread.owner_id)

    def back(self, thread: Thread, choice: int, _text: str) -> None:
        self._here(thread)
        if self.id:
            source = sorted(self.id)[choice % len(self.id)]
            now = checkout_branch(thread.pk, message=self.id[source], owner=thread.owner_id)
            self.heads[str(now.current_branch.pk)] = source

    def undo(self, thread: Thread, choice: int, _text: str) -> None:
        here = self._here(thread)
        line = self.line(here)
        if line:
            count = choice % len(line) + 1
            done = undo_messages(thread.pk, count=count, owner=thread.owner_id)
            assert [message.content for message in done.messages] == line[-count:]
            assert done.kept_by is not None
            self.heads[str(done.kept_by.pk)] = self.heads[here]
            self.heads[here] = line[-count - 1] if len(line) > count else None

    def delete(self, thread: Thread, choice: int, _text: str) -> None:
        here = self._here(thread)
        others = [row for row in branches_of(thread.pk, owner=thread.owner_id) if str(row.pk) != here]
        if others:
            gone = others[choice % len(others)]
            delete_branch(thread.pk, str(gone.pk), owner=thread.owner_id)
            standing = {str(row.pk) for row in branches_of(thread.pk, owner=thread.owner_id)}
            reached = {one for key in standing for one in self.line(key)}
            self.id = {text: key for text, key in self.id.items() if text in reached}

    def cut(self, thread: Thread, choice: int, _text: str) -> None:
        self._here(thread)
        if self.id:
            gone = sorted(self.id)[choice % len(self.id)]
            delete_message(thread.pk, self.id.pop(gone), owner=thread.owner_id)
            above = self.parent.pop(gone)
            self.parent = {text: above if up == gone else up for text, up in self.parent.items()}
            self.heads = {key: above if head == gone else head for key, head in self.heads.items()}
