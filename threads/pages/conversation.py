"""The page of one thread: its messages, and what was learnt from each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memories.models import Memory
from memories.storage import MemoryFilter, list_learnt_from, list_memories, load_sources
from memories.values import Layer, Status
from memsite.web.requests import get_owner
from threads.compaction import load_whole_content
from threads.models import Message, Thread
from threads.pages.forms import MessageForm, TitleForm
from threads.pages.thread_state import load_thread_state
from threads.storage import MessageFilter, get_message, get_thread, list_messages, load_path
from threads.visibility import make_reference

#: Messages on one page of a conversation.
PAGE_SIZE: Final = 50
_LEARNT: Final = MemoryFilter(
    status=(Status.ACTIVE, Status.PENDING, Status.DISPUTED), layer=(Layer.SEMANTIC, Layer.PROCEDURAL)
)


@dataclass(frozen=True, slots=True)
class DisplayedMessage:
    """A message on the page.

    Attributes:
        words: Its original content, even if offloaded.
        learnt: The memories that came from it, without the episodes that mirror it.
    """

    message: Message
    words: str
    learnt: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """One page of a thread.

    Attributes:
        earlier: Depth before which there are more messages, or None.
    """

    thread: Thread
    turns: list[DisplayedMessage]
    learnt: list[Memory]
    earlier: int | None


@login_required
@require_safe
def show_thread(request: HttpRequest, thread_id: UUID) -> HttpResponse:
    """Show the newest messages of the current branch; `?before=` shows those before a depth."""
    found = get_thread(thread_id, owner=get_owner(request))
    facts = {
        "standing": load_thread_state(found),
        "conversation": load_conversation(found, before=depth_in(request.get_full_path())),
        "form": MessageForm(),
        "title_form": TitleForm(initial={"title": found.title}),
    }
    return render(request, "threads/thread.html", facts)


def load_conversation(thread: Thread, *, before: int | None = None) -> ConversationPage:
    """Return one page of the current branch, oldest first.

    The number of queries does not depend on the length of the thread.
    """
    rows = list_messages(
        load_path(thread.current_branch), MessageFilter(before=before), owner=thread.owner_id
    )
    newest = list(rows.order_by("-depth")[: PAGE_SIZE + 1])
    shown = newest[:PAGE_SIZE][::-1]
    turns = load_displayed_messages(shown, owner=thread.owner_id)
    learnt = {memory.pk: memory for turn in turns for memory in turn.learnt}
    return ConversationPage(
        thread, turns, list(learnt.values()), shown[0].depth if len(newest) > PAGE_SIZE else None
    )


def load_displayed_messages(messages: Sequence[Message], *, owner: UUID) -> list[DisplayedMessage]:
    """Return the messages with what was learnt from them.

    Three queries, none if there are no messages, one more if a message is offloaded.
    """
    references = {make_reference(message.pk): message.pk for message in messages}
    ids = list_learnt_from(references, owner=owner) if references else set()
    memories = (
        list(list_memories(_LEARNT, owner=owner).filter(id__in=ids).order_by("created_at", "id"))
        if ids
        else []
    )
    sources = load_sources([memory.pk for memory in memories], owner=owner) if memories else {}
    learnt: dict[UUID, list[Memory]] = {}
    for memory in memories:
        for reference in sources.get(memory.pk, ()):
            if reference in references:
                learnt.setdefault(references[reference], []).append(memory)
    words = load_whole_content(messages, owner=owner)
    return [
        DisplayedMessage(message, words[message.pk], tuple(learnt.get(message.pk, ())))
        for message in messages
    ]


def load_displayed_message(thread: Thread, message_id: UUID) -> DisplayedMessage:
    """Return one message of the thread with what was learnt from it.

    Raises:
        NotFound: If the thread has no such message.
    """
    return load_displayed_messages([get_message(thread, message_id)], owner=thread.owner_id)[0]


def depth_in(address: str) -> int | None:
    """Return the depth before which a page of a conversation ends: `before` of its address, or None."""
    text = QueryDict(address.partition("?")[2].partition("#")[0]).get("before", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None  # noqa: PLR2004 - fits the column
