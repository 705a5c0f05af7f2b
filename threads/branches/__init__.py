"""Branches of a thread: create, check out, undo, compare, and take back what was learnt there."""

from threads.branches import revocation
from threads.branches.branching import (
    checkout_branch,
    cleanup_branches,
    create_branch,
    delete_branch,
    find_or_create_branch,
    get_current_branch,
    rename_branch,
    undo_messages,
)
from threads.branches.comparing import Side, compare_branches

__all__ = [
    "Side",
    "checkout_branch",
    "cleanup_branches",
    "compare_branches",
    "create_branch",
    "delete_branch",
    "find_or_create_branch",
    "get_current_branch",
    "rename_branch",
    "revocation",
    "undo_messages",
]
