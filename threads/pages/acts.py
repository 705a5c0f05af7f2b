"""Views for what a person does in a thread: rename, go back, close, delete, remember a message or not."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memsite.errors import InvalidInput
from memsite.values import parse_id
from memsite.web.requests import get_owner, notify
from threads.branches import checkout_branch, checkout_through
from threads.compaction import load_whole_content
from threads.learning import VerbatimOutcome, remember_verbatim
from threads.messages import change_thread, removal
from threads.pages.conversation import load_displayed_message
from threads.pages.forms import TitleForm
from threads.storage import get_message, get_thread


@login_required
@require_POST
def rename_thread(request: HttpRequest, thread_id: UUID) -> HttpResponse:
    """Set the thread's title; with an empty title the next message gives it one."""
    form = TitleForm(request.POST)
    if not form.is_valid():
        raise InvalidInput(_("This title is too long."))
    change_thread(thread_id, {"title": form.cleaned_data["title"]}, owner=get_owner(request))
    return redirect("thread", thread_id)


@login_required
@require_POST
def move_head(request: HttpRequest, thread_id: UUID) -> HttpResponse:
    """Continue on another branch; no message is lost.

    The form names one of: `branch`, the branch; `through`, a message, whose newest branch is taken;
    `message`, the message at which a new branch begins.
    """
    owner = get_owner(request)
    branch, message, through = (
        parse_id(request.POST.get(name, "")) for name in ("branch", "message", "through")
    )
    if through is not None:
        checkout_through(thread_id, through, owner=owner)
        return redirect(_page(thread_id, through))
    checkout_branch(thread_id, owner=owner, branch=str(branch) if branch else "", message=message)
    notify(request, _("You go on from here. What followed is kept as another branch."))
    return redirect(f"{reverse('thread', args=[thread_id])}#end")


@login_required
@require_POST
def close_thread(request: HttpRequest, thread_id: UUID) -> HttpResponse:
    """Close the conversation; a temporary one loses its messages."""
    closed = removal.close_thread(thread_id, owner=get_owner(request))
    if closed.is_temporary:
        notify(request, _("Closed. Nothing of this conversation was kept."))
        return redirect("threads")
    notify(request, _("Closed. What was said is being learnt from."))
    return redirect("thread", thread_id)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete_thread(request: HttpRequest, thread_id: UUID) -> HttpResponse:
    """Show the confirmation; on POST delete the thread with its messages. Memories learnt from it stay."""
    thread = get_thread(thread_id, owner=get_owner(request))
    if request.method != "POST":
        return render(request, "threads/delete.html", {"thread": thread})
    removal.delete_thread(thread_id, owner=get_owner(request))
    notify(request, _("The thread is deleted. What was learnt from it is among your memories."))
    return redirect("threads")


@login_required
@require_POST
def set_do_not_remember(request: HttpRequest, thread_id: UUID, message_id: UUID) -> HttpResponse:
    """Mark a message as not to be remembered (`wish=no`), or remove the mark."""
    owner = get_owner(request)
    unwanted = request.POST.get("wish") == "no"
    _message, removed = removal.set_do_not_remember(
        thread_id, message_id, do_not_remember=unwanted, owner=owner
    )
    undo = reverse("undo_batch", args=[removed.batch_id]) if removed.batch_id else ""
    notice = (
        _("Not remembered. What was learnt from it alone is forgotten.")
        if unwanted
        else _("It may be remembered.")
    )
    notify(request, notice, undo_url=undo)
    if not request.headers.get("HX-Request"):
        return redirect(_page(thread_id, message_id))
    return _show_changed(request, thread_id, message_id)


@login_required
@require_POST
def remember_message(request: HttpRequest, thread_id: UUID, message_id: UUID) -> HttpResponse:
    """Remember what a message says, if nothing was learnt from it yet."""
    owner = get_owner(request)
    removal.set_do_not_remember(thread_id, message_id, do_not_remember=False, owner=owner)
    outcome = remember_verbatim(get_message(get_thread(thread_id, owner=owner), message_id))
    undo = reverse("undo_batch", args=[outcome.batch_id]) if outcome.batch_id else ""
    notify(request, _describe_outcome(outcome), undo_url=undo)
    if not request.headers.get("HX-Request"):
        return redirect(_page(thread_id, message_id))
    return _show_changed(request, thread_id, message_id)


@login_required
@require_safe
def show_text(request: HttpRequest, thread_id: UUID, message_id: UUID) -> HttpResponse:
    """Return the text of a message as it was written, to be copied."""
    message = get_message(get_thread(thread_id, owner=get_owner(request)), message_id)
    text = load_whole_content([message], owner=message.owner_id)[message.pk]
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


def _show_changed(request: HttpRequest, thread_id: UUID, message_id: UUID) -> HttpResponse:
    thread = get_thread(thread_id, owner=get_owner(request))
    facts = {"turn": load_displayed_message(thread, message_id), "thread": thread}
    return render(request, "threads/_changed.html", facts)


def _describe_outcome(outcome: VerbatimOutcome) -> str:
    if outcome.is_learnt_already:
        return _("You had that already.")
    return (
        _("Remembered.")
        if not outcome.reason
        else _("This was not kept: %(reason)s") % {"reason": _(outcome.reason)}
    )


def _page(thread_id: UUID, message_id: UUID) -> str:
    return f"{reverse('thread', args=[thread_id])}?message={message_id}#message-{message_id}"
