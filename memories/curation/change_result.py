"""Define the result of curation, and translate the database's objection to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError

from memories.models import Memory
from memsite.errors import Conflict


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """One batch of changes.

    Attributes:
        memories: The rows as they are now.
        batch_id: The id by which the batch can be undone.
        left_out: After an undo, the rows that stay as they are because they were changed since.
    """

    memories: tuple[Memory, ...]
    batch_id: UUID
    left_out: tuple[UUID, ...] = ()


@contextmanager
def reject_duplicate_active() -> Iterator[None]:
    """Raise Conflict if the database rejects a second active memory with the same fingerprint."""
    try:
        yield
    except IntegrityError:
        raise Conflict("Another memory says the same already.") from None
