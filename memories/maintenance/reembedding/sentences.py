"""Fill in the vectors of the bundled sentence model beside the token vectors, a few at a time.

Whoever writes memories queues a job of their owner, which embeds a first batch of what is missing. The sweep
embeds the rest, and what a lost job left. What is missing is the only state, so a run that was killed
continues with the next. Facts come before episodes, and of each the newest first. In the sweep, owners take
turns, so that one with many memories delays nobody.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Final
from uuid import UUID

import structlog
from django.db import connection, transaction
from django.db.models import Case, Exists, IntegerField, OuterRef, QuerySet, Value, When

from memories.models import Ledger, Memory, SentenceVector
from memories.storage import lock_ledger
from memories.text import remove_frame
from memories.values import Layer, Status
from memsite.jobs import LeaseBusy, hold_lease
from memsite.llm.embedding import (
    SENTENCE_MODEL,
    Float32,
    SentenceEmbedder,
    get_sentence_embedder,
    quantise_vectors,
)
from memsite.serving.postgres import across_owners, acting_for

log = structlog.get_logger("memories")

#: Memories embedded by one call and written by one transaction. Each batch of an owner makes the next search
#: of every process load these rows; a batch takes one to three seconds.
BATCH: Final = 64
_LOCK: Final = "fill in sentence vectors"
#: Seconds that a batch takes at most, on a machine with much else to do.
_BATCH_SECONDS: Final = 60.0
#: Of other work that wants the processor: embedding runs at this priority, where 19 is the lowest.
_NICENESS: Final = 10
_EPISODES_LAST: Final = Case(
    When(layer=Layer.EPISODIC, then=Value(1)), default=Value(0), output_field=IntegerField()
)


def fill_in_sentences(*, seconds: float) -> tuple[int, bool]:
    """Embed memories of all owners that have no sentence vector, for about so many seconds.

    Returns:
        How many were embedded, and whether any may be left.
    """
    embedder = get_sentence_embedder()
    if embedder is None:
        return 0, False
    with _alone() as alone:
        return _fill_in_turns(embedder, time.monotonic() + seconds) if alone else (0, False)


def fill_in_new(*, owner: UUID) -> tuple[int, bool]:
    """Embed the memories of an owner that have no sentence vector, up to about one batch.

    What is written meanwhile is embedded, too.

    Returns:
        How many were embedded, and whether any may be left.

    Raises:
        LeaseBusy: If another run embeds memories of this owner.
    """
    embedder, done = get_sentence_embedder(), 0
    if embedder is None:
        return 0, False
    with _hold(owner):
        while count := fill_owner(embedder, owner=owner):
            done += count
            if done >= BATCH:
                return done, True
    return done, False


def _fill_in_turns(embedder: SentenceEmbedder, end: float) -> tuple[int, bool]:
    done, owners = 0, list_owners_without_sentences()
    while owners:
        for owner in list(owners):
            if time.monotonic() >= end:
                return done, True
            count = 0
            with suppress(LeaseBusy), _hold(owner):  # a job of this owner is at it
                count = fill_owner(embedder, owner=owner)
            done += count
            if count < BATCH:
                owners.remove(owner)
    return done, False


def _hold(owner: UUID) -> AbstractContextManager[UUID]:
    return hold_lease(f"sentences:{owner}", _BATCH_SECONDS)


@contextmanager
def _alone() -> Iterator[bool]:
    """Yield whether no other run is in progress; a second one would embed the same memories."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [_LOCK])
        alone = bool(cursor.fetchone()[0])
    try:
        yield alone
    finally:
        if alone:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [_LOCK])


def fill_in_for(*, owner: UUID) -> Iterator[int]:
    """Embed all of an owner's memories that have no sentence vector; yield the number of each batch."""
    embedder = get_sentence_embedder()
    while embedder is not None and (count := fill_owner(embedder, owner=owner)):
        yield count


def fill_owner(embedder: SentenceEmbedder, *, owner: UUID) -> int:
    """Embed the next batch of an owner's memories, and return how many there were."""
    with acting_for(owner):
        rows = list(list_without_sentence(owner=owner)[:BATCH])
        if rows:
            vectors = _embed_quietly(embedder, [remove_frame(row.content) for row in rows])
            _store(rows, vectors, owner=owner)
    return len(rows)


def list_without_sentence(*, owner: UUID) -> QuerySet[Memory]:
    """Return an owner's memories, except forgotten ones, without a sentence vector: those to embed first."""
    seen = SentenceVector.objects.filter(owner_id=owner, memory_id=OuterRef("id"), model=SENTENCE_MODEL)
    rows = Memory.objects.filter(~Exists(seen), owner_id=owner).exclude(status=Status.FORGOTTEN)
    return rows.order_by(_EPISODES_LAST, "-created_at", "id")


def count_sentences(*, owner: UUID) -> int:
    """Return the number of an owner's memories that have a vector of the bundled sentence model."""
    return SentenceVector.objects.filter(owner_id=owner, model=SENTENCE_MODEL).count()


@across_owners()
def list_owners_without_sentences() -> list[UUID]:
    """Return owners with memories that lack a sentence vector. Across owners: for the sweep only."""
    seen = SentenceVector.objects.filter(
        owner_id=OuterRef("owner_id"), memory_id=OuterRef("id"), model=SENTENCE_MODEL
    )
    rows = Memory.objects.filter(~Exists(seen)).exclude(status=Status.FORGOTTEN).order_by("owner_id")
    return list(rows.values_list("owner_id", flat=True).distinct())


def _store(rows: Sequence[Memory], vectors: Float32, *, owner: UUID) -> None:
    """Store vectors, replacing those of other models, and let searches see them."""
    packed = [vector.tobytes() for vector in quantise_vectors(vectors)]
    ids = [row.pk for row in rows]
    with transaction.atomic():
        if not Memory.objects.filter(owner_id=owner, id__in=ids).exists():
            return  # all were erased meanwhile, perhaps with their owner, who then has no ledger to lock
        version = lock_ledger(owner=owner).index_version + 1
        kept = set(Memory.objects.filter(owner_id=owner, id__in=ids).values_list("id", flat=True))
        SentenceVector.objects.filter(owner_id=owner, memory_id__in=ids).exclude(
            model=SENTENCE_MODEL
        ).delete()
        SentenceVector.objects.bulk_create(
            [
                SentenceVector(
                    owner_id=owner, memory_id=row.pk, model=SENTENCE_MODEL, version=version, vector=vector
                )
                for row, vector in zip(rows, packed, strict=True)
                if row.pk in kept  # some may have been erased meanwhile
            ],
            ignore_conflicts=True,
        )
        Ledger.objects.filter(owner_id=owner).update(index_version=version)


def _embed_quietly(embedder: SentenceEmbedder, texts: Sequence[str]) -> Float32:
    """Embed in a thread of low priority, so that searches on the same machine come first."""
    with ThreadPoolExecutor(1, "sentences", initializer=_lower_priority) as pool:
        return pool.submit(embedder.embed_passages, texts).result()


def _lower_priority() -> None:
    try:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
    except (OSError, AttributeError):  # another system: then it runs like everything else
        log.debug("priority not lowered")
