"""The page of one thread: its messages with what they recalled and taught, its branches, its summary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from memsite.values import parse_id
from memsite.web.requests import get_owner, take_typed
from threads.branches import Fork, count_abandoned_messages, list_forks
from threads.compaction import load_whole_content
from threads.models import Branch, Message, Thread, ThreadSummary
from threads.pages.forms import MessageForm, TitleForm
from threads.pages.listing import chat_facts
from threads.pages.markdown import GrowingMarkdown, Growth, render_cached, render_markdown
from threads.pages.recalled import CitedMemories, LearntMemory, load_cited, load_learnt
from threads.replies import FollowedReply, load_open_reply
from threads.storage import (
    MessageFilter,
    Path,
    branches_of,
    get_message,
    get_thread,
    list_messages,
    load_path,
)
from threads.summarization import SummaryPosition, find_shown_summary

#: Messages on one page of a conversation.
PAGE_SIZE: Final = 16
#: Messages after the one that a link leads to, on its page.
_AFTER_LINKED: Final = 4


@dataclass(frozen=True, slots=True)
class DisplayedMessage:
    """A message on the page.

    Attributes:
        words: Its original content, even if offloaded.
        html: The content as HTML, for an answer; else empty.
        learnt: The memories that came from it, without the episodes that mirror it.
        fork: Its place among the messages that follow the same message; None if it is the only one.
    """

    message: Message
    words: str
    html: SafeString | str
    learnt: list[LearntMemory]
    cited: CitedMemories
    fork: Fork | None

    @property
    def learnt_state(self) -> str:
        """The state of learning from the message, as a text that differs when it changes."""
        return " ".join(f"{one.memory.pk}:{one.memory.status}" for one in self.learnt)


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """One page of a thread.

    Attributes:
        earlier: Depth before which there are more messages, or None.
        is_newest: Whether the page ends with the newest message.
        open_reply: The reply that the newest message waits for, or that failed; None if there is none.
        draft: What there is of that reply.
        branches: All branches, the newest first; empty if there is only one.
        elsewhere: Number of messages on other branches.
        summary: The nearest summary of the current branch.
        lost: Whether a link led to a message that is not on the current branch.
    """

    thread: Thread
    turns: list[DisplayedMessage]
    earlier: int | None
    is_newest: bool
    open_reply: FollowedReply | None
    draft: Growth | None
    branches: list[Branch]
    elsewhere: int
    summary: ThreadSummary | None
    lost: bool


@login_required
@require_safe
def show_thread(request: HttpRequest, thread_id: UUID) -> HttpResponse:
    """Show the newest messages of the current branch.

    `?before=` shows those before a depth, `?message=` those around a message, and `?edit=` makes a message
    a form.
    """
    form = MessageForm(initial=take_typed(request))
    return render_thread(request, get_thread(thread_id, owner=get_owner(request)), form)


def render_thread(
    request: HttpRequest, thread: Thread, form: MessageForm, *, status: int = 200, editing: UUID | None = None
) -> HttpResponse:
    """Return the page of a thread, with the text of a refused form in its place."""
    editing = editing or parse_id(request.GET.get("edit", ""))
    facts: dict[str, Any] = chat_facts(request) | {
        "thread": thread,
        "conversation": load_conversation(
            thread,
            before=depth_in(request.get_full_path()),
            around=editing or parse_id(request.GET.get("message", "")),
        ),
        "form": MessageForm() if editing else form,
        "editing": editing,
        "edit_form": form if editing and form.is_bound else None,
        "title_form": TitleForm(initial={"title": thread.title}),
    }
    return render(request, "threads/thread.html", facts, status=status)


def load_conversation(
    thread: Thread, *, before: int | None = None, around: UUID | None = None
) -> ConversationPage:
    """Return one page of the current branch, oldest first.

    The number of queries does not depend on the length of the thread.

    Args:
        before: Depth before which the page ends; None for the newest messages.
        around: A message that the page is to contain. `before` overrides it.
    """
    path = load_path(thread.current_branch)
    lost = False
    if before is None and around is not None:
        all_rows = list_messages(path, MessageFilter(), owner=thread.owner_id)
        depth = all_rows.filter(pk=around).values_list("depth", flat=True).first()
        lost = depth is None
        before = _end_of_page(path, depth) if depth is not None else None
    rows = list_messages(path, MessageFilter(before=before), owner=thread.owner_id)
    newest = list(rows.order_by("-depth")[: PAGE_SIZE + 1])
    shown = newest[:PAGE_SIZE][::-1]
    branches = branches_of(thread.pk, owner=thread.owner_id)
    has_branches = len(branches) > 1
    reply = load_open_reply(shown[-1]) if shown and before is None else None
    return ConversationPage(
        thread=thread,
        turns=load_displayed_messages(shown, thread, has_branches=has_branches),
        earlier=shown[0].depth if len(newest) > PAGE_SIZE else None,
        is_newest=before is None,
        open_reply=reply,
        draft=_start_draft(reply),
        branches=branches[::-1] if has_branches else [],
        elsewhere=count_abandoned_messages(thread) if has_branches else 0,
        summary=find_shown_summary(SummaryPosition(thread, path)),
        lost=lost,
    )


def _end_of_page(path: Path, depth: int) -> int | None:
    """Return the depth before which the page of a message ends; None if that is the newest page."""
    deepest = max(segment.through for segment in path.segments)
    before = depth + _AFTER_LINKED + 1
    return before if before <= deepest else None


def _start_draft(reply: FollowedReply | None) -> Growth | None:
    """Return what there is of a reply; None if nothing is to be shown of it."""
    if reply is None or not (reply.is_running or reply.draft):
        return None
    return GrowingMarkdown().start(reply.draft)


def load_displayed_messages(
    messages: Sequence[Message], thread: Thread, *, has_branches: bool = True
) -> list[DisplayedMessage]:
    """Return the messages of a thread with what the page shows beneath them. Nine queries at most."""
    owner = thread.owner_id
    words = load_whole_content(messages, owner=owner)
    learnt = {} if thread.is_temporary else load_learnt(messages, owner=owner)
    cited = {} if thread.is_temporary else load_cited(messages, owner=owner)
    forks = list_forks(messages, owner=owner) if has_branches else {}
    draw = render_markdown if thread.is_temporary else render_cached
    return [
        DisplayedMessage(
            message,
            words[message.pk],
            draw(words[message.pk]) if message.role == "assistant" else "",
            learnt.get(message.pk, []),
            cited.get(message.pk) or CitedMemories(),
            forks.get(message.pk),
        )
        for message in messages
    ]


def load_displayed_message(thread: Thread, message_id: UUID) -> DisplayedMessage:
    """Return one message of the thread as the page shows it.

    Raises:
        NotFound: If the thread has no such message.
    """
    return load_displayed_messages([get_message(thread, message_id)], thread)[0]


def depth_in(address: str) -> int | None:
    """Return the depth before which a page of a conversation ends: `before` of its address, or None."""
    text = QueryDict(address.partition("?")[2].partition("#")[0]).get("before", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None  # noqa: PLR2004 - fits the column
