"""Fence untrusted text in a prompt: remove what only machines read, and put a random mark around the rest."""

from memories.text.fencing.fence import (
    ELLIPSIS,
    LINE_CHARACTERS,
    fence_lines,
    fence_memories,
    fence_requirements,
    fence_summary,
    fence_task_state,
    neutralise_text,
    new_mark,
    remove_fenced,
)
from memories.text.fencing.invisible import make_visible
from memories.text.fencing.markers import defuse_markers

__all__ = [
    "ELLIPSIS",
    "LINE_CHARACTERS",
    "defuse_markers",
    "fence_lines",
    "fence_memories",
    "fence_requirements",
    "fence_summary",
    "fence_task_state",
    "make_visible",
    "neutralise_text",
    "new_mark",
    "remove_fenced",
]
