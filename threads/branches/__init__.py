"""Branches of a thread: create, check out, undo, compare, and take back what was learnt there."""

from threads.branches import branching, revocation
from threads.branches.branching import checkout_branch, find_or_create_branch, get_current_branch
from threads.branches.comparing import Side, compare_branches

__all__ = [
    "Side",
    "branching",
    "checkout_branch",
    "compare_branches",
    "find_or_create_branch",
    "get_current_branch",
    "revocation",
]
