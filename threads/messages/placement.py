"""Place new messages in a thread: parent, depth and session, and whether they are learnt from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef
from django.utils import timezone

from memories.gate import redact_text
from memsite.values import MessageRole
from threads.compaction import add_to_metrics, add_to_total, load_settings, offload_tool_results
from threads.conf import MADE_TITLE_CHARACTERS, SESSION_SILENCE
from threads.messages.incoming import NewMessage
from threads.models import Branch, Line, Message, Offload, Thread
from threads.storage import compute_content_key

_SPOKEN_ROLES: Final = frozenset({MessageRole.USER, MessageRole.ASSISTANT})
_ELLIPSIS: Final = "…"
_STORED_AT_ONCE: Final = 200
_READ_FOR_A_TITLE: Final = 1_000  # characters; text after the title can reveal that the title is a secret


def place_messages(
    thread: Thread, new: Sequence[tuple[NewMessage, int]], *, is_learnt: bool
) -> list[Message]:
    """Return unsaved rows for messages that follow the head of the current branch.

    Messages of one batch are a microsecond apart unless they have times of their own.

    Args:
        new: Messages with their token counts.
        is_learnt: Whether long-term memory is to learn from them. It never learns from system messages, tool
            messages and messages marked `do_not_remember`.
    """
    branch = _branch(thread)
    if thread.last_message_at is not None:  # before its first message, a thread has nothing to fork from
        _fork_if_taken(branch)
    previous, now = branch.head, timezone.now()
    rows: list[Message] = []
    for step, (message, tokens) in enumerate(new):
        created_at = message.created_at or now + timedelta(microseconds=step)
        row = Message(
            owner_id=thread.owner_id,
            thread=thread,
            line_id=branch.line_id,
            parent=previous,
            depth=previous.depth + 1 if previous else 0,
            role=message.role,
            content=message.content or "",
            tool_calls=message.calls_json(),
            tool_call_id=message.tool_call_id or "",
            state=message.state,
            session_number=_session(previous, created_at),
            token_count=tokens,
            content_key=compute_content_key(
                message.role,
                message.content or "",
                tool_calls=message.calls_json(),
                tool_call_id=message.tool_call_id or "",
                state=message.state,
            ),
            client_id=message.client_id,
            do_not_remember=message.do_not_remember,
            unsummarised=previous.unsummarised + 1 if previous else 1,
            unsummarised_tokens=previous.unsummarised_tokens + tokens if previous else tokens,
            learnt_at=None if is_learnt and is_learnable(message) else now,
            created_at=created_at,
        )
        rows.append(row)
        previous = row
    return rows


def store_messages(thread: Thread, rows: Sequence[Message]) -> None:
    """Store placed rows, and update the branch's head and the thread's times and title."""
    if not thread.title_is_given and not thread.title:
        thread.title = make_title(rows)
    _insert(thread, rows)
    branch = _branch(thread)
    branch.head = rows[-1]
    branch.live_tokens = add_to_total(branch, sum(row.token_count for row in rows))
    branch.save(update_fields=["head", "line", "live_tokens"])
    thread.updated_at = timezone.now()
    thread.last_message_at = rows[-1].created_at
    thread.closed_at = None
    thread.save(update_fields=["updated_at", "last_message_at", "closed_at", "title"])


def _insert(thread: Thread, rows: Sequence[Message]) -> None:
    """Store the rows. A single tool result that is too long is offloaded at once."""
    settings = load_settings(thread)
    offloads = offload_tool_results(rows, settings.tool_result_tokens) if settings.is_on else []
    Message.objects.bulk_create(rows, batch_size=_STORED_AT_ONCE)
    if offloads:
        Offload.objects.bulk_create(offloads)
        saved = sum(one.token_count - one.message.token_count for one in offloads)
        add_to_metrics(thread, offloaded=len(offloads), tokens_saved=saved)


def make_title(messages: Sequence[Message]) -> str:
    """Return a title: the first line of the first user message, else of the first message, redacted.

    Titles are shown in lists and in the admin's search, where nobody expects a secret. At most 80 characters.
    Messages that are not to be remembered give none.
    """
    texts = [
        row.content
        for row in sorted(messages, key=lambda row: row.role != MessageRole.USER)
        if row.content.strip() and not row.do_not_remember
    ]
    opening = redact_text(texts[0][:_READ_FOR_A_TITLE]).text.strip() if texts else ""
    line = " ".join(opening.splitlines()[0].split()) if opening else ""
    if len(line) <= MADE_TITLE_CHARACTERS:
        return line
    cut = line[: MADE_TITLE_CHARACTERS - 1]
    words = cut.rpartition(" ")[0]
    return (words if len(words) > MADE_TITLE_CHARACTERS // 2 else cut).rstrip() + _ELLIPSIS


def is_learnable(message: NewMessage | Message) -> bool:
    """Return whether long-term memory can learn from a message."""
    content = (message.content or "").strip()
    return message.role in _SPOKEN_ROLES and bool(content) and not message.do_not_remember


def _fork_if_taken(branch: Branch) -> None:
    """Put the branch on a new line if other messages already follow its head. One query.

    A line that forked from this one at a greater depth counts too: its path would include the new messages.
    """
    depth = branch.head.depth if branch.head is not None else -1
    owner, thread = branch.owner_id, branch.thread_id
    deeper = Message.objects.filter(owner_id=owner, thread_id=thread, line_id=OuterRef("pk"), depth__gt=depth)
    left = Line.objects.filter(
        owner_id=owner, thread_id=thread, origin_id=OuterRef("pk"), fork_depth__gt=depth
    )
    taken = Exists(deeper) | Exists(left)
    if Line.objects.filter(taken, owner_id=owner, thread_id=thread, pk=branch.line_id).exists():
        origin = branch.line if branch.head is not None else None
        branch.line = Line(owner_id=owner, thread_id=thread, origin=origin, fork_depth=depth)
        branch.line.save(force_insert=True)


def _session(previous: Message | None, created_at: datetime) -> int:
    if previous is None:
        return 1
    silent = created_at - previous.created_at >= SESSION_SILENCE
    return previous.session_number + int(silent)


def _branch(thread: Thread) -> Branch:
    branch: Branch | None = thread.current_branch
    if branch is None:
        raise RuntimeError("a thread has a current branch from its beginning")
    return branch
