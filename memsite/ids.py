"""Identifiers: UUIDv7, so that newer rows sort after older ones."""

from __future__ import annotations

import uuid

from uuid_utils import compat


def new_id() -> uuid.UUID:
    """A fresh UUIDv7 (RFC 9562): the first 48 bits are the milliseconds of now."""
    return compat.uuid7()


def parse_id(text: str) -> uuid.UUID | None:
    """The id a string spells, or None if it spells none."""
    try:
        return uuid.UUID(text)
    except (ValueError, AttributeError, TypeError):
        return None
