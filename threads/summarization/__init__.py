"""Summaries of a thread: decide when one is due, write it, keep it up to date, undo it.

due               decides whether new messages require a summary, and queues one
text              loads what a summary is made from, and writes its text by a model or by rules
summarising       runs all of this, window by window
storing           stores a summary in one transaction, if nothing changed meanwhile
task_state        reads and writes the task state of a thread
nearest_summary   finds the summary that covers most of a path
staleness         marks summaries that cover a deleted message, and rewrites them
restoring         undoes a summary
requests          lets a person or program wait for a summary
sweeping          queues summaries that are due, stale or failed
"""

from threads.summarization import staleness, summarising
from threads.summarization.due import queue_if_due
from threads.summarization.nearest_summary import NearestSummary, load_nearest_summary
from threads.summarization.requests import SummaryWatch, request_summary
from threads.summarization.restoring import restore_summary
from threads.summarization.staleness import mark_stale
from threads.summarization.summarising import SummaryResult
from threads.summarization.sweeping import queue_owed_summaries
from threads.summarization.task_state import TaskStateContent, load_task_state, read_content, set_task_state
from threads.summarization.text import (
    SummaryPosition,
    count_unsummarised,
    find_active_summary,
    find_place,
    find_shown_summary,
    is_due,
)

__all__ = [
    "NearestSummary",
    "SummaryPosition",
    "SummaryResult",
    "SummaryWatch",
    "TaskStateContent",
    "count_unsummarised",
    "find_active_summary",
    "find_place",
    "find_shown_summary",
    "is_due",
    "load_nearest_summary",
    "load_task_state",
    "mark_stale",
    "queue_if_due",
    "queue_owed_summaries",
    "read_content",
    "request_summary",
    "restore_summary",
    "set_task_state",
    "staleness",
    "summarising",
]
