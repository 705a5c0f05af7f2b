"""`manage.py run`: run the whole site with one command."""

from __future__ import annotations

import os
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.utils.module_loading import import_string

from memsite.serving.data_folder import find_folder_problem
from memsite.serving.postgres import (
    EmbeddedDatabaseError,
    EmbeddedPostgres,
    UnusableDatabase,
    as_table_owner,
    database,
    explain_newer,
    list_newer_migrations,
    provision,
)
from memsite.serving.processes import NoWayIn, Program
from memsite.serving.static_files import collect_static_files
from memsite.serving.supervision import (
    AlreadyRunning,
    CannotListen,
    FirstAnswer,
    Stopping,
    StopRequested,
    Supervisor,
    catch_stop_signals,
    hold_lock,
    open_listener,
    wait_for_embedded,
    wait_for_server,
)

_WEB_PROCESSES = 2
# One BLAS thread per process, because each process keeps a core busy: more on the same cores doubled a
# search's time.
_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
WEB_ENVIRONMENT = _ENVIRONMENT | {
    "MEMSITE_PROCESS": "web",
    "UV_THREADPOOL_SIZE": "1",  # libuv resolves names on threads of its own, by default on four
    # glibc gives threads heaps of their own, and what one of them frees is of no use to the others.
    "MALLOC_ARENA_MAX": "2",
}
# Stopping takes at most web and worker together, then the database: 8 + 4 seconds.
_WEB_PATIENCE, _WORKER_PATIENCE, _DATABASE_PATIENCE = 8.0, 8.0, 4.0
_EXPECTED = (AlreadyRunning, CannotListen, EmbeddedDatabaseError, NoWayIn, UnusableDatabase)


class Command(BaseCommand):
    help = "Run the site (database, web, worker) until SIGTERM or Ctrl-C."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--no-worker", action="store_true", help="web only; `manage.py work` runs elsewhere"
        )

    def handle(self, *, no_worker: bool, **_options: object) -> None:
        with catch_stop_signals() as stopping, suppress(StopRequested):
            try:
                self._run(stopping, with_worker=not no_worker)
            except _EXPECTED as error:
                raise CommandError(_add_advice(str(error))) from None
        sys.stderr.flush()
        # Everything has ended. Cleaning up the interpreter would take seconds on a busy machine.
        os._exit(0)

    def _run(self, stopping: Stopping, *, with_worker: bool) -> None:
        with (
            hold_lock(settings.MEMSITE_DATA_DIR / "lock"),
            closing(open_listener(settings.MEMSITE_HOST, settings.PORT)) as listener,
            Supervisor(self._say) as supervisor,
        ):
            with stopping.interrupting():
                self._prepare(supervisor)
            for program in _programs(listener, with_worker=with_worker):
                supervisor.start(program)
            supervisor.watch(until=lambda: stopping.requested, each_look=self._greeting(listener))
            listener.close()
            self._say("stopping")

    def _prepare(self, supervisor: Supervisor) -> None:
        if settings.DATABASE_URL:
            parameters = database.parse_parameters(settings.DATABASE_URL)
            for advice in wait_for_server(parameters, self._say):
                self._say(advice)
        else:
            self._start_database(supervisor)
        with as_table_owner():  # after an upgrade, the site's role may not read the tables yet
            newer = list_newer_migrations()
            if newer:
                raise CommandError(explain_newer(newer))
        call_command("migrate", interactive=False, verbosity=0)
        collect_static_files()
        connections.close_all()

    def _start_database(self, supervisor: Supervisor) -> None:
        server = EmbeddedPostgres(settings.MEMSITE_DATA_DIR)
        if not server.files.exists():
            self._say("making the database, once")
        server.make()
        child = supervisor.start(server.program(patience=_DATABASE_PATIENCE))
        wait_for_embedded(server, child)
        provision(settings.MEMSITE_DATA_DIR)

    def _greeting(self, listener: socket.socket) -> partial[None]:
        return partial(self._greet, FirstAnswer(listener), [])

    def _greet(self, answer: FirstAnswer, greeted: list[bool]) -> None:
        """Print once, when the site first answers, its URL and how to get an account."""
        if greeted or not answer.has_come():
            return
        greeted.append(True)
        self._say(f"ready at {settings.MEMSITE_BASE_URL} (Ctrl-C stops it)")
        message = _first_account_message()
        if message:
            self._say(message)

    def _say(self, sentence: str) -> None:
        self.stdout.write(f"memsite: {sentence}")
        self.stdout.flush()


def _add_advice(message: str) -> str:
    """Return why the start failed, with what to do if the data directory is full or read-only."""
    problem = find_folder_problem(settings.MEMSITE_DATA_DIR)
    return f"{message}\n{problem.advice}" if problem else message


def _first_account_message() -> str | None:
    # Imported by name, because the accounts app is above this one.
    path = "memsite.accounts.signing.invitations.first_account_message"
    message: Callable[[str], str | None] = import_string(path)
    try:
        return message(settings.MEMSITE_BASE_URL)
    except Exception as error:  # noqa: BLE001 - a failed greeting must not end the running site
        return f"how to make the first account could not be found out: {error}"
    finally:
        connections.close_all()


def _programs(listener: socket.socket, *, with_worker: bool) -> list[Program]:
    command = (sys.executable, str(settings.BASE_DIR / "manage.py"))
    web = Program(
        name="web",
        argv=(*command, "serve", "--fd", str(listener.fileno())),
        environment=WEB_ENVIRONMENT,
        inherited=(listener.fileno(),),
        patience=_WEB_PATIENCE,
        stage=1,
    )
    worker = Program(
        name="worker",
        argv=(*command, "work"),
        environment={"MEMSITE_PROCESS": "worker", **_ENVIRONMENT},
        patience=_WORKER_PATIENCE,
        stage=1,
    )
    return [web] * _WEB_PROCESSES + [worker] * with_worker
