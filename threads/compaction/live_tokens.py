"""Count the live tokens of a branch without adding them up after every message.

A branch stores a running total. It is never too low: appended tokens are added, removed ones are subtracted
only when the total is measured again, and restored content makes it unknown (None).
"""

from __future__ import annotations

from uuid import UUID

from django.db.models import Sum

from threads.models import Branch
from threads.storage import Path, list_messages, load_path


def sum_live_tokens(path: Path, *, owner: UUID) -> int:
    """Return the sum of the token counts of all messages on a path. One query."""
    return list_messages(path, owner=owner).aggregate(tokens=Sum("token_count"))["tokens"] or 0


def recount_live_tokens(branch: Branch) -> int:
    """Add up the tokens of a branch's path and store the sum. 3 queries at most."""
    branch.live_tokens = sum_live_tokens(load_path(branch), owner=branch.owner_id)
    branch.save(update_fields=["live_tokens"])
    return branch.live_tokens


def add_to_total(branch: Branch, tokens: int) -> int | None:
    """Return the running total plus `tokens`; None if the total is unknown."""
    return None if branch.live_tokens is None else branch.live_tokens + tokens


def forget_totals(thread_id: UUID, *, owner: UUID) -> None:
    """Reset the totals of all branches of a thread, so that they are measured again."""
    Branch.objects.filter(owner_id=owner, thread_id=thread_id).update(live_tokens=None)


def forget_compactions(thread_id: UUID, *, owner: UUID) -> None:
    """Reset the totals and the results of compactions, after messages were deleted.

    A branch that a compaction could not make smaller is smaller now.
    """
    Branch.objects.filter(owner_id=owner, thread_id=thread_id).update(live_tokens=None, compacted_to=None)
