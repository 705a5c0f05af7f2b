"""Background work on memories: ids in, one call, safe to run twice."""

from __future__ import annotations

from datetime import date
from typing import Final
from uuid import UUID

from django.utils import timezone

from memories.maintenance import (
    cap,
    due,
    kind_of,
    making,
    nightly,
    purge,
    reindexing,
    renormalising,
    requesting,
    running,
    scrubbing,
    site,
)
from memories.models import today
from memories.storage import usage
from memories.writing import judging, learning
from memsite.errors import ModelError
from memsite.jobs import enqueue
from memsite.metering import chat_model

#: Memories that one job derives anew: about ten seconds.
_RENORMALISED_AT_ONCE: Final = 5_000


def roll_up_accesses() -> int:
    """Queue a roll-up for every owner with waiting accesses; how many."""
    owners = usage.owners_to_roll_up()
    for owner in owners:
        usage.queue_roll_up(owner=owner)
    return len(owners)


def roll_up_owner(owner: str) -> None:
    """Count one owner's accesses into the memories."""
    usage.roll_up(owner=UUID(owner))


def embed_missing() -> int:
    """Embed what the model in use has not seen, and some for the one being changed to; how many memories."""
    done = sum(reindexing.embed_missing(owner=owner) for owner in reindexing.owners_to_embed())
    return done + reindexing.embed_for_target()


def renormalise() -> int:
    """Queue deriving anew for every owner with memories of older rules of normalising; how many."""
    owners = renormalising.owners_left()
    for owner in owners:
        _queue_renormalising(owner)
    return len(owners)


def renormalise_owner(owner: str) -> int:
    """Derive one owner's memories anew, in parts short enough for a job; how many were read."""
    read = 0
    for count in renormalising.renormalise(owner=UUID(owner)):
        read += count
        if read >= _RENORMALISED_AT_ONCE:
            _queue_renormalising(UUID(owner))
            break
    return read


def _queue_renormalising(owner: UUID) -> None:
    task = "memories.tasks.renormalise_owner"
    enqueue(task, owner, owner=owner, unique_key=f"renormalise:{owner}", timeout=300)


def reflect(run: str, owner: str) -> None:
    """Do what is left of a run of reflection that was asked for."""
    running.run(UUID(run), owner=UUID(owner))


def reflect_by_the_clock(owner: str, kind: str) -> None:
    """One kind of reflection for one owner."""
    running.run_by_the_clock(kind_of(kind), owner=UUID(owner))


def reflect_on_episodes() -> int:
    """Queue extracting facts for every owner with ten unreflected episodes; how many."""
    return due.queue("facts", due.owners_with_episodes())


def look_for_patterns() -> int:
    """Queue looking for patterns for every owner who learnt something since the last look; how many."""
    return due.queue("patterns", due.owners_with_news())


def learn_from_given(given: str, owner: str) -> int:
    """Learn from messages that a program gave without a thread; how many candidates there were."""
    return learning.learn_from_given(UUID(given), owner=UUID(owner))


def let_go() -> dict[str, int]:
    """The nightly pass: what expired ends, what faded is forgotten or weighs less; how many by verdict."""
    return nightly.run()


def cap_episodes() -> int:
    """Forget the oldest episodes of owners over the cap who were written to lately; how many."""
    return cap.enforce_all(since=timezone.now() - cap.LATELY)


def purge_forgotten() -> int:
    """Erase what was forgotten a year ago; how many rows."""
    return purge.run()


def scrub(at_night: bool = False) -> list[str]:  # noqa: FBT001, FBT002 - a job's argument
    """Take the bytes of erased rows out of the data files; the tables rewritten."""
    return scrubbing.scrub(at_night=at_night)


def report_all() -> int:
    """Queue the day's reports of every owner; how many."""
    day = today()
    owners = site.owners_to_report()
    for owner in owners:
        requesting.queue(day, owner=owner)
    return len(owners)


def report(owner: str, day: str) -> float | None:
    """One owner's reports of a day; the score, None while their memory is off."""
    return making.make(date.fromisoformat(day), owner=UUID(owner))


def report_site() -> float | None:
    """What the day's reports come to, and an end of old ones; the mean score."""
    site.prune(today())
    return site.make_site(today()).score


def judge_near(owner: str) -> dict[str, int | bool]:
    """Ask the model which near memories of one owner are one.

    united: how many pairs became one; stopped: whether it retired as many memories as one job may.
    """
    model = chat_model("fast", owner=UUID(owner))
    if model is None:
        return {"united": 0, "stopped": False}
    judged = judging.judge_near(model, owner=UUID(owner))
    if judged.error:
        raise ModelError(judged.error)
    if judged.left and not judged.stopped:
        enqueue("memories.tasks.judge_near", owner, owner=UUID(owner), unique_key=f"judge:{owner}")
    return {"united": judged.united, "stopped": judged.stopped}
