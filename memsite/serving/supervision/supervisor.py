"""Keep a list of programs running until asked to stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self

from memsite.serving.processes import Child, Program, processes
from memsite.serving.processes.warden import Warden

_PAUSE: Final = 0.1  # seconds between two checks


@dataclass
class Backoff:
    """Waits double from `first` to `most` seconds; after a run of `steady` seconds they start at `first`
    again.
    """

    first: float = 0.2
    most: float = 10.0
    steady: float = 30.0
    _failures: int = 0

    def next_wait(self, ran: float) -> float:
        """Return the seconds to wait after a run of this many seconds."""
        if ran >= self.steady:
            self._failures = 0
        wait = min(self.first * 2.0**self._failures, self.most)
        self._failures = min(self._failures + 1, 30)
        return wait


@dataclass
class _Post:
    """A program's process, and when to start the next one."""

    child: Child
    backoff: Backoff = field(default_factory=Backoff)
    started: float = 0.0
    due: float | None = None


class Supervisor:
    """Starts programs, restarts those that end, and stops them stage by stage, the last stage first.

    Use it as a context manager: leaving it stops everything. Not for a process with several threads.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        """Create a supervisor. It calls `say` with a sentence when a program ends or cannot start."""
        self._say = say
        self._posts: list[_Post] = []
        self._warden = Warden()

    def __enter__(self) -> Self:
        processes.adopt_orphans()
        self._warden.keep()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        processes.adopt_orphans(adopt=False)

    def start(self, program: Program) -> Child:
        """Start a program and keep it running. Raises the errors of `Child.start`."""
        post = _Post(Child(program))
        self._posts.append(post)
        self._launch(post)
        return post.child

    def watch(self, until: Callable[[], bool], each_look: Callable[[], None] = lambda: None) -> None:
        """Restart programs that end, until the condition is true. `each_look` is called at every check."""
        while not until():
            self._warden.keep()
            for post in self._posts:
                self._look_after(post)
            processes.reap_strangers({pid for pid in (self._warden.pid, *self._pids()) if pid})
            each_look()
            time.sleep(_PAUSE)

    def stop(self) -> None:
        """Stop everything: the programs of a stage together, the last stage first."""
        children = [post.child for post in self._posts]
        self._posts.clear()
        for stage in sorted({child.program.stage for child in children}, reverse=True):
            self._stop_together([child for child in children if child.program.stage == stage])
        self._warden.close()

    def _pids(self) -> list[int | None]:
        return [post.child.pid for post in self._posts]

    def _look_after(self, post: _Post) -> None:
        if post.due is not None:
            if time.monotonic() >= post.due:
                self._relaunch(post)
            return
        code = post.child.exit_code()
        if code is None:
            return
        self._bury(post.child)
        wait = post.backoff.next_wait(time.monotonic() - post.started)
        post.due = time.monotonic() + wait
        self._say(f"{post.child.program.name} ended ({_described(code)}); starting it again in {wait:.1f} s")

    def _relaunch(self, post: _Post) -> None:
        try:
            self._launch(post)
        except Exception as error:  # noqa: BLE001 - whatever it is, the next try may succeed
            wait = post.backoff.next_wait(0.0)
            post.due = time.monotonic() + wait
            self._say(f"{post.child.program.name} cannot start: {error}; trying again in {wait:.1f} s")

    def _launch(self, post: _Post) -> None:
        self._warden.watch(post.child.start(), post.child.program.death_signal)
        post.started, post.due = time.monotonic(), None

    def _bury(self, child: Child) -> None:
        child.kill()
        if child.pid is not None:
            self._warden.forget(child.pid)

    def _stop_together(self, children: Sequence[Child]) -> None:
        for child in children:
            child.ask_to_stop()
        patience = max(child.program.patience for child in children)
        processes.wait_until(lambda: not any(child.runs() for child in children), patience)
        for child in children:
            self._bury(child)


def _described(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
