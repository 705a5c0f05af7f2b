"""Find what was learnt on abandoned branches only, to keep it, or to forget it in one batch."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.curation import forget_memories
from memories.storage import get_memories, list_learnt_only_from, list_memories
from threads.branches.branching import split_reachable_messages
from threads.messages import PERSON
from threads.models import Branch, Kept, Line, Message, Thread
from threads.storage import condition, find_reachable, get_branch, get_thread, load_lines
from threads.visibility import make_reference


@dataclass(frozen=True, slots=True)
class RevokedMemories:
    """The result of revoking the memories of a branch.

    Attributes:
        memories: Memories that were forgotten, or would be in a dry run.
        batch_id: The batch by which it can be undone.
    """

    memories: tuple[UUID, ...]
    batch_id: UUID | None = None


def list_memories_of_branch(thread_id: str | UUID, branch: str, *, owner: UUID) -> Sequence[UUID]:
    """Return the memories learnt only from messages that no other branch reaches.

    Raises:
        NotFound: If there is no such thread or branch.
    """
    thread = get_thread(thread_id, owner=owner)
    reached, others = split_reachable_messages(thread, [get_branch(thread, branch)])
    alone = Message.objects.filter(condition(reached, beyond=others), owner_id=owner, thread=thread)
    return list_revocable_memories(list(alone.values_list("id", flat=True)), owner=owner)


def list_memories_beside(
    thread: Thread, branch: Branch, other: Branch, branches: Collection[Branch]
) -> list[tuple[UUID, bool]]:
    """Return the memories that one branch taught and another did not, each with whether a third did, too.

    Args:
        thread: The thread of the branches.
        branch: The branch that taught them.
        other: The branch that did not.
        branches: All branches of the thread.
    """
    lines = load_lines(thread.pk, owner=thread.owner_id)
    beside = _list_memories_beyond(thread, branch, [other], lines)
    thirds = [one for one in branches if one.pk not in {branch.pk, other.pk}]
    if not beside or not thirds:
        return [(memory_id, False) for memory_id in beside]
    alone = set(_list_memories_beyond(thread, branch, [other, *thirds], lines))
    return [(memory_id, memory_id not in alone) for memory_id in beside]


def _list_memories_beyond(
    thread: Thread, branch: Branch, others: Sequence[Branch], lines: Mapping[UUID, Line]
) -> list[UUID]:
    reached, beyond = find_reachable([branch], lines), find_reachable(others, lines)
    rows = Message.objects.filter(condition(reached, beyond=beyond), owner_id=thread.owner_id, thread=thread)
    return list_revocable_memories(list(rows.values_list("id", flat=True)), owner=thread.owner_id)


def revoke_branch_memories(
    thread_id: str | UUID, branch: str, *, owner: UUID, actor: str = PERSON, dry_run: bool = True
) -> RevokedMemories:
    """Forget what was learnt on a branch, as one batch that can be undone. A dry run only lists it.

    Raises:
        NotFound: If there is no such thread or branch.
    """
    found = list_memories_of_branch(thread_id, branch, owner=owner)
    if dry_run or not found:
        return RevokedMemories(tuple(found))
    return RevokedMemories(tuple(found), forget_memories(found, owner=owner, actor=actor).batch_id)


def list_revocable_memories(message_ids: Collection[UUID], *, owner: UUID) -> list[UUID]:
    """Return memories learnt from these messages alone, oldest first, unless forgotten, retired or kept."""
    found = list_learnt_only_from([make_reference(message_id) for message_id in message_ids], owner=owner)
    kept = Kept.objects.filter(owner_id=owner, memory_id__in=found).values("memory_id")
    rows = list_memories(owner=owner).filter(id__in=found, forgotten_at=None, retired_at=None)
    return list(rows.exclude(id__in=kept).order_by("created_at", "id").values_list("id", flat=True))


def keep_memories(memory_ids: Sequence[UUID], *, owner: UUID, keeps: bool = True) -> None:
    """Keep memories visible in other threads even if their branch is abandoned.

    Args:
        keeps: False stops keeping them.

    Raises:
        NotFound: If a memory is not the owner's.
    """
    get_memories(memory_ids, owner=owner)
    if keeps:
        rows = [Kept(owner_id=owner, memory_id=memory_id) for memory_id in dict.fromkeys(memory_ids)]
        Kept.objects.bulk_create(rows, ignore_conflicts=True)
    else:
        Kept.objects.filter(owner_id=owner, memory_id__in=list(memory_ids)).delete()
