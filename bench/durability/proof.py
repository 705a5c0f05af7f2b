"""The whole bench: write under kills, write the same without kills, compare."""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from bench.durability import at_rest, checks, indexes
from bench.durability.clients import Caller, Person, Writer
from bench.durability.killer import Killer, plan
from bench.durability.laws import Law
from bench.durability.result import Result, Settings, note_recovery, note_requests, note_stored
from bench.durability.site import Site, SiteFailed
from bench.durability.stored import Stored, read

_DRAIN_WITHIN: Final = 420.0  # seconds: longer than the sweep's interval of five minutes
#: Queues the sweep now: what a dead process left would wait for it up to five minutes. So is the reading of
#: episodes: it is due whenever a worker starts, and a run with kills would have read more of them.
_SWEEP: Final = (
    "from memsite.jobs import schedules\n"
    "for name in ('threads.sweep', 'memories.reflect_on_episodes'):\n"
    "    schedules.fire(name)"
)
_RECALLED: Final = 20  # memories of each owner to search for
_PUT_OFF: Final = 50  # kills without a victim after which the run ends

Tell = Callable[[str, int, int], None]


def prove(folder: Path, settings: Settings, tell: Tell) -> Result:
    """Run everything in an empty folder.

    Args:
        folder: An empty folder.
        settings: How hard the run is.
        tell: Called with the current action, and how much of how much is done.

    Raises:
        SiteFailed: If the run cannot continue, which also breaks a law.
        Refused: Likewise.
    """
    result, site = Result(), Site(folder)
    tell("starting the site", 0, 1)
    try:
        site.start()
        _compare(site, settings, result, tell)
        _stop(site, result, tell)
    finally:
        if not site.has_ended():
            site.crash()
    tell("checking the database's files", 0, 1)
    compared, found = indexes.check(site.data_dir)
    result.find(Law.SOUND, found)
    result.numbers["indexes compared with their tables"] = str(compared)
    return result


def _compare(site: Site, settings: Settings, result: Result, tell: Tell) -> None:
    key = _issue_key(site)
    struck = _people(site, key, "struck", settings)
    steps = _under_kills(site, struck, settings, result, tell)
    result.find(Law.WHOLE, at_rest.whole(site))
    tell("waiting for the queue", 0, 1)
    result.numbers["queue empty after the last kill"] = f"{_drained(site, result):.0f} s"
    note_recovery(site, result)
    tell("the same without kills", 0, 1)
    calm = _people(site, key, "calm", settings)
    _write([step for person in calm for step in person.steps()], steps)
    _drained(site, result)
    tell("comparing", 0, 1)
    for person, other in zip(struck, calm, strict=True):
        _judge(site, person, other, result)
    note_requests(struck, result)


def _issue_key(site: Site) -> str:
    site.command("create_user", "bench", "--password", "a-made-up-password-1")
    return site.command("issue_key", "bench", "--application", "bench").split()[-1]


def _people(site: Site, key: str, name: str, settings: Settings) -> list[Person]:
    callers = [Caller(site.base, key, f"{name}-{number}") for number in range(settings.people)]
    return [Person(caller, settings.threads) for caller in callers]


def _under_kills(
    site: Site, people: Sequence[Person], settings: Settings, result: Result, tell: Tell
) -> list[int]:
    """Write while killing; return how many steps each script got."""
    stop = threading.Event()
    steps = [step for person in people for step in person.steps()]
    writers = [Writer(step, stop=stop, pause=settings.pause) for step in steps]
    for writer in writers:
        writer.start()
    begin = time.monotonic()
    try:
        _kill(site, settings, result, lambda done: tell(_state(people), done, settings.kills))
    finally:
        stop.set()
    result.numbers["time under kills"] = f"{time.monotonic() - begin:.0f} s"
    _finish(writers)
    return [writer.done for writer in writers]


def _kill(site: Site, settings: Settings, result: Result, tell: Callable[[int], None]) -> None:
    """Perform every planned kill; one that finds no victim is postponed."""
    chance = random.Random(settings.seed)  # noqa: S311 - nothing secret
    killer = Killer(site, chance, oldest=2 * settings.gap)
    due = deque(plan(settings.kills, seed=settings.seed))
    put_off = 0
    while due:
        tell(len(result.kills))
        time.sleep(chance.uniform(0.1, settings.gap))
        kind = due.popleft()
        kill = killer.kill(kind)
        if kill is not None:
            result.kills.append(kill)
            continue
        due.append(kind)
        put_off += 1
        if put_off > _PUT_OFF:
            raise SiteFailed(f"no {kind} was found to kill, time and again")
    tell(len(result.kills))


def _write(steps: Sequence[Callable[[int], None]], most: Sequence[int]) -> None:
    stop = threading.Event()
    writers = [Writer(step, stop=stop, most=number) for step, number in zip(steps, most, strict=True)]
    for writer in writers:
        writer.start()
    _finish(writers)


def _finish(writers: Sequence[Writer]) -> None:
    for writer in writers:
        writer.join()
    errors = [writer.error for writer in writers if writer.error is not None]
    if errors:
        raise errors[0]


def _drained(site: Site, result: Result) -> float:
    site.command("shell", "--no-imports", "-c", _SWEEP)
    took = at_rest.drain(site, _DRAIN_WITHIN)
    result.find(Law.NO_WORK_LEFT, at_rest.nothing_left(site))
    return took


def _judge(site: Site, struck: Person, calm: Person, result: Result) -> None:
    stored, other = _read(site, struck), _read(site, calm)
    acknowledged = struck.acknowledged
    result.find(Law.MESSAGES, checks.messages_kept(stored, acknowledged))
    result.find(Law.THREADS, checks.same_messages(stored, other))
    result.find(Law.LEARNT, checks.same_learnt(stored, other))
    result.find(Law.STATED, checks.statements_kept(stored, acknowledged, other))
    result.find(Law.EPISODES, checks.episodes_mirror(stored))
    result.find(Law.LEARNT_ONCE, checks.learnt_once(stored))
    result.find(Law.EVENTS, checks.events_gapless(stored))
    result.find(Law.INDEXED, checks.all_indexed(stored))
    contents = [memory.content for memory in stored.stated()[-_RECALLED:]]
    lost = [f"a search does not find {content!r}" for content in contents if not struck.recalls(content)]
    result.find(Law.RECALLED, lost)
    note_stored(stored, result)


def _read(site: Site, person: Person) -> Stored:
    return read(site, person.owner, person.threads)


def _stop(site: Site, result: Result, tell: Tell) -> None:
    tell("stopping the site", 0, 1)
    site.stop()
    left = [f"process {pid} lives after the site's end" for pid in site.outlived()]
    result.find(Law.NO_ORPHAN, left)
    result.count("processes seen", len(site.seen))


def _state(people: Sequence[Person]) -> str:
    return f"killing; {sum(person.caller.acknowledged for person in people)} requests acknowledged"
