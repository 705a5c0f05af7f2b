"""Branches of a thread: create, check out, undo, compare, and take back what was learnt there."""
