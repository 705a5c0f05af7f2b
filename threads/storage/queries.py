"""Query an owner's threads and messages. Other modules reach these tables through here and `access` only."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Final
from uuid import UUID

from django.db.models import Count, Exists, Func, IntegerField, OuterRef, Q, QuerySet, Sum, Value
from django.db.models.functions import Greatest, Lower, StrIndex, Substr

from memsite.serving.postgres import across_owners
from memsite.values import MessageRole
from threads.models import Message, SentContext, Thread, ThreadSummary
from threads.storage.path import Path, load_path_to

_FIRST_LOAD: Final = 50  # messages; each further load takes four times as many
_LATER_LOADS: Final = 4
SPOKEN: Final = ("user", "assistant")
_SNIPPET_CHARACTERS: Final = 160
_BEFORE_MATCH: Final = 40  # characters before what was found


@dataclass(frozen=True, slots=True)
class MessageFilter:
    """Selects messages of a path; an empty field selects all.

    Attributes:
        before: Depth, exclusive.
        after: Depth, exclusive.
        since: Earliest created_at, inclusive.
        until: Latest created_at, exclusive.
    """

    roles: tuple[MessageRole, ...] = ()
    before: int | None = None
    after: int | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class MessageCount:
    """Number of messages and of their tokens, overheads included."""

    count: int
    token_count: int


def count_messages(path: Path, filters: MessageFilter | None = None, *, owner: UUID) -> MessageCount:
    """Count the messages of a path that pass the filter, and their tokens as stored. One query."""
    found = list_messages(path, filters, owner=owner).aggregate(count=Count("id"), tokens=Sum("token_count"))
    return MessageCount(found["count"], found["tokens"] or 0)


def list_threads(*, owner: UUID, is_temporary: bool | None = None, external_id: str = "") -> QuerySet[Thread]:
    """Return the owner's threads, or the one with an external id, as an unordered queryset."""
    rows = Thread.objects.filter(owner_id=owner).select_related("current_branch")
    if external_id:
        rows = rows.filter(external_id=external_id)
    return rows if is_temporary is None else rows.filter(is_temporary=is_temporary)


def search_threads(text: str, *, owner: UUID) -> QuerySet[Thread]:
    """Return the owner's threads whose title or messages contain a text, as an unordered queryset."""
    rows = list_threads(owner=owner)
    if not text:
        return rows
    messages = Message.objects.filter(owner_id=owner, thread_id=OuterRef("pk"), content__icontains=text)
    return rows.filter(Q(title__icontains=text) | Exists(messages.filter(role__in=SPOKEN)))


def load_snippets(threads: Collection[Thread], text: str = "", *, owner: UUID) -> dict[UUID, str]:
    """Return the beginning of each thread's newest message, or the place where a text was found. One query.

    Args:
        threads: With their current branches loaded.
        text: What is searched for; "" for none.
    """
    if text:
        found = Message.objects.filter(
            owner_id=owner,
            thread_id__in=[one.pk for one in threads],
            content__icontains=text,
            role__in=SPOKEN,
        )
        rows = found.order_by("thread_id", "-id").distinct("thread_id")
        place: Greatest | Value = Greatest(StrIndex(Lower("content"), Lower(Value(text))) - _BEFORE_MATCH, 1)
    else:
        heads = [one.current_branch.head_id for one in threads if one.current_branch is not None]
        rows = Message.objects.filter(owner_id=owner, id__in=heads, is_compacted=False)
        place = Value(1)
    snippets = rows.annotate(snippet=Substr("content", place, _SNIPPET_CHARACTERS))
    return {
        thread: " ".join(snippet.split()) for thread, snippet in snippets.values_list("thread_id", "snippet")
    }


def list_thread_ids(*, owner: UUID) -> list[UUID]:
    """Return the ids of all threads, the one changed last first."""
    return list(list_threads(owner=owner).order_by("-updated_at", "-id").values_list("id", flat=True))


def list_messages(path: Path, filters: MessageFilter | None = None, *, owner: UUID) -> QuerySet[Message]:
    """Return the messages of a path that pass the filter as an unordered queryset."""
    return Message.objects.filter(path.condition(), _conditions(filters or MessageFilter()), owner_id=owner)


def limit_messages(rows: QuerySet[Message], tokens: int, *, most: int | None = None) -> list[Message]:
    """Return the first of some ordered messages: at least as many as `tokens` hold, at most `most`.

    One query for few tokens; each further query loads four times as many messages.
    """
    found: list[Message] = []
    size = _FIRST_LOAD
    while True:
        wanted = size if most is None else min(size, most - len(found))
        page = list(rows[len(found) : len(found) + wanted])
        found += page
        tokens -= sum(message.token_count for message in page)
        if len(page) < size or tokens < 0:
            return found
        size *= _LATER_LOADS


def find_by_client_id(thread: Thread, client_ids: Collection[str]) -> dict[str, Message]:
    """Return the thread's messages with these client ids, by client id."""
    rows = Message.objects.filter(owner_id=thread.owner_id, thread=thread, client_id__in=list(client_ids))
    return {str(row.client_id): row for row in rows}


