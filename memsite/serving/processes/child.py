"""A program and the process that runs it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from memsite.serving.processes import processes
from memsite.serving.processes.os_users import OsUser, make_launch


@dataclass(frozen=True)
class Program:
    """A program to run, with the way to stop it.

    Attributes:
        name: For messages.
        argv: The command line. The first part is the path of the executable, which must be in one of
            `folders` if `user` is given.
        environment: Added to our environment.
        bare: Start from an empty environment instead of ours.
        inherited: File descriptors to pass on.
        output: File to append to; None for our own standard output and error.
        stop_signal: Signal that asks it to stop.
        patience: Seconds after the stop signal at which the rest of its session is killed.
        stage: Order of the stops: the highest first.
        death_signal: Signal it gets if we are killed ourselves.
        user: User to run as; None for ours.
        folders: Folders that the user must be able to reach.
        before_start: Called before each start.
    """

    name: str
    argv: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    bare: bool = False
    inherited: tuple[int, ...] = ()
    output: Path | None = None
    stop_signal: int = signal.SIGTERM
    patience: float = 5.0
    stage: int = 0
    death_signal: int = signal.SIGKILL
    user: OsUser | None = None
    folders: tuple[Path, ...] = ()
    before_start: Callable[[], None] = lambda: None


class Child:
    """A process of a program, in a session of its own so that its descendants can be signalled and ended."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """Id of the process that was started last, which is also its session's id."""
        return self._process.pid if self._process else None

    def start(self) -> int:
        """Start a process and return its id. None may be running.

        Raises:
            OSError: If it cannot be started.
            NoWayIn: If its user cannot reach its folders.
        """
        program = self.program
        program.before_start()
        how = make_launch(program.argv, program.user, program.folders, program.death_signal)
        output = _appending(program.output)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own command lines
                how.argv,
                cwd="/" if program.user else None,
                env={**({} if program.bare else os.environ), **program.environment},
                pass_fds=program.inherited,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT if output else None,
                start_new_session=True,
                preexec_fn=processes.make_parent_death_hook(program.death_signal),  # noqa: PLW1509 - one thread here
                **how.keywords,
            )
        finally:
            if output:
                output.close()
        return self._process.pid

    def exit_code(self) -> int | None:
        """Return its exit code, or minus the signal that ended it; None while it runs, 0 if never started."""
        return self._process.poll() if self._process else 0

    def runs(self) -> bool:
        """Return whether its first process is running."""
        return self.exit_code() is None

    def ask_to_stop(self) -> None:
        """Send the stop signal to its first process."""
        if self._process and self.runs():
            self._process.send_signal(self.program.stop_signal)

    def kill(self) -> None:
        """Kill its first process and all other processes of its session."""
        if self._process is None:
            return
        processes.send_signal(processes.list_session_processes(self._process.pid), signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """Send the stop signal, wait for at most the program's patience, then kill the rest."""
        self.ask_to_stop()
        processes.wait_until(lambda: not self.runs(), self.program.patience)
        self.kill()


def _appending(path: Path | None) -> IO[bytes] | None:
    return path.open("ab") if path else None
