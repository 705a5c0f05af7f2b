"""List the places where a thread forks, and switch from one branch to another there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from threads.branches.branching import checkout_branch
from threads.models import Branch, Message, Thread
from threads.storage import branches_of, build_path, get_message, get_thread, load_lines, load_path


@dataclass(frozen=True, slots=True)
class Fork:
    """The place of a message among those that follow the same message.

    Attributes:
        number: From 1.
        count: At least 2.
        previous: The message before it, in the order they were written; None for the first.
        next: The one after it.
    """

    number: int
    count: int
    previous: UUID | None
    next: UUID | None


def list_forks(messages: Sequence[Message], *, owner: UUID) -> dict[UUID, Fork]:
    """Return the fork at each of a thread's messages that has others beside it. One query."""
    if not messages:
        return {}
    parents = {message.parent_id for message in messages}
    beside = Q(parent_id__in=parents - {None})
    if None in parents:
        beside |= Q(parent_id=None)
    rows = Message.objects.filter(beside, owner_id=owner, thread_id=messages[0].thread_id)
    families: dict[UUID | None, list[UUID]] = {}
    for message_id, parent in rows.order_by("id").values_list("id", "parent_id"):
        families.setdefault(parent, []).append(message_id)
    return {
        message.pk: _fork(message.pk, family)
        for message in messages
        if len(family := families.get(message.parent_id, [])) > 1
    }


def checkout_through(thread_id: str | UUID, message_id: UUID, *, owner: UUID) -> Thread:
    """Continue a thread on its newest branch that contains a message.

    Raises:
        NotFound: If there is no such thread or message.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        message = get_message(thread, message_id)
        found = _find_branch_through(message)
        if found is None:
            return checkout_branch(thread_id, owner=owner, message=message_id)
        return checkout_branch(thread_id, owner=owner, branch=str(found.pk))


def count_abandoned_messages(thread: Thread) -> int:
    """Return how many messages of a thread its current branch does not contain. One query."""
    rows = Message.objects.filter(owner_id=thread.owner_id, thread=thread)
    return rows.exclude(load_path(thread.current_branch).condition()).count()


def _fork(message: UUID, family: Sequence[UUID]) -> Fork:
    place = family.index(message)
    before = family[place - 1] if place else None
    after = family[place + 1] if place + 1 < len(family) else None
    return Fork(place + 1, len(family), before, after)


def _find_branch_through(message: Message) -> Branch | None:
    lines = load_lines(message.thread_id, owner=message.owner_id)
    through = [
        branch
        for branch in branches_of(message.thread_id, owner=message.owner_id)
        if branch.head is not None
        and any(
            segment.line_id == message.line_id and segment.through >= message.depth
            for segment in build_path(
                lines, branch.head.line_id, branch.head.depth, thread_id=message.thread_id
            ).segments
        )
    ]
    return max(through, key=lambda branch: branch.head.pk, default=None)