def find_tool_calls(path: Path, call_ids: Collection[str], *, owner: UUID) -> dict[str, bool]:
    """Return which of these tool calls were made on a path, and whether the last of each has a result."""
    calls_or_results = Q(role=MessageRole.TOOL, tool_call_id__in=list(call_ids))
    for call_id in call_ids:
        calls_or_results |= Q(role=MessageRole.ASSISTANT, tool_calls__contains=[{"id": call_id}])
    rows = list_messages(path, owner=owner).filter(calls_or_results).order_by("depth")
    is_answered: dict[str, bool] = {}
    for calls, answered in rows.values_list("tool_calls", "tool_call_id"):
        is_answered.update(dict.fromkeys((call["id"] for call in calls or []), False))
        if answered:
            is_answered[answered] = True
    return {call_id: is_answered[call_id] for call_id in call_ids if call_id in is_answered}


def list_unlearnt_messages(thread_id: UUID, *, owner: UUID) -> QuerySet[Message]:
    """Return the messages that long-term memory has not learnt from, in their order."""
    rows = Message.objects.filter(
        owner_id=owner, thread_id=thread_id, learnt_at=None, thread__is_temporary=False
    )
    return rows.order_by("depth", "id")


def load_unlearnt_messages(thread_id: UUID, most: int, most_bytes: int, *, owner: UUID) -> list[Message]:
    """Return the next messages that long-term memory has not learnt from, in their order.

    Args:
        thread_id: The thread.
        most: Limit of their number.
        most_bytes: Limit of their texts in UTF-8. The first message is returned whatever its size.
        owner: Owner of the thread.
    """
    waiting = list_unlearnt_messages(thread_id, owner=owner)
    size = Func("content", function="octet_length", output_field=IntegerField())
    sizes = dict(waiting.values_list("id", size)[:most])
    summed = zip(sizes, accumulate(sizes.values()), strict=True)
    fitting = [message for place, (message, total) in enumerate(summed) if not place or total <= most_bytes]
    return list(waiting.filter(id__in=fitting))


def list_spoken_before(message: Message, most: int) -> list[Message]:
    """Return the last messages of user and assistant on the path to a message, oldest first.

    Messages marked `do_not_remember` are left out. Three queries at most.
    """
    earlier = MessageFilter(roles=(MessageRole.USER, MessageRole.ASSISTANT), before=message.depth)
    rows = list_messages(load_path_to(message), earlier, owner=message.owner_id).filter(do_not_remember=False)
    return list(rows.order_by("-depth")[:most])[::-1]


@across_owners()
def list_threads_to_learn(most: int) -> list[tuple[UUID, UUID]]:
    """Return (owner, thread) pairs with messages to learn from. Across owners: for the schedule only."""
    rows = Message.objects.filter(learnt_at=None, thread__is_temporary=False)
    return list(rows.order_by().values_list("owner_id", "thread_id").distinct()[:most])


def list_unread_messages(thread_id: UUID, *, owner: UUID) -> QuerySet[Message]:
    """Return the messages that extraction has not read to their end, in their order."""
    rows = Message.objects.filter(
        owner_id=owner,
        thread_id=thread_id,
        unread_from__isnull=False,
        do_not_remember=False,
        thread__is_temporary=False,
    )
    return rows.order_by("depth", "id")


@across_owners()
def list_quiet_threads(before: datetime, most: int) -> list[tuple[UUID, UUID]]:
    """Return (owner, thread) pairs with messages to read and none since `before`.

    Across owners: for the schedule only.
    """
    rows = Message.objects.filter(
        unread_from__isnull=False,
        do_not_remember=False,
        thread__is_temporary=False,
        thread__last_message_at__lt=before,
    )
    return list(rows.order_by().values_list("owner_id", "thread_id").distinct()[:most])


def clear_sent_texts(thread_ids: Collection[UUID], *, owner: UUID) -> int:
    """Delete the summaries and task states that models were sent in these threads. Return how many contexts.

    The other parts of a sent context are references, or the person's own settings.
    """
    rows = SentContext.objects.filter(owner_id=owner, thread_id__in=list(thread_ids))
    return rows.exclude(summary="", task_state="").update(summary="", task_state="")


def _conditions(filters: MessageFilter) -> Q:
    conditions = Q(role__in=filters.roles) if filters.roles else Q()
    ranges = {
        "depth__lt": filters.before,
        "depth__gt": filters.after,
        "created_at__gte": filters.since,
        "created_at__lt": filters.until,
    }
    return conditions & Q(**{name: value for name, value in ranges.items() if value is not None})


def filter_ids_in_thread(message_ids: Collection[UUID], thread_id: UUID, *, owner: UUID) -> set[UUID]:
    """Return which of these messages belong to the thread."""
    if not message_ids:
        return set()
    rows = Message.objects.filter(owner_id=owner, thread_id=thread_id, id__in=list(message_ids))
    return set(rows.values_list("id", flat=True))


def summaries_on(path: Path, *, owner: UUID) -> QuerySet[ThreadSummary]:
    """Return all summaries of a path, the one that covers most first, with their last messages."""
    rows = ThreadSummary.objects.filter(path.condition("last_message__"), owner_id=owner)
    if path.segments:  # a thread has few summaries; by path alone, every message of it would be looked at
        rows = rows.filter(thread_id=path.segments[0].thread_id)
    return rows.select_related("last_message").order_by("-last_message__depth")


def find_nearest_summary(path: Path, *, owner: UUID) -> ThreadSummary | None:
    """Return the active summary that covers most of a path, or None."""
    return summaries_on(path, owner=owner).filter(is_stale=False, undone_at=None).first()
