"""A small process that outlives the supervisor by a moment, to end what a killed one leaves.

Run as a script with a pipe on standard input whose other end only the supervisor holds. Lines
`SESSION SIGNAL` keep a list of process sessions; signal 0 takes one off. The pipe's end means that the
supervisor is gone: what is still on the list gets its signal, and what is left of it a few seconds later is
killed. (The signal a child gets when its parent dies reaches only the child; this reaches its descendants.)
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
_ROUNDS: Final = 5  # a process may fork while we look


def main() -> None:
    """Read until the pipe ends, then end the sessions that are left."""
    sessions: dict[int, int] = {}
    for line in sys.stdin:
        session, number = map(int, line.split())
        if number:
            sessions[session] = number
        else:
            sessions.pop(session, None)
    _end(sessions)


def _end(sessions: Mapping[int, int]) -> None:
    for _ in range(_ROUNDS):
        for session, number in sessions.items():
            processes.send(processes.in_session(session), number)
    processes.wait_until(lambda: not any(map(processes.in_session, sessions)), _PATIENCE)
    for session in sessions:
        processes.send(processes.in_session(session), signal.SIGKILL)


class Warden:
    """The supervisor's end: starts the process, tells it what there is, starts it again should it end."""

    def __init__(self) -> None:
        self._sessions: dict[int, int] = {}
        self._process: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int | None:
        """The id of its process."""
        return self._process.pid if self._process else None

    def watch(self, session: int, number: int = signal.SIGKILL) -> None:
        """Have this session ended with us, by this signal first."""
        self._sessions[session] = number
        self._tell(session, number)

    def forget(self, session: int) -> None:
        """Its processes have ended: the id may soon be somebody else's."""
        self._sessions.pop(session, None)
        self._tell(session, 0)

    def keep(self) -> None:
        """Start its process unless it runs."""
        if self._process is None or self._process.poll() is not None:
            self._start()

    def close(self) -> None:
        """Let its process end; it ends what is still watched."""
        if self._process and self._process.stdin:
            self._process.stdin.close()
            self._process.wait()
        self._process = None

    def _start(self) -> None:
        if self._process and self._process.stdin:
            self._process.stdin.close()
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", __name__],
            cwd=Path(__file__).parents[2],
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
            self._process.kill()  # `keep` starts another, which hears of all sessions


if __name__ == "__main__":
    main()
