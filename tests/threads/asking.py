"""Ask in a thread, and read what came of it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any
from uuid import UUID

from tests.reading import read
from threads.models import Thread
from threads.replies import ask_question, regenerate_reply
from threads.replies.pieces import Delta, Ended, Piece
from threads.storage.access import get_thread
from threads.storage.path import load_path
from threads.storage.queries import list_messages


def ask(thread: UUID, text: str, **options: Any) -> Generator[Piece]:
    """Store the question; the answer comes as it is read."""
    return read(ask_question(thread, text, **options))


def regenerate(thread: UUID, **options: Any) -> Generator[Piece]:
    """Go back to the question; the answer comes as it is read."""
    return read(regenerate_reply(thread, **options))


def line_of(thread: Thread) -> list[str]:
    head = get_thread(thread.pk, owner=thread.owner_id).current_branch
    rows = list_messages(load_path(head), owner=thread.owner_id).order_by("depth")
    return list(rows.values_list("content", flat=True))


def ended(pieces: Iterator[Piece]) -> Ended:
    *_, last = pieces
    assert isinstance(last, Ended)
    return last


def text_of(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, Delta))
