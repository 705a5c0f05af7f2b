"""Export a thread: as JSON, complete enough to be imported again, or as Markdown to be read.

Both are generated in pieces, one page of messages at a time. Messages appended meanwhile are left out, so
that every exported message's parent is exported as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from threads.compaction import load_whole_content
from threads.conf import EXPORT_PAGE
from threads.models import Branch, Message, TaskState, Thread, ThreadSummary
from threads.storage import branches_of, list_messages, load_path

FORMAT: Final = "memsite.thread"
VERSION: Final = 1
_THREAD: Final = (
    "id",
    "external_id",
    "title",
    "title_is_given",
    "system_prompt",
    "is_temporary",
    "metadata",
    "settings",
    "created_at",
    "updated_at",
    "last_message_at",
    "closed_at",
)
_MESSAGE: Final = (
    "id",
    "role",
    "tool_calls",
    "state",
    "token_count",
    "client_id",
    "do_not_remember",
    "created_at",
)
_SUMMARY: Final = (
    "id",
    "content",
    "structured",
    "token_count",
    "source",
    "error",
    "waiting",
    "is_provisional",
    "is_stale",
    "undone_at",
    "created_at",
    "updated_at",
)
_STATE: Final = (
    "current_goal",
    "completed_steps",
    "pending_steps",
    "key_findings",
    "written_by",
    "updated_at",
)
_PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")


def export_json(thread: Thread, branch: Branch | None = None, *, owner: UUID) -> Iterator[str]:
    """Yield the pieces of one JSON object with the whole thread, or one branch of it.

    Its last field is `"complete": true`; if that is missing, the export was interrupted. Offloaded content is
    exported in full.
    """
    rows = _messages(thread, branch, owner)
    branches = [branch] if branch is not None else branches_of(thread.pk, owner=owner)
    state = TaskState.objects.filter(owner_id=owner, thread_id=thread.pk).values(*_STATE).first()
    head = {
        "format": FORMAT,
        "version": VERSION,
        "exported_at": timezone.now(),
        "thread": {name: getattr(thread, name) for name in _THREAD},
        "branches": [_branch_json(one, thread) for one in branches],
        "task_state": state,
    }
    yield _json(head)[:-1]
    yield ', "summaries": ['
    yield from _listed(_summaries(thread, branch, owner))
    yield '], "messages": ['
    yield from _listed(_message_json(row, whole) for row, whole in _whole(rows, owner))
    yield '], "complete": true}\n'


def export_markdown(thread: Thread, branch: Branch | None = None, *, owner: UUID) -> Iterator[str]:
    """Yield the pieces of a Markdown transcript of a branch, by default the current one.

    Each text is in a code fence longer than any fence within it, so that it cannot imitate other parts of the
    transcript.
    """
    yield f"# {escape_markdown(thread.title) or 'Thread'}\n\n"
    yield f"Thread `{thread.pk}`, begun {_time(thread.created_at)}.\n"
    if thread.system_prompt:
        yield f"\n## System prompt\n\n{fence_markdown(thread.system_prompt)}\n"
    for row, whole in _whole(_messages(thread, branch or thread.current_branch, owner), owner):
        yield _section(row, whole)


def fence_markdown(text: str) -> str:
    """Return a text as a code block that nothing in the text can end."""
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def escape_markdown(text: str) -> str:
    """Return a text for one line of Markdown: markup escaped, invisible characters removed."""
    line = "".join(character for character in " ".join(text.split()) if character.isprintable())
    return _PUNCTUATION.sub(r"\\\1", line)


def _messages(thread: Thread, branch: Branch | None, owner: UUID) -> QuerySet[Message]:
    """Return the messages that exist now: of a branch, or of the whole thread."""
    if branch is not None:
        rows = list_messages(load_path(branch), owner=owner)
    else:
        rows = Message.objects.filter(owner_id=owner, thread_id=thread.pk)
    newest = rows.order_by("-id").values_list("id", flat=True).first()
    return rows.filter(id__lte=newest) if newest is not None else rows.none()


def _whole(rows: QuerySet[Message], owner: UUID) -> Iterator[tuple[Message, str]]:
    """Yield each message, parents first, and its original content.

    One query per page, two if a message is offloaded.
    """
    after = Q()
    while page := list(rows.filter(after).order_by("depth", "id")[:EXPORT_PAGE]):
        whole = load_whole_content(page, owner=owner)
        yield from ((row, whole[row.pk]) for row in page)
        after = Q(depth__gt=page[-1].depth) | Q(depth=page[-1].depth, id__gt=page[-1].pk)


def _summaries(thread: Thread, branch: Branch | None, owner: UUID) -> Iterator[dict[str, Any]]:
    on_path = load_path(branch).condition("last_message__") if branch is not None else Q()
    rows = ThreadSummary.objects.filter(on_path, owner_id=owner, thread_id=thread.pk)
    found = rows.order_by("id").values("last_message_id", *_SUMMARY)
    page = list(found[:EXPORT_PAGE])  # no server-side cursor: each page may be read on another connection
    while page:
        yield from page
        page = list(found.filter(id__gt=page[-1]["id"])[:EXPORT_PAGE])


def _branch_json(branch: Branch, thread: Thread) -> dict[str, Any]:
    return {
        "id": branch.pk,
        "name": branch.name,
        "head": branch.head.pk if branch.head is not None else None,
        "is_current": thread.current_branch is not None and branch.pk == thread.current_branch.pk,
        "created_at": branch.created_at,
    }


def _message_json(row: Message, whole: str) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _MESSAGE} | {
        "parent": row.parent_id,
        "content": whole,
        "tool_call_id": row.tool_call_id or None,
        "is_compacted": row.is_compacted,
    }


def _section(row: Message, whole: str) -> str:
    answers = f" to {escape_markdown(row.tool_call_id)}" if row.tool_call_id else ""
    parts = [f"\n## {row.role.capitalize()}{answers}, {_time(row.created_at)}\n"]
    if whole:
        parts.append(fence_markdown(whole))
    if row.tool_calls:
        calls = json.dumps(row.tool_calls, ensure_ascii=False, indent=2)
        parts.append(f"Calls:\n\n{fence_markdown(calls)}")
    return "\n".join(parts) + "\n"


def _listed(items: Iterable[dict[str, Any]]) -> Iterator[str]:
    for place, item in enumerate(items):
        yield (",\n" if place else "\n") + _json(item)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain_value)


def _plain_value(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no place in an export")


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
