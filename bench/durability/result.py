"""The settings of a run, and its result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from bench.durability import at_rest
from bench.durability.clients import Person
from bench.durability.killer import Kill
from bench.durability.laws import Law
from bench.durability.site import Site
from bench.durability.stored import Stored

_DONE_WITHIN: Final = 120.0  # seconds after a kill


@dataclass(frozen=True, slots=True)
class Settings:
    """How hard a run is.

    Attributes:
        gap: Most seconds between two kills.
        pause: Mean seconds between two requests of a writer.
    """

    kills: int
    seed: int = 1
    gap: float = 3.0
    pause: float = 0.8
    people: int = 2
    threads: int = 2


@dataclass(slots=True)
class Result:
    """The result of a run.

    Attributes:
        laws: Violations of each law; empty if it holds.
        numbers: Statistics of the run.
    """

    laws: dict[Law, list[str]] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    kills: list[Kill] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether no law is violated."""
        return not any(self.laws.values())

    def find(self, law: Law, found: Sequence[str]) -> None:
        """Add violations of a law."""
        self.laws.setdefault(law, []).extend(found)

    def count(self, what: str, number: int) -> None:
        """Add to a number of the run."""
        self.numbers[what] = str(int(self.numbers.get(what, "0")) + number)


def note_stored(stored: Stored, result: Result) -> None:
    """Count the rows of one owner."""
    result.count("messages", sum(map(len, stored.threads.values())))
    result.count("memories learnt by rules", len(stored.learnt()))
    result.count("episodes", len(stored.mirrored()))
    result.count("memories stated", len(stored.stated()))
    result.count("events", len(stored.sequence))


def note_recovery(site: Site, result: Result) -> None:
    """Record how soon the work of killed workers was done."""
    took, never = at_rest.done_after(site, result.kills)
    late = [f"work was done {seconds:.0f} s after the kill" for seconds in took if seconds > _DONE_WITHIN]
    if never:
        late.append(f"the work of {never} killed jobs was never done")
    result.find(Law.RECOVERY, late)
    if took:
        result.numbers["killed jobs done after (median)"] = f"{took[len(took) // 2]:.1f} s"
        result.numbers["killed jobs done after (most)"] = f"{took[-1]:.1f} s"
    again, dead = at_rest.struck_jobs(site)
    result.numbers["jobs killed in the middle"] = str(len(took) + never)
    result.numbers["jobs that needed several attempts"] = str(again)
    result.numbers["jobs that used all attempts up"] = str(dead)


def note_requests(people: Sequence[Person], result: Result) -> None:
    """Record the requests of the writers."""
    failures = sum((person.caller.failures for person in people), Counter[str]())
    result.count("requests acknowledged", sum(person.caller.acknowledged for person in people))
    for how, number in sorted(failures.items()):
        result.count(f"requests that failed: {how}", number)
    longest = max(person.caller.longest for person in people)
    result.numbers["longest wait for an acknowledgement"] = f"{longest:.1f} s"
    bugs = [f"{number} requests were answered {how}" for how, number in failures.items() if how == "500"]
    result.find(Law.ANSWERS, bugs)
