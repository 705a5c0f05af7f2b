"""One program and the process that runs it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from memsite.serving.processes import processes
from memsite.serving.processes.os_users import OsUser, launch


@dataclass(frozen=True)
class Program:
    """What to run, and how it ends.

    argv: the first is the path of the executable, which lies in one of `folders` when `user` is given.
    environment: added to ours; `bare` starts from nothing instead.
    inherited: file descriptors it gets. output: a file to append to, else our own standard output and error.
    stop_signal asks it to stop; `patience` seconds later what is left of its session is killed.
    stage orders the stops: the highest first.
    death_signal is what it gets should we be killed ourselves. before_start runs before each start.
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
    """A process of a program, in a session of its own so that its descendants can be told and ended."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The id of the process that was started last; also its session's."""
        return self._process.pid if self._process else None

    def start(self) -> int:
        """Start a process, which must not be running, and return its id. Raises OSError, NoWayIn."""
        program = self.program
        program.before_start()
        how = launch(program.argv, program.user, program.folders, program.death_signal)
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
                preexec_fn=processes.die_with_parent(program.death_signal),  # noqa: PLW1509 - one thread here
                **how.keywords,
            )
        finally:
            if output:
                output.close()
        return self._process.pid

    def exit_code(self) -> int | None:
        """None while it runs; else its exit code, or minus the signal that ended it. 0 if never started."""
        return self._process.poll() if self._process else 0

    def runs(self) -> bool:
        """Whether its first process is there."""
        return self.exit_code() is None

    def ask_to_stop(self) -> None:
        """Send the stop signal to its first process."""
        if self._process and self.runs():
            self._process.send_signal(self.program.stop_signal)

    def kill(self) -> None:
        """End what is left of it at once: its first process and all of its session."""
        if self._process is None:
            return
        processes.send(processes.in_session(self._process.pid), signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """Ask it to stop, wait as long as its program's patience, then kill what is left."""
        self.ask_to_stop()
        processes.wait_until(lambda: not self.runs(), self.program.patience)
        self.kill()


def _appending(path: Path | None) -> IO[bytes] | None:
    return path.open("ab") if path else None
