"""Where the database is: the embedded PostgreSQL of this data directory, or the server of DATABASE_URL.

Nothing here starts a server: see `memsite.serving.postgres.postgres`.
"""

from __future__ import annotations

import hashlib
import os
import select
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool

from memsite.env import BadSetting
from memsite.serving.streaming import STREAM_THREADS, TURNS

ROLE: Final = "memsite"
NAME: Final = "memsite"
# Threads that answer ordinary requests in one web process; each holds a connection while it works.
WEB_THREADS: Final = 10
# Recalls within a time box run on threads of their own, which go on for a while when nobody waits any more.
RECALL_THREADS: Final = 6

# A Unix socket's path has 104 bytes on macOS (108 on Linux), with the file's name and a closing zero.
_LONGEST_SOCKET_FOLDER: Final = 104 - len("/.s.PGSQL.5432") - 1

#: Of a connection over a network: one that fails without a word is noticed within some 15 seconds, both while
#: an answer is waited for (keepalive) and while a question is under way (user timeout, in ms).
_NETWORK: Final = {
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 15_000,
}
#: Seconds a statement may take, by kind of process: a request's client has long gone after a minute, and a
#: job has a time limit of its own that this must exceed. Commands and migrations have no limit.
STATEMENT_SECONDS: Final = {"web": 60, "worker": 7200}

#: Seconds for which a connection that answered is taken to be well while its socket is silent. A server that
#: goes down closes it; a network that fails may not.
_TRUSTED: Final = 10.0
_checked: WeakKeyDictionary[psycopg.Connection[Any], float] = WeakKeyDictionary()

_check_one_connection = ConnectionPool.check_connection


def databases(
    data_dir: Path, database_url: str = "", *, pooled: bool = False, statement_seconds: int = 0
) -> dict[str, dict[str, Any]]:
    """Django's DATABASES.

    database_url: `postgresql://user:password@host:port/name?option=value`, or empty for the embedded server.
    pooled: only for processes that never fork (web); a connection pool carried across a fork mixes up
    the answers of parent and child.
    statement_seconds: after which the server ends a statement; 0 for never.
    Raises BadSetting for an address that cannot be read.
    """
    parameters = parameters_of(database_url) if database_url else embedded_parameters(data_dir)
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    entry: dict[str, Any] = {django: str(parameters.pop(libpq, "")) for django, libpq in names.items()}
    options: dict[str, Any] = {
        "connect_timeout": 5,
        # Statements met again are prepared: planning a wide one took PostgreSQL longer than answering it.
        "server_side_binding": True,
        "prepare_threshold": 5,
        **parameters,
    }
    if not str(entry["HOST"]).startswith("/"):
        options = {**_NETWORK, **options}
    if statement_seconds:
        limit = f"-c statement_timeout={statement_seconds * 1000}"
        options["options"] = f"{options.get('options', '')} {limit}".strip()
    if pooled:
        options["pool"] = _pool_options()
    engine = "django.db.backends.postgresql"
    # No CONN_MAX_AGE: it is an error beside a pool, and elsewhere a connection would be kept across forks.
    return {"default": {"ENGINE": engine, **entry, "CONN_HEALTH_CHECKS": True, "OPTIONS": options}}


def parameters_of(database_url: str) -> dict[str, Any]:
    """libpq's connection parameters of an address. Raises BadSetting, never repeating a password."""
    if not database_url.startswith(("postgresql://", "postgres://")):
        raise BadSetting("DATABASE_URL", "expected postgresql://user:password@host:port/name")
    try:
        parameters = dict(conninfo_to_dict(database_url))
    except psycopg.ProgrammingError:
        raise BadSetting("DATABASE_URL", "not well formed; is the password percent-encoded?") from None
    if not parameters.get("dbname"):
        raise BadSetting("DATABASE_URL", "it names no database: add /name at its end")
    return parameters


def embedded_parameters(data_dir: Path, *, user: str = ROLE, name: str = NAME) -> dict[str, Any]:
    """libpq's connection parameters of the embedded server; no password: its socket's folder is private."""
    return {"dbname": name, "user": user, "host": str(socket_folder(data_dir)), "port": "5432"}


def server_folder(data_dir: Path) -> Path:
    """The folder of the embedded server's files."""
    return data_dir.absolute() / "postgres"


def socket_folder(data_dir: Path) -> Path:
    """The private folder of the embedded server's socket: `run/` in the data directory.

    A path too long for a socket is replaced by one under /tmp, named by a hash of the data directory, so that
    every command finds it. Raises BadSetting when that one exists and belongs to somebody else.
    """
    folder = data_dir.absolute() / "run"
    if len(os.fsencode(folder)) <= _LONGEST_SOCKET_FOLDER:
        return folder
    digest = hashlib.sha256(os.fsencode(data_dir.resolve())).hexdigest()[:16]
    short = Path("/tmp") / f"memsite-{digest}"  # noqa: S108 - made 0700, and refused if it is another's
    if _is_foreign(short, server_folder(data_dir)):
        raise BadSetting("MEMSITE_DATA_DIR", f"its path is long, and {short} is somebody else's: remove that")
    return short


def _is_foreign(folder: Path, server: Path) -> bool:
    """Whether somebody other than us or the server's user made this folder."""
    if not os.path.lexists(folder):
        return False
    ours = {os.geteuid(), server.stat().st_uid} if server.exists() else {os.geteuid()}
    return folder.is_symlink() or folder.lstat().st_uid not in ours


def answers(parameters: Mapping[str, Any]) -> bool:
    """Whether a server takes connections with these parameters now."""
    try:
        psycopg.connect(**{"connect_timeout": 3, **parameters}).close()
    except psycopg.OperationalError:
        return False
    return True


def _pool_options() -> dict[str, Any]:
    _drain_on_dead_connection()
    return {
        "min_size": 2,
        # A connection for each thread that may want one: no kind of work can take another's.
        # The last one asks whether we are ready.
        "max_size": WEB_THREADS + STREAM_THREADS + TURNS + RECALL_THREADS + 1,
        "timeout": 3,  # seconds a request waits for a connection: fail fast while the database is away
        "reconnect_timeout": 2,  # seconds of attempts before the pool gives up until the next request asks
    }


def _drain_on_dead_connection() -> None:
    """Make one dead connection empty the whole pool, and ask the server only where there is reason to.

    After a restart of the database every pooled connection is dead, and a pool that tests them one by one
    fails a request for each.
    """

    def checked(connection: psycopg.Connection[Any]) -> None:
        if time.monotonic() - _checked.get(connection, 0.0) < _TRUSTED and not _has_news(connection):
            return
        try:
            _check_one_connection(connection)
            _checked[connection] = time.monotonic()
        except Exception:
            pool: Any = connection._pool  # noqa: SLF001 - the pinned version; a test holds it
            pool.drain()
            raise

    setattr(ConnectionPool, "check_connection", staticmethod(checked))  # noqa: B010 - mypy knows better


def _has_news(connection: psycopg.Connection[Any]) -> bool:
    """Whether the server said something unasked: its farewell, mostly. Costs no round trip."""
    socket = select.poll()
    try:
        socket.register(connection.fileno(), select.POLLIN)
        return bool(socket.poll(0))
    except (OSError, psycopg.Error):
        return True
