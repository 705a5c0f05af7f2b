"""Write one part of an import: items of one sort, in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, cast
from uuid import UUID

from django.db import DataError, IntegrityError, transaction
from pydantic import ValidationError

from memories.curation.porting import (
    LinkRecord,
    MemoryRecord,
    WrittenRecords,
    write_link_records,
    write_memory_records,
)
from memories.extraction import extract_by_rules
from memories.values import Action, Candidate
from memories.writing import WriteResult, write_candidates
from memsite.accounts.models import Preferences
from memsite.accounts.preferences import get_preferences, set_preferences
from memsite.values import derive_id, parse_id
from porting.formats import read_list, read_text
from porting.importing.items import find_reason_to_refuse, make_candidate, make_thread, make_utterances
from porting.importing.own_threads import OwnThread, Rename, make_own_thread
from porting.importing.recorded import match_recorded_thread
from porting.models import Import, ImportedThread
from porting.values import Item, Learn, MemoryItem, ProblemItem, RecordItem, ThreadItem
from threads.messages import (
    GivenThread,
    find_message_ids,
    find_thread_ids,
    restore_thread,
)

ACTOR: Final = "import"
_WHERE: Final = 80  # characters
_MESSAGE: Final = "message:"
#: Choices that are restored. The import itself needs the memory, which stays on.
_SWITCHES: Final = ("auto_extract", "citations_on")
_KINDS: Final = ("kept_kinds", "refused_kinds")
_MOST_KINDS: Final = 20


@dataclass(slots=True)
class Part:
    """Items of one sort: `stated`, `inferred`, `thread`, `problem`, or `own …` for records of our own."""

    sort: str
    items: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class Progress:
    """The result of a part: counts by name, and (where, why) of each item that was left out."""

    counts: Counter[str] = field(default_factory=Counter)
    warnings: list[tuple[str, str]] = field(default_factory=list)

    def refuse(self, where: str, why: str) -> None:
        """Count an item that is left out."""
        self.counts["refused"] += 1
        self.warnings.append((where[:_WHERE], why))


#: Called last in the transaction of a part.
Finish = Callable[[Progress], None]


def write_part(part: Part, row: Import, finish: Finish) -> None:
    """Write the items of a part in one transaction, whose last step is `finish`."""
    items: Any = part.items
    if part.sort in ("stated", "inferred"):
        _write_memories(items, row, finish, pending=part.sort == "inferred")
    elif part.sort == "thread":
        _write_threads(items, row, finish)
    elif part.sort == "own memory":
        _write_own_memories(items, row, finish)
    elif part.sort == "own link":
        _write_own_links(items, row, finish)
    elif part.sort == "own thread":
        _write_own_threads(items, row, finish)
    else:
        _write_others(part.items, row, finish)


def _write_memories(items: Sequence[MemoryItem], row: Import, finish: Finish, *, pending: bool) -> None:
    candidates = [make_candidate(one, row.format) for one in items]

    def end(written: WriteResult) -> None:
        progress = Progress()
        for place, outcome in enumerate(written.outcomes, start=row.done + 1):
            if outcome.action == Action.REFUSED:
                progress.refuse(f"item {place}", outcome.reason)
            else:
                progress.counts[_name_count(outcome.action)] += 1
        finish(progress)

    _write_candidates(candidates, row, end, pending=pending)


def _write_threads(items: Sequence[ThreadItem], row: Import, finish: Finish) -> None:
    if not row.options.get("threads", True):
        with transaction.atomic():
            finish(Progress(Counter(skipped=len(items))))
        return
    made = (make_thread(one, row.format, row.owner_id) for one in items)
    given = [match_recorded_thread(one, owner=row.owner_id) for one in made]
    candidates = _learn(given, row) if row.options.get("learn") == Learn.RULES else []

    def end(written: WriteResult | None) -> None:
        progress = Progress()
        if written is not None:
            progress.counts.update(_name_count(one.action) for one in written.outcomes)
        for one in given:
            _restore(one, row, progress)
        finish(progress)

    if candidates:
        pending = not get_preferences(row.owner_id).auto_extract
        _write_candidates(candidates, row, end, pending=pending)
    else:
        with transaction.atomic():
            end(None)


def _learn(given: Sequence[GivenThread], row: Import) -> list[Candidate]:
    """Return what the rules find in the person's own messages that are not stored yet."""
    found: list[Candidate] = []
    for thread in given:
        present = find_message_ids((one.id for one in thread.messages), owner=row.owner_id)
        for utterance in make_utterances(thread, present):
            found += extract_by_rules([utterance])
    return found


