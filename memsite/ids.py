"""Identifiers: UUIDv7, so that newer rows sort after older ones."""

from __future__ import annotations

import time
import uuid
from hashlib import blake2b

from uuid_utils import compat


def new_id() -> uuid.UUID:
    """Return a new UUIDv7 (RFC 9562): the first 48 bits are the current milliseconds."""
    return compat.uuid7()


def derive_id(given: uuid.UUID, owner: uuid.UUID) -> uuid.UUID:
    """Return the UUIDv7 of an owner for one that a client chose: always the same, and of no other owner.

    Its time is that of the given id. If that is no UUIDv7, or of the future, it is the present, and the
    result is a new id each time.
    """
    now = time.time_ns() // 1_000_000
    given_at = given.int >> 80
    milliseconds = given_at if given.version == 7 and given_at <= now else now  # noqa: PLR2004 - the version
    random = int.from_bytes(blake2b(given.bytes + owner.bytes, digest_size=10).digest())
    return uuid.UUID(
        int=milliseconds << 80 | 0x7 << 76 | (random >> 68 & 0xFFF) << 64 | 2 << 62 | random & (1 << 62) - 1
    )


def parse_id(text: str) -> uuid.UUID | None:
    """Parse an id; return None if the string is not one."""
    try:
        return uuid.UUID(text)
    except (ValueError, AttributeError, TypeError):
        return None
