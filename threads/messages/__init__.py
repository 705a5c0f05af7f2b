"""Append, place, read, retrieve, remove and export the messages of a thread."""

from threads.messages import removal, transcript, withholding
from threads.messages.exporting import export_json, export_markdown
from threads.messages.incoming import JsonObject, NewMessage, Text, ToolCall
from threads.messages.reading import Cut, Selection, count_in, select, within
from threads.messages.removal import PERSON, Removed, remove_unreached
from threads.messages.retrieving import Retrieved, retrieve
from threads.messages.transcript import append, change_thread, create_thread

__all__ = [
    "PERSON",
    "Cut",
    "JsonObject",
    "NewMessage",
    "Removed",
    "Retrieved",
    "Selection",
    "Text",
    "ToolCall",
    "append",
    "change_thread",
    "count_in",
    "create_thread",
    "export_json",
    "export_markdown",
    "removal",
    "remove_unreached",
    "retrieve",
    "select",
    "transcript",
    "withholding",
    "within",
]
