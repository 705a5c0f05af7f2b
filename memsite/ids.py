"""Identifiers: UUIDv7, so that newer rows sort after older ones."""

from __future__ import annotations

import uuid

from uuid_utils import compat


def new_id() -> uuid.UUID:
    """Return a new UUIDv7 (RFC 9562): the first 48 bits are the current milliseconds."""
    return compat.uuid7()


def parse_id(text: str) -> uuid.UUID | None:
    """Parse an id; return None if the string is not one."""
    try:
        return uuid.UUID(text)
    except (ValueError, AttributeError, TypeError):
        return None
