"""Write whole threads back: messages with their own times and branches, from an export of any product.

A thread's id and those of its messages are given, so that the same thread is written once. Of a thread that
exists, only the messages that it lacks are added. Long-term memory does not learn from what is written here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memsite.events.types import LoggedType
from memsite.llm.tokens import count_message_tokens
from memsite.values import MessageRole, new_id
from threads.conf import SESSION_SILENCE
from threads.messages.placement import make_title
from threads.messages.transcript import MAIN
from threads.models import Branch, Line, Message, TaskState, Thread, ThreadSummary
from threads.storage import branches_of, compute_content_key, get_thread, load_lines, log_thread_event

_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class GivenNode:
    """One message with its place in the tree. `parent`: None for a root."""

    id: UUID
    parent: UUID | None
    role: MessageRole
    content: str
    created_at: datetime
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str = ""
    state: Mapping[str, Any] = field(default_factory=dict)
    client_id: str | None = None
    do_not_remember: bool = False


@dataclass(frozen=True, slots=True)
class GivenBranch:
    """A branch by its head. `name`: None for an unnamed one; `head`: None before its first message."""

    name: str | None
    head: UUID | None
    created_at: datetime
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class GivenThread:
    """A whole thread. Every parent and head is among the messages, and the messages form a tree.

    Attributes:
        values: Further columns of the thread.
        summaries: Columns of the summaries, each with its `id` and its `last_message_id`.
        task_state: Columns of the task state, or None.
    """

    id: UUID
    title: str
    created_at: datetime
    updated_at: datetime
    messages: Sequence[GivenNode]
    branches: Sequence[GivenBranch]
    values: Mapping[str, Any] = field(default_factory=dict)
    summaries: Sequence[Mapping[str, Any]] = ()
    task_state: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class RestoredThread:
    """The result: whether the thread is new, and the ids of the messages that were added."""

    thread_id: UUID
    is_new: bool
    added: tuple[UUID, ...]


@dataclass(slots=True)
class _Tree:
    """The messages of a thread while others are added.

    Attributes:
        rows: Stored and new messages by id.
        ends: Messages that the next one can follow on the same line.
        new_lines: Lines that forks made necessary.
    """

    rows: dict[UUID, Message] = field(default_factory=dict)
    ends: set[UUID] = field(default_factory=set)
    new_lines: list[Line] = field(default_factory=list)


def restore_thread(given: GivenThread, *, owner: UUID) -> RestoredThread:
    """Write a thread, or add to it the messages that it lacks, in one transaction."""
    tokens = {one.id: _count_tokens(one) for one in given.messages}  # takes time: before any lock
    with transaction.atomic():
        found = Thread.objects.filter(owner_id=owner, pk=given.id).exists()
        if not found:
            return _create(given, tokens, owner=owner)
        return _extend(get_thread(given.id, owner=owner, lock=True), given, tokens)


def find_thread_ids(thread_ids: Iterable[UUID], *, owner: UUID) -> set[UUID]:
    """Return those of the ids that are the owner's threads."""
    rows = Thread.objects.filter(owner_id=owner, pk__in=set(thread_ids))
    return set(rows.values_list("id", flat=True))


def find_message_ids(message_ids: Iterable[UUID], *, owner: UUID) -> set[UUID]:
    """Return those of the ids that are the owner's messages, in any thread."""
    rows = Message.objects.filter(owner_id=owner, pk__in=set(message_ids))
    return set(rows.values_list("id", flat=True))


def _create(given: GivenThread, tokens: Mapping[UUID, int], *, owner: UUID) -> RestoredThread:
    """Write all rows of a new thread; the references between them are checked at commit."""
    thread = Thread(
        id=given.id,
        owner_id=owner,
        title=given.title,
        created_at=given.created_at,
        updated_at=given.updated_at,
        **_drop_taken_id(given.values, owner=owner),
    )
    tree = _Tree()
    rows = _place(given.messages, tokens, tree, thread)
    thread.title = thread.title or make_title(rows)
    thread.last_message_at = thread.last_message_at or max((row.created_at for row in rows), default=None)
    thread.save(force_insert=True)
    _insert(rows, tree)
    branches = given.branches or [GivenBranch(MAIN, None, given.created_at, is_current=True)]
    made = [_make_branch(one, thread, tree) for one in branches]
    current = next((row for row, one in zip(made, branches, strict=True) if one.is_current), made[0])
    Branch.objects.bulk_create(made)
    thread.current_branch = current
    thread.save(update_fields=["current_branch"])
    ThreadSummary.objects.bulk_create(
        ThreadSummary(owner_id=owner, thread=thread, **one) for one in given.summaries
    )
    if given.task_state is not None:
        TaskState.objects.create(owner_id=owner, thread=thread, **given.task_state)
    log_thread_event(thread, LoggedType.THREAD_CREATED, action="imported")
    return RestoredThread(thread.pk, is_new=True, added=tuple(row.pk for row in rows))


def _drop_taken_id(values: Mapping[str, Any], *, owner: UUID) -> dict[str, Any]:
    """Return the columns without an external id that another thread of the owner has. One query at most."""
    external_id = values.get("external_id")
    if external_id and Thread.objects.filter(owner_id=owner, external_id=external_id).exists():
        return {**values, "external_id": None}
    return dict(values)


