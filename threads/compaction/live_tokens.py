"""How many tokens the messages of a branch's path have, without adding them up after every message.

A branch keeps a running total. It is never too low: what an append brings is added, what goes is not
taken off until somebody measures; content that is brought back makes it unknown.
"""

from __future__ import annotations

from uuid import UUID

from django.db.models import Sum

from threads.models import Branch
from threads.storage import Path, messages_on, path_of


def live_tokens(path: Path, *, owner: UUID) -> int:
    """The token counts of all messages on a path, added up. One query."""
    return messages_on(path, owner=owner).aggregate(tokens=Sum("token_count"))["tokens"] or 0


def measure(branch: Branch) -> int:
    """Add up the tokens of a branch's path and keep the sum with the branch; 3 queries at most."""
    branch.live_tokens = live_tokens(path_of(branch), owner=branch.owner_id)
    branch.save(update_fields=["live_tokens"])
    return branch.live_tokens


def grown(branch: Branch, tokens: int) -> int | None:
    """The running total with so many tokens more; None while it is unknown."""
    return None if branch.live_tokens is None else branch.live_tokens + tokens


def forget_totals(thread_id: UUID, *, owner: UUID) -> None:
    """Have the totals of all branches of a thread measured again."""
    Branch.objects.filter(owner_id=owner, thread_id=thread_id).update(live_tokens=None)


def forget_compactions(thread_id: UUID, *, owner: UUID) -> None:
    """As `forget_totals`, where messages went: what compactions could not make smaller is smaller now."""
    Branch.objects.filter(owner_id=owner, thread_id=thread_id).update(live_tokens=None, compacted_to=None)
