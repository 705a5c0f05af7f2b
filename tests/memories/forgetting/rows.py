"""Memories of a given age and use, written directly into the database."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from memories.models import Memory
from memories.storage.events import lock_ledger
from memories.values import default_importance, default_lifespan
from memsite.accounts.models import User

NOW: Final = datetime(2026, 6, 1, 3, 10, tzinfo=UTC)


def stored(owner: User, content: str = "Something.", *, days: float = 0.0, **fields: Any) -> Memory:
    """Store a memory written so many days before NOW; other fields have their defaults."""
    row = unsaved(owner, content, days=days, **fields)
    row.save(force_insert=True)
    lock_ledger(owner=owner.pk)
    return row


def unsaved(owner: User, content: str = "Something.", *, days: float = 0.0, **fields: Any) -> Memory:
    """Build the same memory without storing it."""
    layer = fields.setdefault("layer", "semantic")
    kind = fields.setdefault("kind", "conversation" if layer == "episodic" else "fact")
    fields.setdefault("lifespan", default_lifespan(layer, kind))
    importance = fields.setdefault("importance", default_importance(layer, kind))
    fields.setdefault("base_importance", importance)
    written = NOW - timedelta(days=days)
    return Memory(
        owner=owner,
        content=content,
        fingerprint=os.urandom(16),
        **({"created_at": written, "updated_at": written} | fields),
    )


def state(owner: User) -> list[tuple[object, ...]]:
    """Return everything that forgetting may change, row by row."""
    rows = Memory.objects.filter(owner=owner).order_by("id")
    fields = ("id", "status", "importance", "forgotten_at", "forgotten_by", "ended_at", "retired_at")
    return list(rows.values_list(*fields))
