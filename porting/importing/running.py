"""Do an import in parts. Each part is one transaction that also moves the import's counter forward.

So a job that is killed and run again writes nothing twice and leaves nothing out. The ids of threads and the
sources of memories depend on the imported items alone, so that a second import of the same adds nothing.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memsite.errors import MemsiteError
from memsite.jobs import LeaseBusy, LeaseLost, check_lease, hold_lease
from porting.conf import (
    CHARACTERS_AT_ONCE,
    LEASE_SECONDS,
    MEMORIES_AT_ONCE,
    MESSAGES_AT_ONCE,
    MOST_WARNINGS,
    RECORDS_AT_ONCE,
    TURN_SECONDS,
)
from porting.importing.begin import queue_job
from porting.importing.files import StoredFiles, remove_files
from porting.importing.parts import Part, Progress, write_part
from porting.models import Import, ImportStatus
from porting.reading import list_items, recognise
from porting.values import Format, Item, MemoryItem, RecordItem, ThreadItem

_ERROR: Final = 500  # characters


class _Stopped(Exception):
    """The person cancelled the import."""


def run_import(import_id: UUID, *, owner: UUID) -> str:
    """Work on an import for 40 seconds at most, then queue the rest. Return its status.

    Raises:
        LeaseBusy: If another job works on an import of this owner.
    """
    with hold_lease(f"import:{owner}", LEASE_SECONDS) as token:
        underway = Import.objects.filter(owner_id=owner, pk=import_id)
        changed = underway.filter(status__in=[ImportStatus.QUEUED, ImportStatus.RUNNING])
        if not changed.update(status=ImportStatus.RUNNING):
            return "ended"
        row = underway.get()
        try:
            is_done = _work(row, token)
        except _Stopped:
            return str(ImportStatus.CANCELLED)
        except (LeaseBusy, LeaseLost):
            raise  # the job is tried again
        except MemsiteError as error:
            if error.status >= 500:  # noqa: PLR2004 - of the site, not of the file: the job is tried again
                raise
            _end(row, ImportStatus.FAILED, error.message)
            return str(row.status)
        if is_done:
            _end(row, ImportStatus.DONE)
        else:
            with transaction.atomic():
                queue_job(row)
                row.save(update_fields=["job_id"])
        return str(row.status)


def _work(row: Import, token: UUID) -> bool:
    """Write parts until the time is over. Return whether all are written."""
    until = None
    with StoredFiles(row.pk, tuple(row.files)).open() as documents:
        found = recognise(documents, Format(row.format))
        items = chain.from_iterable(map(list_items, found))
        for part in group_items(islice(items, row.done, None)):

            def finish(progress: Progress, part: Part = part) -> None:
                check_lease(token)
                _move_on(row, part, progress)

            # Passing over what is written takes its time, too: a turn always writes for a while.
            until = until or time.monotonic() + TURN_SECONDS
            write_part(part, row, finish)
            if time.monotonic() > until and row.done < row.total:
                return False
    return True


def group_items(items: Iterable[Item]) -> Iterator[Part]:
    """Yield items in parts of one sort each, small enough for one transaction."""
    part = Part("")
    weight = 0.0
    for item in items:
        sort, share = _weigh(item)
        if part.items and (sort != part.sort or weight + share > 1.0):
            yield part
            part, weight = Part(sort), 0.0
        part.sort = sort
        part.items.append(item)
        weight += share
    if part.items:
        yield part


def _weigh(item: Item) -> tuple[str, float]:
    """Return what an item is written as, and its share of a transaction."""
    if isinstance(item, MemoryItem):
        return ("stated" if item.is_stated else "inferred"), 1 / MEMORIES_AT_ONCE
    if isinstance(item, ThreadItem):
        return "thread", _weigh_texts([one.content for one in item.messages])
    if isinstance(item, RecordItem):
        size = _weigh_texts(_list_contents(item)) if item.kind == "thread" else 0.0
        return f"own {item.kind}", size or 1 / RECORDS_AT_ONCE
    return "problem", 1 / RECORDS_AT_ONCE


def _weigh_texts(contents: Sequence[str]) -> float:
    """Return the share of messages: by their number, or by their length if that is more."""
    return max(len(contents) / MESSAGES_AT_ONCE, sum(map(len, contents)) / CHARACTERS_AT_ONCE)


def _list_contents(item: RecordItem) -> list[str]:
    messages = item.data.get("messages")
    rows = [one for one in messages if isinstance(one, Mapping)] if isinstance(messages, list) else []
    return [str(one.get("content") or "") for one in rows]


def _move_on(row: Import, part: Part, progress: Progress) -> None:
    """Store that a part is written, in its transaction.

    Raises:
        _Stopped: If the import was cancelled; the transaction is then rolled back.
    """
    row.done += len(part.items)
    row.counts = dict(Counter(row.counts) + Counter(progress.counts))
    listed = {(one["where"], one["why"]) for one in row.warnings}
    new = [{"where": where, "why": why} for where, why in progress.warnings if (where, why) not in listed]
    row.warnings = [*row.warnings, *new][:MOST_WARNINGS]
    values = {"done": row.done, "counts": row.counts, "warnings": row.warnings}
    running = Import.objects.filter(owner_id=row.owner_id, pk=row.pk, status=ImportStatus.RUNNING)
    if not running.update(**values):
        raise _Stopped


def _end(row: Import, status: ImportStatus, error: str = "") -> None:
    row.status, row.error, row.finished_at = status, error[:_ERROR], timezone.now()
    row.save(update_fields=["status", "error", "finished_at"])
    remove_files(row.pk)