def _restore(given: GivenThread, row: Import, progress: Progress) -> None:
    try:
        with transaction.atomic():
            restored = restore_thread(given, owner=row.owner_id)
    except (DataError, IntegrityError):
        progress.refuse(given.title or "conversation", "the database refused it")
        return
    if not restored.added and not restored.is_new:
        progress.counts["skipped"] += 1
        return
    progress.counts["threads" if restored.is_new else "extended"] += 1
    progress.counts["messages"] += len(restored.added)
    ImportedThread.objects.create(
        owner_id=row.owner_id,
        source=row,
        thread_id=restored.thread_id,
        is_new=restored.is_new,
        message_ids=[str(one) for one in restored.added],
    )


def _write_own_memories(items: Sequence[RecordItem], row: Import, finish: Finish) -> None:
    progress = Progress()
    records = [
        cast("MemoryRecord", one) for one in _read_records(items, MemoryRecord.model_validate, progress)
    ]
    rename = _make_rename(
        threads=[ids for one in records if (ids := parse_id(one.session.partition(":")[0]))],
        messages=[
            found
            for one in records
            for source in one.sources
            if (found := parse_id(source.reference.removeprefix(_MESSAGE)))
        ],
        owner=row.owner_id,
    )

    def end(written: WrittenRecords) -> None:
        progress.counts.update({_name_count(name): count for name, count in written.counts.items()})
        for record, why in written.refused:
            progress.warnings.append((f"memory {record}", why))
        finish(progress)

    write_memory_records(
        records, owner=row.owner_id, actor=ACTOR, batch_id=row.batch_id, rename=rename, finish=end
    )


def _write_own_links(items: Sequence[RecordItem], row: Import, finish: Finish) -> None:
    progress = Progress()
    records = [cast("LinkRecord", one) for one in _read_records(items, LinkRecord.model_validate, progress)]

    def end(written: int) -> None:
        progress.counts["links"] += written
        finish(progress)

    write_link_records(records, owner=row.owner_id, actor=ACTOR, batch_id=row.batch_id, finish=end)


def _write_own_threads(items: Sequence[RecordItem], row: Import, finish: Finish) -> None:
    progress = Progress()
    threads = [cast("OwnThread", one) for one in _read_records(items, OwnThread.model_validate, progress)]
    if not row.options.get("threads", True):
        progress.counts["skipped"] += len(threads)
        threads = []
    messages = [message_id for one in threads for message_id in one.list_ids()]
    rename = _make_rename([one.thread.id for one in threads], messages, owner=row.owner_id)
    with transaction.atomic():
        for one in threads:
            _restore(make_own_thread(one, rename), row, progress)
        finish(progress)


def _write_others(items: Sequence[Item], row: Import, finish: Finish) -> None:
    """Count what is left out. Preferences apply to a person who never set any."""
    progress = Progress()
    with transaction.atomic():
        for item in items:
            if isinstance(item, ProblemItem):
                progress.refuse(item.where, item.why)
            elif isinstance(item, RecordItem) and item.kind == "preferences":
                _restore_preferences(item.data, row)
        finish(progress)


def _restore_preferences(data: Mapping[str, Any], row: Import) -> None:
    """Set the person's choices, and note them on the import, which takes them back if it is undone."""
    if Preferences.objects.filter(owner_id=row.owner_id).exists():
        return
    chosen: dict[str, Any] = {name: data[name] for name in _SWITCHES if isinstance(data.get(name), bool)}
    for name in _KINDS:
        chosen[name] = [one[:16] for one in read_list(data.get(name)) if isinstance(one, str)][:_MOST_KINDS]
    chosen["language"] = read_text(data.get("language"))[:16]
    set_preferences(row.owner_id, **chosen)
    row.options = {**row.options, "preferences": chosen}
    row.save(update_fields=["options"])


def _read_records(
    items: Sequence[RecordItem], read: Callable[[Any], object], progress: Progress
) -> list[object]:
    """Return the records that can be read, and count the others."""
    found: list[object] = []
    for item in items:
        try:
            found.append(read(item.data))
        except ValidationError:
            progress.refuse(f"{item.kind} {item.data.get('id', '')}".strip(), find_reason_to_refuse(item))
    return found


def _make_rename(threads: Iterable[UUID], messages: Iterable[UUID], *, owner: UUID) -> Rename:
    """Return a function from an id of the export to the id here: the same where the owner has such a row."""
    own = find_thread_ids(threads, owner=owner) | find_message_ids(messages, owner=owner)
    return lambda given: given if given in own else derive_id(given, owner)


def _write_candidates(
    candidates: Sequence[Candidate], row: Import, end: Callable[[WriteResult], None], *, pending: bool
) -> None:
    write = partial(write_candidates, candidates, owner=row.owner_id, actor=ACTOR, pending=pending)
    write(batch_id=row.batch_id, finish=end)


def _name_count(action: str) -> str:
    """Return the name under which an action is counted: what was there already is skipped."""
    return "skipped" if action == Action.KNOWN else str(action)
