"""Forget what was learnt on a branch that is given up: list it first, then forget it in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.curation import forget
from threads.branches.branching import beyond_others
from threads.branches.lines_left import to_take_back
from threads.messages import PERSON
from threads.models import Message
from threads.storage import condition, get_branch, get_thread


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The result of `take_back`.

    Attributes:
        memories: Memories that were forgotten, or would be in a dry run.
        batch_id: The batch by which it can be undone.
    """

    memories: tuple[UUID, ...]
    batch_id: UUID | None = None


def learnt_on(thread_id: str | UUID, branch: str, *, owner: UUID) -> Sequence[UUID]:
    """Return the memories learnt only from messages that no other branch reaches.

    Raises:
        NotFound: If there is no such thread or branch.
    """
    thread = get_thread(thread_id, owner=owner)
    reached, others = beyond_others(thread, [get_branch(thread, branch)])
    alone = Message.objects.filter(condition(reached, beyond=others), owner_id=owner, thread=thread)
    return to_take_back(list(alone.values_list("id", flat=True)), owner=owner)


def take_back(
    thread_id: str | UUID, branch: str, *, owner: UUID, actor: str = PERSON, dry_run: bool = True
) -> TakenBack:
    """Forget what was learnt on a branch, as one batch that can be undone. A dry run only lists it.

    Raises:
        NotFound: If there is no such thread or branch.
    """
    found = learnt_on(thread_id, branch, owner=owner)
    if dry_run or not found:
        return TakenBack(tuple(found))
    return TakenBack(tuple(found), forget(found, owner=owner, actor=actor).batch_id)
