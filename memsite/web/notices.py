"""Short notices to the person about what has just happened, with a link to undo it.

They are Django messages: shown once, on the next page or in the htmx answer itself.
"""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpRequest

_UNDO: Final = "undo="


def notify(request: HttpRequest, text: str, *, undo_url: str = "", level: int = messages.SUCCESS) -> None:
    """Show a notice once.

    Args:
        request: The person's request.
        text: The notice.
        undo_url: URL at which a POST undoes the change; "" for none.
        level: Level of Django's messages.
    """
    messages.add_message(request, level, text, extra_tags=f"{_UNDO}{undo_url}" if undo_url else "")


def undo_url_of(extra_tags: str) -> str:
    """Return the undo URL of a message, or ""."""
    return extra_tags.removeprefix(_UNDO) if extra_tags.startswith(_UNDO) else ""
