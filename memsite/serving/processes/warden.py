"""A small process that outlives a killed supervisor briefly, to end the processes it leaves.

It runs as a script with a pipe on standard input whose other end only the supervisor holds. Lines
`SESSION SIGNAL` keep a list of process sessions; signal 0 removes one. When the pipe ends, the supervisor is
gone: each session on the list gets its signal, and what remains a few seconds later is killed. (The signal
that a child gets when its parent dies reaches only the child; this one reaches its descendants, too.)
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from memsite.serving.processes import processes

_PATIENCE: Final = 5.0  # seconds
_MOST_ATTEMPTS: Final = 5  # repeated, because a process may fork during the search


def main() -> None:
    """Read until the pipe ends, then end the remaining sessions."""
    sessions: dict[int, int] = {}
    for line in sys.stdin:
        session, number = map(int, line.split())
        if number:
            sessions[session] = number
        else:
            sessions.pop(session, None)
    _end(sessions)


def _end(sessions: Mapping[int, int]) -> None:
    for _ in range(_MOST_ATTEMPTS):
        for session, number in sessions.items():
            processes.send_signal(processes.list_session_processes(session), number)
    processes.wait_until(lambda: not any(map(processes.list_session_processes, sessions)), _PATIENCE)
    for session in sessions:
        processes.send_signal(processes.list_session_processes(session), signal.SIGKILL)


class Warden:
    """The supervisor's side: starts the process, sends it the sessions, restarts it if it ends."""

    def __init__(self) -> None:
        self._sessions: dict[int, int] = {}
        self._process: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int | None:
        """Id of its process."""
        return self._process.pid if self._process else None

    def watch(self, session: int, number: int = signal.SIGKILL) -> None:
        """End this session when the supervisor ends, with this signal first."""
        self._sessions[session] = number
        self._tell(session, number)

    def forget(self, session: int) -> None:
        """Remove a session that has ended, because its id may be reused."""
        self._sessions.pop(session, None)
        self._tell(session, 0)

    def keep(self) -> None:
        """Start its process unless it runs."""
        if self._process is None or self._process.poll() is not None:
            self._start()

    def close(self) -> None:
        """Close the pipe and wait for its process, which ends the sessions that are still watched."""
        if self._process and self._process.stdin:
            self._process.stdin.close()
            self._process.wait()
        self._process = None

    def _start(self) -> None:
        if self._process and self._process.stdin:
            self._process.stdin.close()
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", __name__],
            cwd=Path(__file__).parents[3],
            stdin=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        for session, number in self._sessions.items():
            self._tell(session, number)

    def _tell(self, session: int, number: int) -> None:
        if self._process is None or self._process.stdin is None:
            return
        try:
            self._process.stdin.write(f"{session} {int(number)}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            self._process.kill()  # `keep` starts another one, which gets all sessions


if __name__ == "__main__":
    main()
