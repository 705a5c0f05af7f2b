"""Manage branches. As in git, a branch is a name for a head message.

No reachable message is lost: checking out an earlier message creates a branch without a name, and moving a
head back leaves such a branch at the old head until it is cleaned up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from memsite.errors import Conflict, InvalidInput
from memsite.values import parse_id
from threads.messages import PERSON, RemovedMessages, remove_unreachable_messages
from threads.models import Branch, Line, Message, Thread
from threads.storage import (
    MessageFilter,
    Reachable,
    branches_of,
    condition,
    find_reachable,
    get_branch,
    get_message,
    get_thread,
    list_messages,
    load_lines,
    load_path,
    log_thread_event,
)

NAME_CHARACTERS: Final = 100
#: Similar to git's rules: no spaces, and no characters with a meaning in a URL.
_NAME: Final = re.compile(r"\w[\w.-]*")
_IDENTIFIER: Final = re.compile(r"[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")


@dataclass(frozen=True, slots=True)
class Undone:
    """The result of moving a head back.

    Attributes:
        messages: The messages after the new head, oldest first.
        kept_by: The branch without a name that still reaches them.
    """

    thread: Thread
    messages: tuple[Message, ...]
    kept_by: Branch | None


def create_branch(
    thread_id: str | UUID, name: str, *, owner: UUID, from_message: str | UUID | None = None
) -> Branch:
    """Create a branch at a message, by default at the current head. The current branch does not change.

    Raises:
        NotFound: If there is no such thread or message.
        InvalidInput: If the name is invalid.
        Conflict: If the thread has a branch of this name.
    """
    check_name(name)
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        current = get_current_branch(thread)
        head = get_message(thread, from_message) if from_message else current.head
        line_id = head.line_id if head is not None else current.line_id
        made = _save_with_name(Branch(owner_id=owner, thread=thread, name=name, line_id=line_id, head=head))
        log_thread_event(thread, action="branch_created")
        return made


def checkout_branch(
    thread_id: str | UUID, *, owner: UUID, branch: str | None = None, message: str | UUID | None = None
) -> Thread:
    """Continue a thread from a branch, given by name or id, or from a message.

    A message other than the current head becomes the head of a new branch without a name.

    Raises:
        NotFound: If there is no such thread, branch or message.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        left = get_current_branch(thread)
        if message is not None:
            target = _get_or_create_branch_at(thread, get_message(thread, message))
        else:
            target = get_branch(thread, branch or "")
        if target.pk != left.pk:
            thread.current_branch = target
            thread.updated_at = timezone.now()
            thread.save(update_fields=["current_branch", "updated_at"])
            _delete_if_empty(left)
            log_thread_event(thread, action="branch_checked_out")
    return thread


def checkout_before(thread_id: str | UUID, message_id: UUID, *, owner: UUID) -> Thread:
    """Continue a thread from before a message, on a branch without a name.

    Raises:
        NotFound: If there is no such thread or message.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        parent: UUID | None = get_message(thread, message_id).parent_id
        if parent is not None:
            return checkout_branch(thread_id, owner=owner, message=parent)
        left = get_current_branch(thread)
        line = Line(owner_id=owner, thread=thread)
        line.save(force_insert=True)
        thread.current_branch = Branch(owner_id=owner, thread=thread, name=None, line=line, live_tokens=0)
        thread.current_branch.save(force_insert=True)
        thread.updated_at = timezone.now()
        thread.save(update_fields=["current_branch", "updated_at"])
        _delete_if_empty(left)
    return thread


def rename_branch(thread_id: str | UUID, reference: str, name: str, *, owner: UUID) -> Branch:
    """Rename a branch, or name one that has no name. Raises the same errors as `create_branch`."""
    check_name(name)
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        found = get_branch(thread, reference)
        found.name = name
        log_thread_event(thread, action="branch_renamed")
        return _save_with_name(found)


def delete_branch(
    thread_id: str | UUID, reference: str, *, owner: UUID, actor: str = PERSON, forget: Sequence[UUID] = ()
) -> RemovedMessages:
    """Delete a branch and the messages that no other branch reaches.

    Args:
        forget: Ids of memories, learnt on the branch, to forget in the same step.

    Raises:
        NotFound: If there is no such thread or branch.
        Conflict: If it is the current branch.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        found = get_branch(thread, reference)
        if found.pk == get_current_branch(thread).pk:
            raise Conflict("The current branch cannot be deleted; check out another one first.")
        return _delete(thread, [found], actor, forget)


