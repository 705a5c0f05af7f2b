"""Show the context that a model was sent: a bar of the tokens, each part, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from memories.models import Memory
from memories.values import Layer, Status
from memsite.errors import NotFound
from memsite.web.requests import get_owner
from threads.context import Remark, ShownContext, load_sent_context
from threads.storage import get_message, get_thread

#: The bar is drawn in units of a thousandth of what was sent.
_WIDTH: Final = 1_000.0
_LEAST_WIDTH: Final = 6.0  # so that a small part can still be seen and pressed
_LABELS: Final[Mapping[str, Promise]] = {
    "system_prompt": gettext_lazy("System prompt"),
    "requirements": gettext_lazy("What every answer respects"),
    "summary": gettext_lazy("Summary"),
    "task_state": gettext_lazy("Task state"),
    "recent_messages": gettext_lazy("Recent messages"),
    "retrieved": gettext_lazy("Memories"),
    "current_input": gettext_lazy("Your message"),
}
_REMARKS: Final[Mapping[str, Promise]] = {
    Remark.OUTDATED: gettext_lazy("a newer statement has replaced it"),
    Remark.IN_MESSAGES: gettext_lazy("the messages sent say it already"),
    Remark.NO_ROOM: gettext_lazy("relevant, but there was no room"),
    Remark.LESS_RELEVANT: gettext_lazy("relevant, but others are more so"),
    Remark.REPEATS: gettext_lazy("repeats another memory that was sent"),
    Remark.IN_INCLUDED_MESSAGE: gettext_lazy("part of a message that was sent"),
    Remark.ONLY_ASKS: gettext_lazy("is only a question"),
    Remark.IS_REPLY: gettext_lazy("was said by the assistant, not by you"),
    Remark.NOT_RELEVANT: gettext_lazy("not relevant enough"),
    Remark.NEARBY_NO_ROOM: gettext_lazy("said close to a relevant one, but there was no room"),
    Remark.NO_QUERY: gettext_lazy(
        "No memories were looked for: the message asks for nothing that could be remembered."
    ),
    Remark.LAST_QUERY: gettext_lazy(
        "Memories were looked for by the last messages: this one only goes on from them."
    ),
    Remark.WORDS_ALONE: gettext_lazy(
        "Memories were compared by their words alone: comparing by meaning took too long."
    ),
    Remark.SOME_BY_WORDS: gettext_lazy(
        "Some memories are new and were compared by their words alone, not yet by meaning."
    ),
    Remark.OWN_MESSAGES: gettext_lazy("The program sent its own messages."),
    Remark.SYSTEM_PROMPT_CUT: gettext_lazy("The system prompt was cut to fit."),
    Remark.TASK_STATE_CUT: gettext_lazy("The task state was cut to fit."),
    Remark.SUMMARY_CUT: gettext_lazy("The summary was cut to fit."),
}


@dataclass(frozen=True, slots=True)
class ContextPart:
    """One segment of the bar.

    Attributes:
        share: Of all tokens that were sent, 0 to 1.
        x: Where its rectangle begins, in thousandths of the bar.
        note: A remark, such as that it was cut.
    """

    name: str
    label: str
    tokens: int
    share: float
    x: float
    width: float
    note: str


@dataclass(frozen=True, slots=True)
class LeftOutMemory:
    """A memory that was considered and left out.

    Attributes:
        reason: Why, in the language of the page.
        is_confirmable: Whether a person may say here that it is still true.
        is_confirmed: Whether somebody has said or confirmed it since.
    """

    memory: Memory
    reason: str
    is_confirmable: bool = False
    is_confirmed: bool = False


@login_required
@require_safe
def show_context(request: HttpRequest, thread_id: UUID, message_id: UUID) -> HttpResponse:
    """Show what the model was sent for a question, or for an answer."""
    thread = get_thread(thread_id, owner=get_owner(request))
    message = get_message(thread, message_id)
    try:
        shown = load_sent_context(message)
    except NotFound:
        return render(request, "threads/no_context.html", {"thread": thread, "message": message})
    facts = {
        "thread": thread,
        "message": message,
        "shown": shown,
        "parts": build_parts(shown),
        "total": shown.stored.token_stats.get("total", 0),
        "left_out": list_left_out(shown),
        "notes": [explain(note) for note in shown.stored.notes.values()],
    }
    return render(request, "threads/context.html", facts)


def list_left_out(shown: ShownContext) -> list[LeftOutMemory]:
    """Return the memories that were left out and still exist, each with the reason."""
    found = []
    for one in shown.left_out:
        memory = one.memory
        if memory is not None:
            restated = memory.restated_at
            is_confirmed = one.is_outdated and restated is not None and restated > shown.stored.created_at
            can_confirm = memory.status == Status.ACTIVE and memory.layer != Layer.EPISODIC
            is_confirmable = one.is_outdated and can_confirm and not is_confirmed
            found.append(LeftOutMemory(memory, explain(one.reason), is_confirmable, is_confirmed))
    return found


def build_parts(shown: ShownContext) -> list[ContextPart]:
    """Return the parts that were sent, in their order, with their places in the bar."""
    counts = {name: int(shown.stored.token_stats.get(name, 0)) for name in _LABELS}
    total = sum(counts.values()) or 1
    widths = {name: max(_LEAST_WIDTH, _WIDTH * count / total) for name, count in counts.items() if count}
    scale = _WIDTH / (sum(widths.values()) or 1)
    parts, x = [], 0.0
    for name, width in widths.items():
        note = explain(shown.stored.notes.get(name, ""))
        share = counts[name] / total
        parts.append(ContextPart(name, str(_LABELS[name]), counts[name], share, x, width * scale, note))
        x += width * scale
    return parts


def explain(reason: str) -> str:
    """Return a remark of a context in the language of the page; any other text as it is."""
    if reason.startswith("memories were left out: "):
        return _("Memories were left out: the search took too long.")
    return str(_REMARKS.get(reason, reason))
