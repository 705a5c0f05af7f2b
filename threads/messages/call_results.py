"""Find the messages that answer tool calls, on every line that continues from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from uuid import UUID

from django.db.models import Q

from memsite.values import MessageRole
from threads.models import Line, Message, Thread
from threads.storage import build_path, load_lines


def list_tool_results(thread: Thread, message_ids: Collection[UUID]) -> list[Message]:
    """Return the results of these messages' tool calls.

    Each result answers the nearest call before it with the same id. One query if none of the messages makes a
    call, else three.
    """
    mine = Message.objects.filter(owner_id=thread.owner_id, thread=thread)
    if not mine.filter(pk__in=message_ids, tool_calls__isnull=False).exists():
        return []
    rows = mine.filter(Q(tool_calls__isnull=False) | Q(role=MessageRole.TOOL)).order_by("-depth")
    columns = ("id", "owner", "thread", "parent", "line", "depth", "role", "tool_call_id", "tool_calls")
    found = list(rows.only(*columns))
    lines = load_lines(thread.pk, owner=thread.owner_id)
    calls = _by_call_id(found)
    answers = (
        (row, _find_call(row, calls.get(row.tool_call_id, ()), lines)) for row in found if row.tool_call_id
    )
    return [row for row, call in answers if call is not None and call.pk in message_ids]


def _by_call_id(rows: Iterable[Message]) -> dict[str, list[Message]]:
    calls: dict[str, list[Message]] = {}
    for row in rows:
        for call in row.tool_calls or []:
            calls.setdefault(call["id"], []).append(row)
    return calls


def _find_call(result: Message, calls: Iterable[Message], lines: Mapping[UUID, Line]) -> Message | None:
    """Return the nearest of these calls, deepest first, that is on the path to a result."""
    path = build_path(lines, result.line_id, result.depth, thread_id=result.thread_id)
    through = {segment.line_id: segment.through for segment in path.segments}
    return next((call for call in calls if call.depth <= through.get(call.line_id, -1)), None)
