"""Define background tasks on memories. Each takes ids, makes one call and is idempotent."""

from __future__ import annotations

from datetime import date
from typing import Final
from uuid import UUID

from django.utils import timezone

from memories.maintenance import (
    ReflectionKind,
    cap,
    due,
    nightly,
    purge,
    reindexing,
    renormalisation,
    report_making,
    report_requests,
    runs,
    scrubbing,
    sentences,
    site,
)
from memories.models import today
from memories.storage import usage
from memories.writing import learning, similar_pairs
from memsite.errors import ModelError
from memsite.jobs import enqueue
from memsite.metering import ModelPurpose, get_chat_model
from memsite.serving.postgres import acting_for

#: Memories that one job derives again: about ten seconds.
_RENORMALISED_AT_ONCE: Final = 5_000
#: Seconds after which embedding sentences lets other jobs come first.
_SENTENCES_FOR: Final = 20.0


def roll_up_accesses() -> int:
    """Queue a roll-up for every owner with uncounted accesses, and return how many."""
    owners = usage.list_owners_to_roll_up()
    for owner in owners:
        usage.queue_roll_up(owner=owner)
    return len(owners)


def roll_up_owner(owner: str) -> None:
    """Count one owner's accesses into the memories."""
    usage.roll_up_accesses(owner=UUID(owner))


def embed_missing() -> int:
    """Embed memories for the model in use, and some for the next one if any. Return how many."""
    done = 0
    for owner in reindexing.list_owners_to_embed():
        with acting_for(owner):
            done += reindexing.embed_missing(owner=owner)
    return done + reindexing.embed_for_target()


def fill_in_sentences() -> int:
    """Embed memories by the bundled sentence model for a while, and return how many."""
    done, unfinished = sentences.fill_in_sentences(seconds=_SENTENCES_FOR)
    if unfinished:
        _queue_sentences()
    return done


def fill_in_owner(owner: str) -> int:
    """Embed the first of one owner's memories without a sentence vector, and return how many."""
    done, unfinished = sentences.fill_in_new(owner=UUID(owner))
    if unfinished:
        _queue_sentences()
    return done


def _queue_sentences() -> None:
    enqueue("memories.tasks.fill_in_sentences", unique_key="fill-in-sentences", timeout=180)


def renormalise() -> int:
    """Queue a renormalisation for every owner with memories of older rules, and return how many."""
    owners = renormalisation.list_owners_left()
    for owner in owners:
        _queue_renormalising(owner)
    return len(owners)


def renormalise_owner(owner: str) -> int:
    """Derive one owner's memories again, in parts short enough for one job. Return how many were read."""
    read = 0
    for count in renormalisation.renormalise_memories(owner=UUID(owner)):
        read += count
        if read >= _RENORMALISED_AT_ONCE:
            _queue_renormalising(UUID(owner))
            break
    return read


def _queue_renormalising(owner: UUID) -> None:
    unique_key = f"renormalise:{owner}"
    enqueue("memories.tasks.renormalise_owner", owner, owner=owner, unique_key=unique_key, timeout=300)


def reflect(run: str, owner: str) -> None:
    """Run the remaining steps of a requested reflection."""
    runs.run_reflection(UUID(run), owner=UUID(owner))


def reflect_by_the_clock(owner: str, kind: str) -> None:
    """Run one kind of reflection for one owner."""
    runs.run_scheduled(ReflectionKind(kind), owner=UUID(owner))


def reflect_on_episodes() -> int:
    """Queue the extraction of facts for every owner with ten unreflected episodes, and return how many."""
    return due.queue_reflections(ReflectionKind.FACTS, due.list_owners_with_episodes())


def look_for_patterns() -> int:
    """Queue the search for patterns for every owner with new memories since the last one. Return how many."""
    return due.queue_reflections(ReflectionKind.PATTERNS, due.list_owners_with_changes())


def learn_from_given(given: str, owner: str) -> int:
    """Learn from messages that a program gave without a thread, and return the number of candidates."""
    return learning.learn_from_given(UUID(given), owner=UUID(owner))


def let_go() -> dict[str, int]:
    """Run the nightly pass: end expired memories, forget or weaken faded ones. Return the counts."""
    return nightly.run_nightly()


def cap_episodes() -> int:
    """Forget the oldest episodes of recently active owners that are over the cap, and return how many."""
    return cap.enforce_all_caps(since=timezone.now() - cap.LATELY)


def purge_forgotten() -> int:
    """Erase what was forgotten a year ago, and return the number of rows."""
    return purge.purge_forgotten()


def scrub(at_night: bool = False) -> list[str]:  # noqa: FBT001, FBT002 - a job's argument
    """Remove the bytes of erased rows from the data files, and return the tables that were rewritten."""
    return scrubbing.scrub_tables(at_night=at_night)


def report_all() -> int:
    """Queue the day's reports for every owner, and return how many."""
    day = today()
    owners = site.owners_to_report()
    for owner in owners:
        report_requests.queue_reports(day, owner=owner)
    return len(owners)


def report(owner: str, day: str) -> float | None:
    """Make one owner's reports of a day. Return the score, or None while their memory is off."""
    return report_making.make_reports(date.fromisoformat(day), owner=UUID(owner))


def report_site() -> float | None:
    """Delete old reports and make the site's report of today. Return the mean score."""
    site.prune(today())
    return site.make_site(today()).score


def judge_near(owner: str) -> dict[str, int | bool]:
    """Ask the model which similar memories of one owner are one.

    Returns:
        `united`, the number of pairs that became one, and `stopped`, whether models reached the number of
            memories that they may retire in a day.
    """
    model = get_chat_model("fast", owner=UUID(owner), purpose=ModelPurpose.COMPARISON)
    if model is None:
        return {"united": 0, "stopped": False}
    judged = similar_pairs.judge_similar_pairs(model, owner=UUID(owner))
    if judged.error:
        raise ModelError(judged.error)
    if judged.is_unfinished and not judged.stopped:
        enqueue("memories.tasks.judge_near", owner, owner=UUID(owner), unique_key=f"judge:{owner}")
    return {"united": judged.united, "stopped": judged.stopped}
