"""The database's address: the embedded PostgreSQL of this data directory, or the server of DATABASE_URL.

Nothing here starts a server; `memsite.serving.postgres.postgres` does.
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
from memsite.serving.postgres.patience import CONNECT_SECONDS, patient_connections
from memsite.serving.streaming import STREAM_THREADS

ROLE: Final = "memsite"
NAME: Final = "memsite"
#: Django's and libpq's names for the parts of an address.
_NAMES: Final = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
# Threads that answer ordinary requests in one web process; each holds a connection while it works.
WEB_THREADS: Final = 8
# Recalls with a time limit run on threads of their own, which may continue after nobody waits for them.
RECALL_THREADS: Final = 6

# A Unix socket's path has 104 bytes on macOS (108 on Linux), including the file's name and a final zero.
_LONGEST_SOCKET_FOLDER: Final = 104 - len("/.s.PGSQL.5432") - 1

#: Options of a connection over a network. A connection that fails silently is noticed within about 15
#: seconds, both while waiting for an answer (keepalive) and while sending a query (user timeout, in ms).
_NETWORK: Final = {
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 15_000,
}
#: Seconds a statement may take, by kind of process. A request's client is gone after a minute; a job has a
#: time limit of its own that this must exceed. Commands and migrations have no limit.
STATEMENT_SECONDS: Final = {"web": 60, "worker": 7200}

#: Seconds after which a web process stops waiting for a statement: the server should have ended it before.
_LONGEST_WAIT: Final = STATEMENT_SECONDS["web"] + 10.0

#: Seconds for which a connection that answered is assumed to work while its socket is silent. A server that
#: goes down closes the connection; a network that fails may not.
_TRUSTED: Final = 10.0
_checked: WeakKeyDictionary[psycopg.Connection[Any], float] = WeakKeyDictionary()

_check_one_connection = ConnectionPool.check_connection


def build_databases(
    data_dir: Path, database_url: str = "", *, pooled: bool = False, statement_seconds: int = 0
) -> dict[str, dict[str, Any]]:
    """Return Django's DATABASES.

    Args:
        data_dir: The site's data directory.
        database_url: `postgresql://user:password@host:port/name?option=value`, or empty for the embedded
            server.
        pooled: Use a connection pool. Only for processes that never fork (web): a pool carried across a fork
            mixes up the answers of parent and child.
        statement_seconds: Seconds after which the server ends a statement; 0 for never.

    Raises:
        BadSetting: If the address cannot be parsed.
    """
    parameters = site_parameters(data_dir, database_url)
    entry: dict[str, Any] = {django: str(parameters.pop(libpq, "")) for django, libpq in _NAMES.items()}
    options: dict[str, Any] = {
        "connect_timeout": 5,
        # Prepare repeated statements: planning a wide one took PostgreSQL longer than executing it.
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
        options["connect_timeout"] = CONNECT_SECONDS
        options["pool"] = _pool_options(_libpq_parameters(entry, options))
    engine = "memsite.serving.postgres.engine"
    # No CONN_MAX_AGE: with a pool it is an error, and elsewhere a connection would be kept across forks.
    return {"default": {"ENGINE": engine, **entry, "CONN_HEALTH_CHECKS": True, "OPTIONS": options}}


def site_parameters(data_dir: Path, database_url: str) -> dict[str, Any]:
    """Return libpq's connection parameters of the address, or of the embedded server if it is empty."""
    return parse_parameters(database_url) if database_url else get_embedded_parameters(data_dir)


def parse_parameters(database_url: str) -> dict[str, Any]:
    """Return libpq's connection parameters of an address.

    Raises:
        BadSetting: For an invalid address. The message never contains a password.
    """
    if not database_url.startswith(("postgresql://", "postgres://")):
        raise BadSetting("DATABASE_URL", "expected postgresql://user:password@host:port/name")
    try:
        parameters = dict(conninfo_to_dict(database_url))
    except psycopg.ProgrammingError:
        raise BadSetting("DATABASE_URL", "not well formed; is the password percent-encoded?") from None
    if not parameters.get("dbname"):
        raise BadSetting("DATABASE_URL", "it names no database: add /name at its end")
    return parameters


