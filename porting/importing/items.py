"""Turn what parsers found into what memories and threads store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, Final
from uuid import UUID

from django.utils import timezone
from pydantic import ValidationError

from memories.curation.porting import LinkRecord, MemoryRecord
from memories.gate import redact_text
from memories.values import Candidate, Layer, Utterance, Writer
from memsite.values import MessageRole
from porting.conf import INFERRED_CONFIDENCE, LONGEST_LEARNT, STATED_CONFIDENCE
from porting.importing.own_threads import OwnThread
from porting.values import MemoryItem, MessageItem, RecordItem, ThreadItem
from threads.messages import GivenBranch, GivenNode, GivenThread

_MAIN: Final = "main"
_TITLE: Final = 200  # characters of a title
_CONTENT: Final = 1_000_000  # characters of a message
_CLIENT_ID: Final = 255  # characters of a program's id of a message
_CUT: Final = "\n[cut]"
_EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)

#: Checks a record; raises ValidationError.
_CHECKS: Final[Mapping[str, Callable[[Mapping[str, Any]], object]]] = {
    "memory": MemoryRecord.model_validate,
    "link": LinkRecord.model_validate,
    "thread": OwnThread.model_validate,
}


def make_candidate(item: MemoryItem, format_name: str) -> Candidate:
    """Return a memory of another product as a candidate of the write path.

    What the person stated is as certain as any statement of theirs; what a model concluded is less so.
    """
    return Candidate(
        content=item.content,
        layer=Layer.SEMANTIC,
        kind=item.kind,
        category=item.category,
        tags=item.tags,
        subject=item.subject,
        predicate=item.predicate,
        object=item.object,
        confidence=STATED_CONFIDENCE if item.is_stated else INFERRED_CONFIDENCE,
        occurred_at=_not_in_future(item.at),
        sources=(item.key,),
        written_by=Writer.IMPORT,
        metadata={"imported_from": str(format_name)},
    )


def make_thread_id(item: ThreadItem, owner: UUID) -> UUID:
    """Return the id of a conversation of another product: always the same, and of no other owner."""
    return make_import_id(item.created_at, item.key, owner)


def make_import_id(at: datetime | None, key: str, owner: UUID) -> UUID:
    """Return the UUIDv7 for something that an owner imports, by when it was created and its key."""
    moment = _not_in_future(at) or _EPOCH
    digest = int.from_bytes(blake2b(key.encode() + owner.bytes, digest_size=10).digest())
    random = digest >> 68 & 0xFFF, digest & (1 << 62) - 1
    return UUID(int=int(moment.timestamp() * 1000) << 80 | 0x7 << 76 | random[0] << 64 | 2 << 62 | random[1])


def make_thread(item: ThreadItem, format_name: str, owner: UUID) -> GivenThread:
    """Return a conversation of another product: the branch `main`, and unnamed ones for its other ends."""
    thread_id = make_thread_id(item, owner)
    begin = _not_in_future(item.created_at or next((one.at for one in item.messages if one.at), None))
    begin = begin or timezone.now()
    ids = {one.key: make_import_id(one.at or begin, f"{thread_id}:{one.key}", owner) for one in item.messages}
    times = _fill_times(item.messages, begin)
    end = max(times.values(), default=begin)
    head = item.head if item.head in ids else _find_newest(item.messages, times)
    title = redact_text(" ".join(item.title.split())).text[:_TITLE]
    return GivenThread(
        id=thread_id,
        title=title,
        created_at=begin,
        updated_at=max(end, _not_in_future(item.updated_at) or end),
        messages=[
            GivenNode(
                id=ids[one.key],
                parent=ids.get(one.parent),
                role=one.role,
                content=_cut(one.content),
                created_at=times[one.key],
                client_id=one.key if item.external_id and _is_client_id(one.key) else None,
            )
            for one in item.messages
        ],
        branches=[
            GivenBranch(_MAIN if key == head else None, ids[key], begin, is_current=key == head)
            for key in _list_ends(item.messages, head)
        ],
        values={
            "title_is_given": bool(title),
            "external_id": item.external_id or None,
            "metadata": {"imported_from": str(format_name), "source": item.key, **item.facts},
            "last_message_at": end,
        },
    )


def make_utterances(thread: GivenThread, present: Iterable[UUID]) -> list[Utterance]:
    """Return the person's own messages that are not stored yet, as extraction reads them."""
    present_ids = set(present)
    return [
        Utterance(
            reference=f"message:{one.id}",
            role=MessageRole.USER,
            content=redact_text(one.content[:LONGEST_LEARNT]).text,
            at=one.created_at,
            session=f"{thread.id}:1",
        )
        for one in thread.messages
        if one.role == MessageRole.USER and one.id not in present_ids
    ]


def find_reason_to_refuse(item: RecordItem) -> str:
    """Return why a record of Memsite's own export cannot be read; "" if it can."""
    check = _CHECKS.get(item.kind)
    if check is None:
        return ""
    try:
        check(item.data)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        return f"{place}: {first['msg']}" if place else str(first["msg"])
    return ""


def _is_client_id(key: str) -> bool:
    return 0 < len(key) <= _CLIENT_ID and key.isprintable()


def _cut(content: str) -> str:
    """Return a message of at most a million characters; a mark at the end says that it was cut."""
    return content if len(content) <= _CONTENT else content[: _CONTENT - len(_CUT)] + _CUT


def _find_newest(messages: tuple[MessageItem, ...], times: Mapping[str, datetime]) -> str:
    parents = {one.parent for one in messages}
    ends = [one.key for one in messages if one.key not in parents]
    return max(ends, key=lambda key: times[key], default="")


def _list_ends(messages: tuple[MessageItem, ...], head: str) -> list[str]:
    """Return the messages that nothing follows, and the head, which comes first."""
    parents = {one.parent for one in messages}
    ends = [one.key for one in messages if one.key not in parents and one.key != head]
    return [head, *ends] if head else ends


def _fill_times(messages: tuple[MessageItem, ...], begin: datetime) -> dict[str, datetime]:
    """Return a time for each message: its own, else that of the one before it in the file."""
    times: dict[str, datetime] = {}
    last = begin
    for one in messages:
        last = _not_in_future(one.at) or last
        times[one.key] = last
    return times


def _not_in_future(moment: datetime | None) -> datetime | None:
    return None if moment is None else min(moment, timezone.now())
