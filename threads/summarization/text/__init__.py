"""The text of a summary: by a model, else by rules, within its limits."""

from threads.summarization.text.by_model import summarised
from threads.summarization.text.fallback import by_rules
from threads.summarization.text.limits import marked, unmarked
from threads.summarization.text.loading import (
    Place,
    Window,
    count_after,
    depth_of,
    find_place,
    is_due,
    last_window,
    next_window,
    shown,
    standing,
    waiting_on,
)
from threads.summarization.text.structured import Made

__all__ = [
    "Made",
    "Place",
    "Window",
    "by_rules",
    "count_after",
    "depth_of",
    "find_place",
    "is_due",
    "last_window",
    "marked",
    "next_window",
    "shown",
    "standing",
    "summarised",
    "unmarked",
    "waiting_on",
]
