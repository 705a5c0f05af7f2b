"""What a curating verb gives back, and what the database may object to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError

from memories.models import Memory
from memsite.errors import Conflict


@dataclass(frozen=True, slots=True)
class Changed:
    """One batch of changes: the rows as they stand now, and the id that undoes them.

    left_out: of a batch taken back, the rows that stay as they are, because they were changed since.
    """

    memories: tuple[Memory, ...]
    batch_id: UUID
    left_out: tuple[UUID, ...] = ()


@contextmanager
def standing_once() -> Iterator[None]:
    """The database lets a fingerprint stand once; its word for that becomes ours."""
    try:
        yield
    except IntegrityError:
        raise Conflict("Another memory says the same already.") from None
