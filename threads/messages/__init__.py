"""Append, place, read, retrieve, remove and export the messages of a thread."""

from threads.messages import removal
from threads.messages.exporting import export_json, export_markdown
from threads.messages.incoming import ExternalId, JsonObject, NewMessage, Text, ToolCall
from threads.messages.reading import (
    CutMessage,
    Selection,
    count_selected_messages,
    load_within_budget,
    select_messages,
)
from threads.messages.removal import PERSON, RemovedMessages, remove_unreachable_messages
from threads.messages.restoring import (
    GivenBranch,
    GivenNode,
    GivenThread,
    RestoredThread,
    find_message_ids,
    find_thread_ids,
    restore_thread,
)
from threads.messages.retrieving import RetrievalResult, retrieve_messages
from threads.messages.transcript import append_messages, append_to_locked, change_thread, create_thread
from threads.messages.withholding import mark_withheld

__all__ = [
    "PERSON",
    "CutMessage",
    "ExternalId",
    "GivenBranch",
    "GivenNode",
    "GivenThread",
    "JsonObject",
    "NewMessage",
    "RemovedMessages",
    "RestoredThread",
    "RetrievalResult",
    "Selection",
    "Text",
    "ToolCall",
    "append_messages",
    "append_to_locked",
    "change_thread",
    "count_selected_messages",
    "create_thread",
    "export_json",
    "export_markdown",
    "find_message_ids",
    "find_thread_ids",
    "load_within_budget",
    "mark_withheld",
    "removal",
    "remove_unreachable_messages",
    "restore_thread",
    "retrieve_messages",
    "select_messages",
]
