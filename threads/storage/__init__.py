"""Rows of threads and messages: access to one, queries for many, paths in the tree, the queue of jobs."""

from threads.storage.access import get_branch, get_message, get_thread
from threads.storage.path import Path, Segment, lines_of, path_along, path_of, path_to
from threads.storage.queries import (
    Counted,
    MessageFilter,
    by_client_id,
    calls_on,
    count_messages,
    ids_in_thread,
    list_threads,
    messages_on,
    messages_within,
    nearest_summary,
    quiet_threads,
    said_before,
    threads_to_learn,
    unlearnt,
    unread,
)
from threads.storage.queue import (
    LEARN,
    queue_compaction,
    queue_extraction,
    queue_learning,
    queue_refresh,
    queue_summary,
)
from threads.storage.reach import Reach, branches_of, condition, reach_of
from threads.storage.turns import turn

__all__ = [
    "LEARN",
    "Counted",
    "MessageFilter",
    "Path",
    "Reach",
    "Segment",
    "branches_of",
    "by_client_id",
    "calls_on",
    "condition",
    "count_messages",
    "get_branch",
    "get_message",
    "get_thread",
    "ids_in_thread",
    "lines_of",
    "list_threads",
    "messages_on",
    "messages_within",
    "nearest_summary",
    "path_along",
    "path_of",
    "path_to",
    "queue_compaction",
    "queue_extraction",
    "queue_learning",
    "queue_refresh",
    "queue_summary",
    "quiet_threads",
    "reach_of",
    "said_before",
    "threads_to_learn",
    "turn",
    "unlearnt",
    "unread",
]
