"""Background work on memories: ids in, one call, safe to run twice."""

from __future__ import annotations

from uuid import UUID

from memories import reindexing, usage
from memsite.jobs import enqueue


def roll_up_accesses() -> int:
    """Queue a roll-up for every owner with waiting accesses; how many."""
    owners = usage.owners_to_roll_up()
    for owner in owners:
        enqueue("memories.tasks.roll_up_owner", str(owner), owner=owner, unique_key=f"roll-up:{owner}")
    return len(owners)


def roll_up_owner(owner: str) -> None:
    """Count one owner's accesses into the memories."""
    usage.roll_up(owner=UUID(owner))


def embed_missing() -> int:
    """Embed what was stored while the embedder was away; how many memories."""
    return sum(reindexing.embed_missing(owner=owner) for owner in reindexing.owners_to_embed())
