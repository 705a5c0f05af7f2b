"""Fence untrusted text in a prompt: put a random mark that it cannot contain around its lines. Pure."""

from __future__ import annotations

import secrets
from collections.abc import Iterable


def new_mark(texts: Iterable[str] = ()) -> str:
    """Return 16 random hexadecimal digits that occur in none of the texts."""
    known = tuple(texts)
    while True:
        mark = secrets.token_hex(8)
        if not any(mark in text for text in known):
            return mark


def fence_lines(name: str, lines: Iterable[str], mark: str) -> str:
    """Return the lines between `<name MARK>` and `</name MARK>`."""
    return "\n".join([f"<{name} {mark}>", *lines, f"</{name} {mark}>"])
