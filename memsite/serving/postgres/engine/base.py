"""Set at the server, before a statement, for whom the code acts, if that changed (see `roles`).

Also make the writes that must come last before a transaction commits (see `last_writes`).
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final
from weakref import WeakKeyDictionary

import psycopg
from django.db.backends.postgresql import base
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import AdaptersMap, Loader
from psycopg.pq import Format, TransactionStatus
from psycopg.types.datetime import TimestamptzLoader

from memsite.serving.postgres.last_writes import LastWrites
from memsite.serving.postgres.roles import NOBODY, TAKE_ROLE, Actor, actor

_SET_OWNER: Final = "SELECT set_config('app.owner', %s, false)"
#: For whom each connection acts at the server. None: unknown. A new connection acts for nobody.
_applied: WeakKeyDictionary[psycopg.Connection[Any], Actor | None] = WeakKeyDictionary()


_TIMESTAMPTZ: Final = psycopg.adapters.types["timestamptz"].oid


class UtcLoader(Loader):
    """Loads times by psycopg's own loader, which is compiled; Django's takes ten times as long.

    A connection of ours has the time zone UTC, so that both return the same.
    """

    timezone = UTC  # Django registers its own loader again if this is not the connection's

    def __init__(self, oid: int, context: AdaptContext | None = None) -> None:
        super().__init__(oid, context)
        found = psycopg.adapters.get_loader(_TIMESTAMPTZ, Format.TEXT) or TimestamptzLoader
        self._compiled = found(oid, context)

    def load(self, data: Buffer) -> datetime | None:
        """Return the time that PostgreSQL sent as text."""
        loaded: datetime | None = self._compiled.load(data)
        return loaded


@lru_cache(maxsize=4)
def _add_utc_loader(adapters: AdaptersMap) -> AdaptersMap:
    """Return a copy of the adapters of a connection that loads times by `UtcLoader`."""
    own = AdaptersMap(adapters)
    own.register_loader("timestamptz", UtcLoader)
    return own


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose statements are executed for the present actor.

    With a pool, a connection is refused at once while the server is known to be silent (see `patience`).
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.last_writes = LastWrites()

    def get_connection_params(self) -> dict[str, Any]:
        parameters: dict[str, Any] = super().get_connection_params()
        if self.timezone is UTC:
            parameters["context"] = _add_utc_loader(parameters["context"])
        return parameters

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:  # noqa: ANN401 - as Django types it
        pool: Any = self.pool
        if pool is not None:
            pool.connection_class.watch.refuse_if_silent()
        return super().get_new_connection(conn_params)

    def _cursor(self, name: str | None = None) -> Any:  # noqa: ANN401 - Django's own type is private
        cursor = super()._cursor(name)  # type: ignore[misc]  # its stubs leave out what engines override
        self._apply(actor())
        return cursor

    def _apply(self, wanted: Actor) -> None:
        connection: psycopg.Connection[Any] = self.connection
        present = _applied.get(connection, NOBODY)
        if wanted == present or connection.info.transaction_status == TransactionStatus.INERROR:
            return  # of a failed transaction, only the rollback will be executed
        _applied[connection] = None
        with self.wrap_database_errors:
            if present is None or wanted.role != present.role:
                connection.execute(TAKE_ROLE, [str(wanted.role)], prepare=True)
            connection.execute(_SET_OWNER, [str(wanted.owner or "")], prepare=True)
        _applied[connection] = wanted

    def _forget(self) -> None:
        """Note that the server may have gone back to an earlier actor, as it does with a rollback."""
        if self.connection is not None:
            _applied[self.connection] = None

    def _commit(self) -> Any:  # noqa: ANN401 - Django's own type is private
        connection = self.connection
        if connection is not None and connection.info.transaction_status == TransactionStatus.INERROR:
            self._forget()  # the server rolls back instead
            self.last_writes.clear()
        try:
            self._write_last()
        except BaseException:  # Django rolls back after errors of the database alone
            self._rollback()
            raise
        return super()._commit()  # type: ignore[misc]  # as above

    def _write_last(self) -> None:
        writes = self.last_writes.take()
        if not writes:
            return
        with self.cursor() as cursor:
            # The checks of deferred constraints may wait for other transactions: they come before the locks.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for write, items in writes:
            write(items)

    def _rollback(self) -> Any:  # noqa: ANN401 - Django's own type is private
        self._forget()
        self.last_writes.clear()
        return super()._rollback()  # type: ignore[misc]  # as above

    def _savepoint_rollback(self, sid: str) -> None:
        super()._savepoint_rollback(sid)  # type: ignore[misc]  # as above
        self._forget()
        self.last_writes.drop_since(sid)

    def _close(self) -> Any:  # noqa: ANN401 - Django's own type is private
        self.last_writes.clear()
        if self.in_atomic_block:
            self._forget()  # the pool will roll back
        return super()._close()  # type: ignore[misc]  # as above