def cleanup_branches(
    thread_id: str | UUID, *, owner: UUID, keep: Sequence[str] | None = None, actor: str = PERSON
) -> RemovedMessages:
    """Delete all branches except those in `keep` and the current one.

    While the current branch has no name, only others without a name are deleted: a person who looks at an
    earlier message has not left the branches that have names.

    Raises:
        NotFound: If the thread lacks a branch in `keep`.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        current = get_current_branch(thread)
        kept = {current.pk, *(get_branch(thread, name).pk for name in keep or ())}
        gone = [
            one
            for one in branches_of(thread.pk, owner=owner)
            if one.pk not in kept and (current.name is not None or one.name is None)
        ]
        return _delete(thread, gone, actor)


def undo_messages(
    thread_id: str | UUID, *, owner: UUID, count: int = 1, message: str | UUID | None = None
) -> Undone:
    """Move the current head back by `count` messages, or to a message of the current branch.

    Raises:
        NotFound: If the owner has no such thread.
        InvalidInput: If the branch has fewer messages, or does not contain the message.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        current = get_current_branch(thread)
        rows = list_messages(load_path(current), owner=owner).order_by("-depth")
        if message is not None:
            named = Q(pk=parse_id(str(message))) | Q(client_id=str(message))
            head = rows.filter(named).first()
            if head is None:
                absent = "The current branch does not contain this message."
                raise InvalidInput(absent, {"message": "elsewhere"})
        else:
            found = list(rows[: count + 1])
            if len(found) < count:
                raise InvalidInput(f"The current branch has {len(found)} messages.", {"count": "too many"})
            head = found[count] if len(found) > count else None
        after = MessageFilter(after=head.depth if head is not None else None)
        undone = tuple(list_messages(load_path(current), after, owner=owner).order_by("depth"))
        kept_by = _move_back(thread, current, head) if undone else None
        if undone:
            log_thread_event(thread, action="messages_undone")
    return Undone(thread, undone, kept_by)


def split_reachable_messages(thread: Thread, gone: Sequence[Branch]) -> tuple[Reachable, Reachable]:
    """Return the messages that these branches reach, and those of all others. Three queries at most."""
    lines = load_lines(thread.pk, owner=thread.owner_id)
    ids = {one.pk for one in gone}
    others = [one for one in branches_of(thread.pk, owner=thread.owner_id) if one.pk not in ids]
    return find_reachable(gone, lines), find_reachable(others, lines)


def find_or_create_branch(message: Message, name: UUID) -> Branch:
    """Return a branch whose head is a message, so that what is appended follows this message.

    Call within a transaction that holds the thread's lock.

    Args:
        name: Id of the preferred branch. If its head is another message, or it does not exist, a branch
            without a name is created at the message.

    Raises:
        NotFound: If the message does not exist any more.
    """
    thread = get_thread(message.thread_id, owner=message.owner_id)
    found = get_message(thread, message.pk)
    branch = Branch.objects.filter(owner_id=thread.owner_id, thread=thread, pk=name, head=found).first()
    if branch is not None:
        return branch
    made = Branch(owner_id=thread.owner_id, thread=thread, name=None, line_id=found.line_id, head=found)
    made.save(force_insert=True)
    return made


def get_current_branch(thread: Thread) -> Branch:
    """Return a thread's current branch."""
    found: Branch | None = thread.current_branch
    if found is None:
        raise RuntimeError("a thread has a current branch from its beginning")
    return found