def _extend(thread: Thread, given: GivenThread, tokens: Mapping[UUID, int]) -> RestoredThread:
    """Add the messages that a thread lacks; branches whose heads are new become unnamed ones.

    The current branch follows if it ends where the new messages of the given current branch begin.
    """
    tree = _load_tree(thread)
    rows = _place([one for one in given.messages if one.id not in tree.rows], tokens, tree, thread)
    if not rows:
        return RestoredThread(thread.pk, is_new=False, added=())
    _insert(rows, tree)
    added = {row.pk for row in rows}
    for one in given.branches:
        if one.head in added and not (one.is_current and _follow(thread, tree.rows[one.head], added)):
            _make_branch(replace(one, name=None, is_current=False), thread, tree).save(force_insert=True)
    thread.updated_at = timezone.now()
    thread.last_message_at = max(row.created_at for row in (*rows, *_heads(thread)))
    thread.save(update_fields=["updated_at", "last_message_at"])
    log_thread_event(thread, action="imported")
    return RestoredThread(thread.pk, is_new=False, added=tuple(added))


def _heads(thread: Thread) -> list[Message]:
    return [one.head for one in branches_of(thread.pk, owner=thread.owner_id) if one.head is not None]


def _follow(thread: Thread, head: Message, added: Collection[UUID]) -> bool:
    """Move the current branch to a new head if all messages between are new. Return whether it moved."""
    branch = thread.current_branch
    step: Message | None = head
    while step is not None and step.pk in added:
        step = step.parent
    if branch is None or (step.pk if step is not None else None) != branch.head_id:
        return False
    branch.head, branch.line_id = head, head.line_id
    branch.live_tokens = branch.compacted_to = None
    branch.save(update_fields=["head", "line", "live_tokens", "compacted_to"])
    return True


def _load_tree(thread: Thread) -> _Tree:
    """Return the stored messages, without their content, and which of them end a line."""
    rows = Message.objects.filter(owner_id=thread.owner_id, thread=thread).defer("content", "tool_calls")
    tree = _Tree({row.pk: row for row in rows})
    deepest: dict[UUID, int] = {}
    for row in tree.rows.values():
        deepest[row.line_id] = max(deepest.get(row.line_id, -1), row.depth)
    for line in load_lines(thread.pk, owner=thread.owner_id).values():
        if line.origin_id is not None:  # its path would include messages after its fork
            deepest[line.origin_id] = max(deepest.get(line.origin_id, -1), line.fork_depth)
    tree.ends = {row.pk for row in tree.rows.values() if deepest[row.line_id] == row.depth}
    return tree


def _place(
    nodes: Sequence[GivenNode], tokens: Mapping[UUID, int], tree: _Tree, thread: Thread
) -> list[Message]:
    """Return unsaved rows for messages, parents first, each on its parent's line or on a new one.

    Messages that no root or stored message leads to are left out.
    """
    children: dict[UUID | None, list[GivenNode]] = defaultdict(list)
    for node in nodes:
        children[node.parent].append(node)
    waiting = [node for parent in (None, *tree.rows) for node in reversed(children.pop(parent, []))]
    rows = []
    while waiting:
        node = waiting.pop()
        row = _make_row(node, tokens[node.id], tree, thread)
        tree.rows[row.pk] = row
        rows.append(row)
        waiting += reversed(children.pop(node.id, []))
    return rows


def _make_row(node: GivenNode, tokens: int, tree: _Tree, thread: Thread) -> Message:
    parent = tree.rows[node.parent] if node.parent is not None else None
    line_id = _find_line(parent, tree, thread)
    tree.ends.add(node.id)
    return Message(
        id=node.id,
        owner_id=thread.owner_id,
        thread=thread,
        line_id=line_id,
        parent=parent,
        depth=parent.depth + 1 if parent else 0,
        role=node.role,
        content=node.content,
        tool_calls=node.tool_calls,
        tool_call_id=node.tool_call_id,
        state=dict(node.state),
        session_number=_get_session(parent, node.created_at),
        token_count=tokens,
        content_key=compute_content_key(
            node.role,
            node.content,
            tool_calls=node.tool_calls,
            tool_call_id=node.tool_call_id,
            state=node.state,
        ),
        client_id=node.client_id,
        do_not_remember=node.do_not_remember,
        unsummarised=parent.unsummarised + 1 if parent else 1,
        unsummarised_tokens=parent.unsummarised_tokens + tokens if parent else tokens,
        learnt_at=timezone.now(),
        created_at=node.created_at,
    )


def _find_line(parent: Message | None, tree: _Tree, thread: Thread) -> UUID:
    """Return the parent's line if the parent ends it, else that of a new line that forks from it."""
    if parent is not None and parent.pk in tree.ends:
        tree.ends.discard(parent.pk)
        return parent.line_id
    line = Line(id=new_id(), owner_id=thread.owner_id, thread=thread)
    if parent is not None:
        line.origin_id, line.fork_depth = parent.line_id, parent.depth
    tree.new_lines.append(line)
    return line.pk


def _insert(rows: Sequence[Message], tree: _Tree) -> None:
    Line.objects.bulk_create(tree.new_lines)
    Message.objects.bulk_create(rows, batch_size=_AT_ONCE)


def _make_branch(given: GivenBranch, thread: Thread, tree: _Tree) -> Branch:
    head = tree.rows[given.head] if given.head is not None else None
    if head is None:
        line = Line(id=new_id(), owner_id=thread.owner_id, thread=thread)
        line.save(force_insert=True)
    return Branch(
        owner_id=thread.owner_id,
        thread=thread,
        name=given.name,
        line_id=head.line_id if head is not None else line.pk,
        head=head,
        created_at=given.created_at,
    )


def _get_session(parent: Message | None, created_at: datetime) -> int:
    if parent is None:
        return 1
    return parent.session_number + int(created_at - parent.created_at >= SESSION_SILENCE)


def _count_tokens(node: GivenNode) -> int:
    return count_message_tokens({"content": node.content, "tool_calls": node.tool_calls})
