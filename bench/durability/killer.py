"""Kill processes: the kinds of kill, how victims are found, and which jobs they ran."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import psycopg

from bench.durability.family import Family, Process
from bench.durability.site import Row, Site

#: What is killed, and how often compared with the others.
WEIGHTS: Final[Mapping[str, int]] = {
    "worker's process, busy": 8,
    "worker's process, idle": 4,
    "worker's cluster": 3,
    "worker's watchdog": 3,
    "worker, all processes": 6,
    "web, one process": 6,
    "web, all processes": 4,
    "database": 6,
    "database, one session": 4,
    "site's supervisor": 1,
}
_OF_WORKER: Final = tuple(name for name in WEIGHTS if name.startswith("worker"))
_RUNNING: Final = "SELECT id::text, process, process_started FROM jobs_job WHERE status = 'running'"
_POLL: Final = 0.03  # seconds
_TASK: Final = 0.06  # seconds: about the time of a task, so that it is killed at any point of it
_VICTIM_WITHIN: Final = 20.0  # seconds until a kill that finds no victim is postponed


@dataclass(frozen=True, slots=True)
class Kill:
    """One kill.

    Attributes:
        jobs: Ids of the jobs that ran in the killed processes.
    """

    kind: str
    at: datetime
    jobs: tuple[str, ...]


def plan(kills: int, *, seed: int) -> list[str]:
    """Return so many kinds of kill in random order, by weight; with 10 or more, every kind occurs."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    share = kills / sum(WEIGHTS.values())
    plain = [name for name, weight in WEIGHTS.items() for _ in range(max(1, int(weight * share)))]
    chance.shuffle(plain)
    rest = chance.choices(list(WEIGHTS), list(WEIGHTS.values()), k=max(0, kills - len(plain)))
    order = [*plain, *rest][:kills]
    chance.shuffle(order)
    return order


class Killer:
    """Kills processes of one site."""

    def __init__(self, site: Site, chance: random.Random, *, oldest: float) -> None:
        """Prepare. Victims live for up to `oldest` seconds; otherwise one awaited would die at its start."""
        self._site = site
        self._chance = chance
        self._oldest = oldest

    def kill(self, kind: str) -> Kill | None:
        """Kill by SIGKILL once there is a victim.

        Returns:
            The kill; None if there is no victim for 20 s.

        Raises:
            SiteFailed: If the site does not start again after a crash.
        """
        end = time.monotonic() + _VICTIM_WITHIN
        age = self._chance.uniform(0.0, self._oldest)
        while time.monotonic() < end:
            done = self._once(kind, age)
            if done is not None:
                return done
            time.sleep(_POLL)
        return None

    def _once(self, kind: str, age: float) -> Kill | None:
        if kind == "site's supervisor":
            return self._crash(kind)
        if kind == "worker's process, busy":
            return self._kill_busy(kind)
        family = self._site.family()
        running = self._running() if kind in _OF_WORKER else []
        victims = self._victims(kind, family, running)
        grown = bool(victims) and victims[0].age >= age
        return self._end(kind, victims, running) if grown else None

    def _victims(self, kind: str, family: Family, running: Sequence[Row]) -> list[Process]:
        busy = {row["process"] for row in running}
        find: Mapping[str, Callable[[], list[Process]]] = {
            "worker's process, idle": lambda: self._one(
                [one for one in family.members() if one.pid not in busy]
            ),
            "worker's cluster": family.cluster,
            "worker's watchdog": family.worker,
            "worker, all processes": family.worker_family,
            "web, one process": lambda: self._one(family.web()),
            "web, all processes": family.web,
            "database": family.database,
            "database, one session": lambda: self._one(family.sessions()),
        }
        return find[kind]()

    def _kill_busy(self, kind: str) -> Kill | None:
        """Stop a process that runs a job, check that it still does, and kill it."""
        members = {(one.pid, one.start): one for one in self._site.family().members()}
        for row in self._running():
            victim = members.get((row["process"], row["process_started"]))
            if victim is None:
                continue
            time.sleep(self._chance.uniform(0.0, _TASK))
            victim.send(signal.SIGSTOP)
            if any(same["id"] == row["id"] and same["process"] == victim.pid for same in self._running()):
                return self._end(kind, [victim], [row])
            victim.send(signal.SIGCONT)
        return None

    def _end(self, kind: str, victims: Sequence[Process], running: Sequence[Row]) -> Kill:
        at = datetime.now(UTC)
        for victim in victims:
            victim.kill()
        dead = {victim.pid for victim in victims}
        whole = kind in _OF_WORKER and "process," not in kind  # the rest of the worker dies with it
        jobs = tuple(row["id"] for row in running if whole or row["process"] in dead)
        return Kill(kind, at, jobs)

    def _crash(self, kind: str) -> Kill:
        at, running = datetime.now(UTC), self._running()
        self._site.crash()
        self._site.start()
        return Kill(kind, at, tuple(row["id"] for row in running))

    def _running(self) -> list[Row]:
        try:
            return self._site.ask(_RUNNING)
        except psycopg.Error:
            return []  # the database is unavailable: no job is known to run

    def _one(self, found: Sequence[Process]) -> list[Process]:
        return [self._chance.choice(found)] if found else []
