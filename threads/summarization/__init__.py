"""Summaries of a thread: when one is due, writing it, keeping it true, taking it back.

due         whether new messages call for a summary, and queueing one with them
loading     what a summary is to be made of: the last one, and a window of messages after it
by_model    a summary by a model, checked and bounded; prompts/ has its words
grounding   what of a model's structured answer was said
fallback    the same by rules
structured  what stands beside the text: goal, decisions, files, and the ids of what was summed up
summarising all of it in turn, window by window
writing     the one transaction that stores it, if nothing moved meanwhile
staleness   when a message goes that a summary speaks of
restoring   taking a summary back
asking      a person or program that waits for it
"""

from threads.summarization import staleness, summarising, sweeping, task_state
from threads.summarization.asking import Watch, request_summary
from threads.summarization.covering import Covering, covering
from threads.summarization.due import queue_if_due
from threads.summarization.restoring import restore
from threads.summarization.staleness import mark_stale
from threads.summarization.summarising import Summarised
from threads.summarization.task_state import State
from threads.summarization.text import Place, find_place, is_due, shown, standing, waiting_on

__all__ = [
    "Covering",
    "Place",
    "State",
    "Summarised",
    "Watch",
    "covering",
    "find_place",
    "is_due",
    "mark_stale",
    "queue_if_due",
    "request_summary",
    "restore",
    "shown",
    "staleness",
    "standing",
    "summarising",
    "sweeping",
    "task_state",
    "waiting_on",
]
