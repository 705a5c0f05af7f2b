"""Background tasks of export and import. Each takes ids and is idempotent."""

from __future__ import annotations

from uuid import UUID

from porting import importing


def run_import(import_id: str, owner: str) -> str:
    """Work on an import, and queue the rest if it takes longer. Return its status."""
    return importing.run_import(UUID(import_id), owner=UUID(owner))


def undo_import(import_id: str, owner: str) -> str:
    """Undo the rest of an import that a request began to undo. Return its status."""
    return importing.continue_undo(UUID(import_id), owner=UUID(owner))


def sweep() -> int:
    """Delete uploaded files that no import needs, and return how many imports had some."""
    return importing.sweep()
