"""Short words to the person about what has just happened, with a way to undo it.

They ride on Django's messages: shown once, on the page that comes next or in the htmx answer itself.
"""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpRequest

_UNDO: Final = "undo="


def notify(request: HttpRequest, text: str, *, undo_url: str = "", level: int = messages.SUCCESS) -> None:
    """Say it once. undo_url: where a POST takes it back."""
    messages.add_message(request, level, text, extra_tags=f"{_UNDO}{undo_url}" if undo_url else "")


def undo_url_of(extra_tags: str) -> str:
    """The undo address that a message carries, or ""."""
    return extra_tags.removeprefix(_UNDO) if extra_tags.startswith(_UNDO) else ""
