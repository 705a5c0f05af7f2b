"""The messages of a thread for a client that does not send them, and the responses that are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from memsite.errors import NotFound
from memsite.values import MessageRole
from threads.compaction import load_whole_content
from threads.completions.history import read_turns
from threads.completions.responses.items import ItemId, parse_item_id
from threads.completions.values import AlignedHistory, Placement
from threads.context import render_summary
from threads.models import Message, Reply, Thread
from threads.prompt import fence_summary, new_mark, pair_tool_results
from threads.storage import get_message, get_thread, limit_messages, list_messages, load_path_to
from threads.summarization import load_nearest_summary

#: For how long a response can be loaded. It can be continued as long as its thread is there.
KEPT: Final = timedelta(days=30)
#: Part of the model's window that the messages of a thread may take; a summary replaces earlier ones.
_SHARE: Final = 0.6
_ASKING: Final = (MessageRole.USER, MessageRole.TOOL)

ChatMessage = dict[str, Any]


def find_reply(response: str, *, owner: UUID, kept: timedelta | None = KEPT) -> Reply:
    """Return the reply of a response, with its answer.

    Args:
        kept: How old it may be; None for any age.

    Raises:
        NotFound: If the owner has no such response, or none any more.
    """
    identifier = parse_item_id(response)
    rows = Reply.objects.filter(owner_id=owner)
    if kept is not None:
        rows = rows.filter(created_at__gte=timezone.now() - kept)
    found = None
    if identifier is not None and identifier.kind == "resp":
        found = rows.select_related("answer", "question", "thread").filter(pk=identifier.row).first()
    if found is None:
        raise NotFound(f"There is no response {response!r}.")
    return found


def find_conversation(conversation: str, *, owner: UUID) -> Thread:
    """Return the thread of a conversation.

    Raises:
        NotFound: If the owner has no such conversation.
    """
    identifier = parse_item_id(conversation)
    if identifier is None or identifier.kind != "conv":
        raise NotFound(f"There is no conversation {conversation!r}.")
    return get_thread(identifier.row, owner=owner)


def find_item(item: str, *, owner: UUID, thread: Thread | None = None) -> tuple[ItemId, Message]:
    """Return the message of an item, which is named by the id of the message or of its reply.

    Raises:
        NotFound: If the owner, or the thread, has no such item.
    """
    identifier = parse_item_id(item)
    message = None
    if identifier is not None:
        rows = Message.objects.filter(owner_id=owner)
        rows = rows if thread is None else rows.filter(thread=thread)
        message = rows.filter(pk=identifier.row).first()
        if message is None:
            replies = Reply.objects.filter(owner_id=owner, pk=identifier.row, answer__in=rows)
            message = rows.filter(pk__in=replies.values("answer")).first()
    if identifier is None or message is None:
        raise NotFound(f"There is no item {item!r}.")
    return identifier, message


def resolve_item(item: str, *, owner: UUID) -> Sequence[ChatMessage]:
    """Return the message that an `item_reference` refers to: one tool call of it, or its text."""
    identifier, row = find_item(item, owner=owner)
    message = render_chat_messages([row], owner=owner)[0]
    if identifier.kind == "fc" and identifier.place is not None:
        calls = (message.get("tool_calls") or [])[identifier.place : identifier.place + 1]
        return [{"role": message["role"], "content": None, "tool_calls": calls}] if calls else ()
    return [{name: value for name, value in message.items() if name != "tool_calls"}]


def place_after_response(response: str, messages: Sequence[ChatMessage], *, owner: UUID) -> Placement:
    """Place a request after a response: it continues there, on a branch if the thread has gone on."""
    reply = find_reply(response, owner=owner, kept=None)
    if reply.answer is None:
        raise NotFound(f"There is no response {response!r} that could be continued.")
    return _place(reply.thread, reply.answer, messages, owner=owner)


def place_in_conversation(
    conversation: str, messages: Sequence[ChatMessage], *, owner: UUID, is_retry: bool = False
) -> Placement:
    """Place a request at the end of a conversation.

    A request that the conversation ends with, unanswered, is sent again: nothing of it is new. One without
    messages asks for an answer to the newest message.

    Args:
        is_retry: Whether the client says that it sends the request again. It may be answered by now.
    """
    thread = find_conversation(conversation, owner=owner)
    head = thread.current_branch.head if thread.current_branch is not None else None
    keys = [turn.key for turn in read_turns(messages)]
    question = before = None
    if head is not None and not keys and head.role in _ASKING:
        question = before = head
    elif head is not None and (repeated := _find_repeated(head, keys, owner=owner, is_retry=is_retry)):
        question, before = repeated[-1], repeated[0].parent
    if question is None:
        return _place(thread, head, messages, owner=owner)
    history = _load_history(before, owner=owner, has_results=_has_results(messages)) if before else ()
    return Placement(
        history, AlignedHistory(thread.pk, question.pk, (), question.pk, is_temporary=thread.is_temporary)
    )


def _find_repeated(head: Message, keys: Sequence[UUID], *, owner: UUID, is_retry: bool) -> Sequence[Message]:
    """Return the newest messages of a path, the oldest first, if they have these keys; else none."""
    rows = list(list_messages(load_path_to(head), owner=owner).order_by("-depth")[: len(keys) + 1])
    if is_retry and head.role == MessageRole.ASSISTANT:
        rows = rows[1:]
    newest = rows[: len(keys)][::-1]
    return newest if [row.content_key for row in newest] == list(keys) else ()


def load_unsent_history(
    aligned: AlignedHistory, messages: Sequence[Mapping[str, Any]], *, owner: UUID
) -> Sequence[ChatMessage]:
    """Return the messages of a thread before the first one that a client sent; empty if it sent them all."""
    last = aligned.parent if aligned.repeated is None else aligned.repeated
    if aligned.thread is None or last is None:
        return ()
    path = load_path_to(get_message(get_thread(aligned.thread, owner=owner), last))
    sent = len(read_turns(messages)) - len(aligned.new)
    head = list_messages(path, owner=owner).order_by("-depth")[sent : sent + 1].first()
    return () if head is None else _load_history(head, owner=owner, has_results=_has_results(messages))


def render_chat_messages(rows: Sequence[Message], *, owner: UUID) -> list[ChatMessage]:
    """Return stored messages in the chat format, with their whole content."""
    whole = load_whole_content(rows, owner=owner)
    messages: list[ChatMessage] = []
    for row in rows:
        message: ChatMessage = {"role": str(row.role), "content": whole[row.pk]}
        if row.tool_calls:
            message["tool_calls"] = row.tool_calls
        if row.role == MessageRole.TOOL:
            message["tool_call_id"] = row.tool_call_id
        messages.append(message)
    return messages


def _place(
    thread: Thread, parent: Message | None, messages: Sequence[ChatMessage], *, owner: UUID
) -> Placement:
    new = tuple(turn.new for turn in read_turns(messages))
    before = parent.pk if parent is not None else None
    aligned = AlignedHistory(thread.pk, before, new, None, is_temporary=thread.is_temporary)
    if parent is None:
        return Placement((), aligned)
    history = _load_history(parent, owner=owner, has_results=_has_results(messages))
    return Placement(history, aligned)


def _has_results(messages: Sequence[Mapping[str, Any]]) -> bool:
    return any(one.get("role") == MessageRole.TOOL for one in messages)


def _load_history(head: Message, *, owner: UUID, has_results: bool) -> list[ChatMessage]:
    """Return the newest messages up to one that fit, and a summary of those before them."""
    path = load_path_to(head)
    room = int(settings.MEMSITE_MODEL_WINDOW * _SHARE)
    rows = limit_messages(list_messages(path, owner=owner).order_by("-depth"), room)
    fitting: list[Message] = []
    for row in rows:
        room -= row.token_count
        if room < 0 and fitting:
            break
        fitting.insert(0, row)
    history = _pair(render_chat_messages(fitting, owner=owner), has_results=has_results)
    if fitting and fitting[0].depth > 0:
        summary = load_nearest_summary(path, owner=owner)
        if summary is not None:
            text = render_summary(summary)
            history.insert(0, {"role": "system", "content": fence_summary(text, new_mark([text]))})
    return history


def _pair(history: list[ChatMessage], *, has_results: bool) -> list[ChatMessage]:
    """Leave out tool calls without results, except the last ones if their results are to come."""
    calls = [place for place, one in enumerate(history) if one.get("tool_calls")]
    end = calls[-1] if calls and has_results else len(history)
    return [*(dict(one) for one in pair_tool_results(history[:end])), *history[end:]]
