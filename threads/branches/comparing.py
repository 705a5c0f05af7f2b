"""Compare two branches from their common ancestor on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from threads.models import Branch, Message
from threads.storage import MessageFilter, Path, get_branch, get_thread, list_messages, load_path

MOST_MESSAGES: Final = 200  # messages shown of each side


@dataclass(frozen=True, slots=True)
class Side:
    """The messages that only one of the branches contains.

    Attributes:
        count: Number of these messages.
        messages: The first of them, oldest first.
    """

    branch: Branch
    count: int
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two branches compared.

    Attributes:
        ancestor: The last message in both; None if they have nothing in common.
    """

    ancestor: Message | None
    left: Side
    right: Side


def compare_branches(
    thread_id: str | UUID, left: str, right: str, *, owner: UUID, most: int = MOST_MESSAGES
) -> Comparison:
    """Compare two branches, given by name or id.

    Args:
        most: Limit of the messages returned for each side.

    Raises:
        NotFound: If there is no such thread or branch.
    """
    thread = get_thread(thread_id, owner=owner)
    one, other = get_branch(thread, left), get_branch(thread, right)
    paths = load_path(one), load_path(other)
    shared = find_common_path(*paths)
    depth = shared.segments[0].through if shared.segments else -1
    ancestor = list_messages(shared, owner=owner).order_by("-depth").first()
    return Comparison(
        ancestor, *(_side(*pair, depth, most) for pair in zip((one, other), paths, strict=True))
    )


def find_common_path(left: Path, right: Path) -> Path:
    """Return the common part of two paths: from the root to where they fork or one ends."""
    shared = []
    for one, other in zip(reversed(left.segments), reversed(right.segments), strict=False):
        if one.line_id != other.line_id:
            break
        shared.append(min(one, other, key=lambda segment: segment.through))
        if one.through != other.through:
            break
    return Path(tuple(reversed(shared)))


def _side(branch: Branch, path: Path, depth: int, most: int) -> Side:
    rows = list_messages(path, MessageFilter(after=depth), owner=branch.owner_id)
    return Side(branch, rows.count(), tuple(rows.order_by("depth")[:most]))