def get_embedded_parameters(data_dir: Path, *, user: str = ROLE, name: str = NAME) -> dict[str, Any]:
    """Return libpq's connection parameters of the embedded server. It needs no password: its socket is
    private.
    """
    return {"dbname": name, "user": user, "host": str(get_socket_folder(data_dir)), "port": "5432"}


def get_server_folder(data_dir: Path) -> Path:
    """Return the folder of the embedded server's files."""
    return data_dir.absolute() / "postgres"


def get_socket_folder(data_dir: Path) -> Path:
    """Return the private folder of the embedded server's socket: `run/` in the data directory.

    If the path is too long for a socket, a folder under /tmp is used instead. A hash of the data directory
    names it, so that every command finds it.

    Raises:
        BadSetting: If the folder under /tmp belongs to somebody else.
    """
    folder = data_dir.absolute() / "run"
    if len(os.fsencode(folder)) <= _LONGEST_SOCKET_FOLDER:
        return folder
    digest = hashlib.sha256(os.fsencode(data_dir.resolve())).hexdigest()[:16]
    short = Path("/tmp") / f"memsite-{digest}"  # noqa: S108 - made 0700, and refused if it is another's
    if _is_foreign(short, get_server_folder(data_dir)):
        raise BadSetting("MEMSITE_DATA_DIR", f"its path is long, and {short} is somebody else's: remove that")
    return short


def _is_foreign(folder: Path, server: Path) -> bool:
    """Return whether this folder was made by a user other than us and the server's user."""
    if not os.path.lexists(folder):
        return False
    ours = {os.geteuid(), server.stat().st_uid} if server.exists() else {os.geteuid()}
    return folder.is_symlink() or folder.lstat().st_uid not in ours


def is_answering(parameters: Mapping[str, Any]) -> bool:
    """Return whether a server accepts connections with these parameters now."""
    try:
        psycopg.connect(**{"connect_timeout": 3, **parameters}).close()
    except psycopg.OperationalError:
        return False
    return True


def is_disk_full(error: BaseException) -> bool:
    """Return whether the server had no space on its disk."""
    return isinstance(error.__cause__ or error, psycopg.errors.DiskFull)


def _libpq_parameters(entry: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a single connection to the database of a DATABASES entry."""
    of_django = {"server_side_binding", "prepare_threshold", "options"}
    named = {libpq: entry[django] for django, libpq in _NAMES.items() if entry[django]}
    return named | {name: value for name, value in options.items() if name not in of_django}


def _pool_options(parameters: Mapping[str, Any]) -> dict[str, Any]:
    _drain_on_dead_connection()
    return {
        "connection_class": patient_connections(parameters, _LONGEST_WAIT),
        "min_size": 2,
        # One connection for each thread that may need one, so that no kind of work can take another's.
        # The last one is for the readiness check.
        "max_size": WEB_THREADS + STREAM_THREADS + RECALL_THREADS + 1,
        "timeout": 3,  # seconds a request waits for a connection: fail fast while the database is unavailable
        "num_workers": 2,
        "reconnect_timeout": 2,  # seconds of attempts before the pool gives up until the next request asks
    }


def _drain_on_dead_connection() -> None:
    """Empty the whole pool after one dead connection, and check connections only when there is reason to.

    After a restart of the database every pooled connection is dead. A pool that checks them one by one fails
    one request for each.
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
    """Return whether the server sent something unasked, usually its end. Costs no round trip."""
    socket = select.poll()
    try:
        socket.register(connection.fileno(), select.POLLIN)
        return bool(socket.poll(0))
    except (OSError, psycopg.Error):
        return True
