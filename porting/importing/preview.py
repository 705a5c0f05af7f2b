"""Look at what files hold, without writing anything: counts, examples, and what will be left out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.utils import timezone

from memories.gate import redact_text
from memories.storage import learnt_by_reference
from memories.writing import drafting
from memsite.errors import InvalidInput, TooLarge
from porting.conf import EXAMPLES, MEMORIES_AT_ONCE, MOST_THREADS, MOST_WARNINGS
from porting.importing.items import find_reason_to_refuse, make_candidate, make_thread_id
from porting.importing.recorded import find_external_ids
from porting.reading import Document, list_items, recognise
from porting.values import Format, Item, MemoryItem, ProblemItem, RecordItem, ThreadItem
from threads.messages import find_thread_ids

_EXAMPLE: Final = 200  # characters
_CHARACTERS_A_TOKEN: Final = 4


@dataclass(slots=True)
class Preview:
    """The content of files, in numbers and examples.

    Attributes:
        total: Number of items in the files, in their order.
        threads: Number of conversations; `messages`: of messages in them.
        stated: Number of memories that the person stated; `inferred`: that a model concluded, which wait for
            the person's approval.
        records: Number of Memsite's own records, by kind.
        present: Number of conversations and memories that an earlier import of the same brought, and of
            conversations that the program itself recorded.
        refused: Number of memories that the gate will refuse, by reason.
        examples: [{"kind", "text"}], the first ones.
        tokens: Estimated tokens of the conversations.
        earliest: When the first of all was said, if known; `latest`: the last.
    """

    format: Format
    total: int = 0
    threads: int = 0
    messages: int = 0
    stated: int = 0
    inferred: int = 0
    present: int = 0
    problems: int = 0
    characters: int = 0
    earliest: datetime | None = None
    latest: datetime | None = None
    records: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    examples: list[dict[str, str]] = field(default_factory=list)
    warnings: list[dict[str, str]] = field(default_factory=list)

    @property
    def memories(self) -> int:
        """Number of memories, of whatever origin."""
        return self.stated + self.inferred + self.records["memory"]

    def as_json(self) -> dict[str, Any]:
        """Return the preview as the API and the page show it."""
        return {
            "format": str(self.format),
            "total": self.total,
            "threads": self.threads,
            "messages": self.messages,
            "memories": self.memories,
            "pending": self.inferred,
            "present": self.present,
            "refused": sum(self.refused.values()),
            "reasons": dict(self.refused),
            "tokens": self.characters // _CHARACTERS_A_TOKEN,
            "earliest": _as_json(self.earliest),
            "latest": _as_json(self.latest),
            "examples": self.examples,
            "warnings": self.warnings,
        }


def preview_documents(documents: list[Document], wanted: Format, *, owner: UUID) -> Preview:
    """Read all files once and say what they hold.

    Raises:
        InvalidInput: If nothing in them can be imported, or a file is damaged.
        TooLarge: If they have too many conversations, or unpack to too much.
    """
    found = recognise(documents, wanted)
    preview = Preview(next(one.format for one in found if one.format != Format.AUTO))
    memories: list[MemoryItem] = []
    threads: list[tuple[UUID, str]] = []
    for one in found:
        for item in list_items(one):
            _count(item, preview)
            if isinstance(item, MemoryItem):
                memories.append(item)
            elif isinstance(item, ThreadItem):
                threads.append((make_thread_id(item, owner), item.external_id))
            if len(memories) >= MEMORIES_AT_ONCE:
                _check(memories, preview, owner=owner)
                memories = []
    _check(memories, preview, owner=owner)
    for start in range(0, len(threads), 1000):
        preview.present += _count_present(threads[start : start + 1000], owner=owner)
    if preview.total == preview.problems:
        first = preview.warnings[0]["why"] if preview.warnings else "it is empty"
        raise InvalidInput(f"There is nothing to import in it: {first}.", {"warnings": preview.warnings})
    return preview


def _count_present(threads: Sequence[tuple[UUID, str]], *, owner: UUID) -> int:
    """Return how many conversations an earlier import brought, or a program recorded. Two queries."""
    imported = find_thread_ids((thread_id for thread_id, _ in threads), owner=owner)
    recorded = find_external_ids((external_id for _, external_id in threads), owner=owner)
    return sum(thread_id in imported or external_id in recorded for thread_id, external_id in threads)


def _count(item: Item, preview: Preview) -> None:
    preview.total += 1
    if isinstance(item, ThreadItem):
        _count_thread(item, preview)
    elif isinstance(item, MemoryItem):
        preview.stated += item.is_stated
        preview.inferred += not item.is_stated
        _extend_period([item.at], preview)
        _add_example("memory", item.content, preview)
    elif isinstance(item, RecordItem):
        _count_record(item, preview)
    else:
        _warn(item, preview)
    if preview.threads > MOST_THREADS:
        raise TooLarge(f"An import may have {MOST_THREADS} conversations.")


def _count_thread(item: ThreadItem, preview: Preview) -> None:
    preview.threads += 1
    preview.messages += len(item.messages)
    preview.characters += sum(len(message.content) for message in item.messages)
    _extend_period([item.created_at, *(message.at for message in item.messages)], preview)
    _add_example("thread", item.title or item.messages[0].content, preview)


def _count_record(item: RecordItem, preview: Preview) -> None:
    reason = find_reason_to_refuse(item)
    if reason:
        _warn(ProblemItem(f"{item.kind} {item.data.get('id', '')}".strip(), reason), preview)
        return
    preview.records[item.kind] += 1
    if item.kind == "thread":
        messages = item.data.get("messages") or []
        preview.threads += 1
        preview.messages += len(messages)
        preview.characters += sum(len(str(message.get("content") or "")) for message in messages)
        _add_example("thread", str(item.data["thread"].get("title") or ""), preview)
    elif item.kind == "memory":
        _add_example("memory", str(item.data["content"]), preview)


def _warn(item: ProblemItem, preview: Preview) -> None:
    preview.problems += 1
    if len(preview.warnings) < MOST_WARNINGS:
        preview.warnings.append({"where": item.where, "why": item.why})


def _check(memories: list[MemoryItem], preview: Preview, *, owner: UUID) -> None:
    """Count what an earlier import brought, and what the gate will refuse."""
    present = {reference for reference, _ in learnt_by_reference([one.key for one in memories], owner=owner)}
    preview.present += len(present)
    candidates = [make_candidate(one, preview.format) for one in memories if one.key not in present]
    for draft in drafting.make_drafts(candidates, owner=owner, now=timezone.now()):
        if isinstance(draft, drafting.Refusal):
            preview.refused[draft.reason] += 1


def _add_example(kind: str, text: str, preview: Preview) -> None:
    if sum(one["kind"] == kind for one in preview.examples) < EXAMPLES and text.strip():
        preview.examples.append({"kind": kind, "text": redact_text(text[: 2 * _EXAMPLE]).text[:_EXAMPLE]})


def _extend_period(moments: Iterable[datetime | None], preview: Preview) -> None:
    for moment in moments:
        if moment is not None:
            preview.earliest = min(moment, preview.earliest or moment)
            preview.latest = max(moment, preview.latest or moment)


def _as_json(moment: datetime | None) -> str | None:
    return moment.isoformat().replace("+00:00", "Z") if moment is not None else None
