"""Recall memories for a context: what is asked, and within how much time."""

from threads.context.recall.recall import Moment, Recalled, Told, recall_memories, told

__all__ = [
    "Moment",
    "Recalled",
    "Told",
    "recall_memories",
    "told",
]
