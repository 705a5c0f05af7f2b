"""Write what must be written last in a transaction: right before its commit.

A row that every writer of an owner locks should be locked last, and only for the moment of the commit. Code
deep inside a transaction cannot know what its callers will lock after it. So it leaves the write here, and
the site's database engine makes it when the outermost transaction commits. After that write a transaction
waits for nothing, so it can be part of no deadlock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import connection, transaction

T = TypeVar("T")
#: Writes items in the present transaction.
Write = Callable[[list[Any]], None]


@dataclass(slots=True)
class LastWrites:
    """The writes that a connection will make before its transaction commits."""

    _items: list[tuple[frozenset[str], Write, Any]] = field(default_factory=list)

    def add(self, savepoints: frozenset[str], write: Write, item: object) -> None:
        """Add an item, which a rollback to one of these savepoints takes back."""
        self._items.append((savepoints, write, item))

    def clear(self) -> None:
        """Drop everything, because the transaction is rolled back."""
        self._items.clear()

    def drop_since(self, savepoint: str) -> None:
        """Drop what was added after a savepoint."""
        self._items = [item for item in self._items if savepoint not in item[0]]

    def take(self) -> list[tuple[Write, list[Any]]]:
        """Return every write with its items, in the order of addition, and forget them."""
        taken: dict[Write, list[Any]] = {}
        for _, write, item in self._items:
            taken.setdefault(write, []).append(item)
        self._items.clear()
        return list(taken.items())


def write_last(write: Callable[[list[T]], None], item: T) -> None:
    """Call `write` with this item right before the outermost transaction commits.

    It is called once, with all items of the transaction, after all constraints have been checked. Outside of
    a transaction it is called at once. A transaction that is rolled back writes nothing.

    Args:
        write: Writes the items; the same function for items that belong together.
        item: What to write.
    """
    if not connection.in_atomic_block:
        with transaction.atomic():
            write([item])
        return
    engine: Any = connection
    engine.last_writes.add(frozenset(sid for sid in connection.savepoint_ids if sid), write, item)


def call_after_commit(act: Callable[[], object]) -> None:
    """Call `act` after the commit, from a function that `write_last` calls. Its errors are logged.

    Django's `on_commit` takes no function while a commit is under way.
    """
    if connection.in_atomic_block:
        transaction.on_commit(act, robust=True)
    else:
        pending: list[Any] = connection.run_on_commit
        pending.append((set(), act, True))