def check_name(name: str) -> None:
    """Check that a text can be the name of a branch.

    Raises:
        InvalidInput: If it cannot.
    """
    fits = len(name) <= NAME_CHARACTERS and _NAME.fullmatch(name) and not _IDENTIFIER.fullmatch(name)
    if not fits:
        raise InvalidInput(
            f"A branch's name has up to {NAME_CHARACTERS} letters, digits, '.', '_' and '-', begins with"
            " a letter or digit, and is no id.",
            {"name": "not a name"},
        )


def _save_with_name(row: Branch) -> Branch:
    taken = Branch.objects.filter(owner_id=row.owner_id, thread_id=row.thread_id, name=row.name)
    if taken.exclude(pk=row.pk).exists():
        raise Conflict("This thread has a branch of this name already.", {"name": "taken"})
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        raise Conflict("This thread has a branch of this name already.", {"name": "taken"}) from None
    return row


def _get_or_create_branch_at(thread: Thread, message: Message) -> Branch:
    """Return the current branch if the message is its head; else create a branch without a name."""
    current = get_current_branch(thread)
    if current.head_id == message.pk:
        return current
    made = Branch(owner_id=thread.owner_id, thread=thread, name=None, line_id=message.line_id, head=message)
    made.save(force_insert=True)
    return made


def _delete_if_empty(branch: Branch) -> None:
    """Delete the branch that was left, if it has no name and reaches no message of its own."""
    if branch.name is not None:
        return
    rows = branches_of(branch.thread_id, owner=branch.owner_id)
    lines = load_lines(branch.thread_id, owner=branch.owner_id)
    others = find_reachable([one for one in rows if one.pk != branch.pk], lines)
    own = condition(find_reachable([branch], lines), beyond=others)
    if not Message.objects.filter(own, owner_id=branch.owner_id, thread_id=branch.thread_id).exists():
        Branch.objects.filter(owner_id=branch.owner_id, pk=branch.pk).delete()


def _move_back(thread: Thread, current: Branch, head: Message | None) -> Branch:
    kept_by = Branch(
        owner_id=thread.owner_id, thread=thread, name=None, line_id=current.line_id, head=current.head
    )
    kept_by.save(force_insert=True)
    current.head = head
    if head is not None:
        current.line_id = head.line_id
    elif current.line.origin_id is not None:  # a path that begins on this line has messages of its origin
        current.line = Line(owner_id=thread.owner_id, thread=thread)
        current.line.save(force_insert=True)
    current.live_tokens = current.compacted_to = None
    current.save(update_fields=["head", "line", "live_tokens", "compacted_to"])
    thread.updated_at = timezone.now()
    thread.save(update_fields=["updated_at"])
    return kept_by


def _delete(
    thread: Thread, gone: Sequence[Branch], actor: str, forget: Sequence[UUID] = ()
) -> RemovedMessages:
    if not gone:
        return RemovedMessages(0)
    reached, others = split_reachable_messages(thread, gone)
    Branch.objects.filter(owner_id=thread.owner_id, pk__in=[one.pk for one in gone]).delete()
    removed = remove_unreachable_messages(thread, condition(reached, beyond=others), actor, forget)
    kept = {line.pk for line in _find_needed_lines(thread)}
    Line.objects.filter(owner_id=thread.owner_id, thread=thread).exclude(pk__in=kept).delete()
    log_thread_event(thread, action="branches_deleted", actor=actor)
    return removed


def _find_needed_lines(thread: Thread) -> list[Line]:
    """Return the lines that branches use, and the lines these forked from."""
    lines = load_lines(thread.pk, owner=thread.owner_id)
    needed: dict[UUID, Line] = {}
    for one in branches_of(thread.pk, owner=thread.owner_id):
        line: Line | None = lines[one.line_id]
        while line is not None and line.pk not in needed:
            needed[line.pk] = line
            line = lines.get(line.origin_id) if line.origin_id else None
    return list(needed.values())
