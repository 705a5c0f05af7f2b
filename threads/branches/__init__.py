"""Branches of a thread: create, check out, undo, compare, and take back what was learnt there."""

from threads.branches import branching, taking_back
from threads.branches.branching import branch_over, checkout, current_of
from threads.branches.comparing import Side, compare

__all__ = [
    "Side",
    "branch_over",
    "branching",
    "checkout",
    "compare",
    "current_of",
    "taking_back",
]
