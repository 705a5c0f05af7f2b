"""Branches of a thread: create, check out, undo, compare, and take back what was learnt there."""

from threads.branches import revocation
from threads.branches.branching import (
    checkout_before,
    checkout_branch,
    cleanup_branches,
    create_branch,
    delete_branch,
    find_or_create_branch,
    get_current_branch,
    rename_branch,
    undo_messages,
)
from threads.branches.comparing import Comparison, Side, compare_branches
from threads.branches.forks import Fork, checkout_through, count_abandoned_messages, list_forks

__all__ = [
    "Comparison",
    "Fork",
    "Side",
    "checkout_before",
    "checkout_branch",
    "checkout_through",
    "cleanup_branches",
    "compare_branches",
    "count_abandoned_messages",
    "create_branch",
    "delete_branch",
    "find_or_create_branch",
    "get_current_branch",
    "list_forks",
    "rename_branch",
    "revocation",
    "undo_messages",
]
