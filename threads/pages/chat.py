"""Views that ask for a reply: say something, answer again, edit a message, stop.

With `Accept: text/event-stream` the answer comes as events of HTML. Otherwise the request waits for it in the
event loop and redirects to the page. A refused form comes back with its text in it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from memsite.errors import InvalidInput, MemsiteError, NotFound
from memsite.values import parse_id
from memsite.web.errors import translate_for_people
from memsite.web.layout import get_theme
from memsite.web.requests import View, get_owner, keep_typed, take_typed
from threads.messages import create_thread
from threads.pages.chat_events import EVENTS, send_reply
from threads.pages.conversation import render_thread
from threads.pages.forms import FirstMessageForm, MessageForm
from threads.pages.listing import chat_facts
from threads.replies import OpenedReply, open_reply, reopen_reply, stop_replies
from threads.storage import get_thread


def keep_text(view: View) -> View:
    """Answer a form with its text where the database does not answer, so that nothing typed is lost."""

    @wraps(view)
    def answer(request: HttpRequest, *arguments: Any, **keywords: Any) -> HttpResponseBase:
        try:
            return view(request, *arguments, **keywords)
        except (OperationalError, InterfaceError) as error:
            translated = translate_for_people(error)
            if translated is None or request.method != "POST":
                raise
            return _give_back(request, translated)

    return answer


@keep_text
@keep_typed
@require_http_methods(["GET", "HEAD", "POST"])
def show_new_thread(request: HttpRequest) -> HttpResponseBase:
    """Show the empty composer; its first message creates the thread."""
    if request.method != "POST":
        form = FirstMessageForm(initial={"is_temporary": "temporary" in request.GET, **take_typed(request)})
        return render(request, "threads/new.html", chat_facts(request) | {"form": form})
    form = FirstMessageForm(request.POST)
    if not form.is_valid():
        return _refuse_first(request, form, InvalidInput(_describe_errors(form)))
    given = form.cleaned_data
    try:
        thread = create_thread(
            owner=get_owner(request),
            is_temporary=given["is_temporary"],
            client_id=parse_id(given["client_id"]),
        )
        opened = _ask(form, thread.pk, owner=get_owner(request))
    except MemsiteError as error:
        return _refuse_first(request, form, error)
    return send_reply(request, opened, is_first=True)


@keep_text
@partial(keep_typed, page="thread")
@require_POST
def say(request: HttpRequest, thread_id: UUID) -> HttpResponseBase:
    """Append a message of the person to the current branch, and answer it."""
    form, owner = MessageForm(request.POST), get_owner(request)
    return _answer_form(request, form, thread_id, lambda: _ask(form, thread_id, owner=owner))


@keep_text
@login_required
@require_POST
def edit_message(request: HttpRequest, thread_id: UUID, message_id: UUID) -> HttpResponseBase:
    """Say something else in place of a message, on a branch that begins before it."""
    form, owner = MessageForm(request.POST, auto_id="edit_%s"), get_owner(request)
    return _answer_form(
        request,
        form,
        thread_id,
        lambda: _ask(form, thread_id, owner=owner, instead_of=message_id),
        message_id,
    )


@login_required
@require_POST
def answer_again(request: HttpRequest, thread_id: UUID, message_id: UUID) -> HttpResponseBase:
    """Answer a question, or the question of an answer, once more: on a new branch if it has an answer."""
    thread = get_thread(thread_id, owner=get_owner(request))
    return send_reply(request, reopen_reply(thread.pk, message_id, owner=get_owner(request)))


@login_required
@require_POST
def stop_reply(request: HttpRequest, thread_id: UUID) -> HttpResponse:
    """End the running replies of a thread with what they have so far."""
    stop_replies(thread_id, owner=get_owner(request))
    if EVENTS in request.headers.get("Accept", ""):
        return HttpResponse(status=204)
    return redirect(f"{reverse('thread', args=[thread_id])}#end")


def _ask(form: MessageForm, thread_id: UUID, *, owner: UUID, instead_of: UUID | None = None) -> OpenedReply:
    given = form.cleaned_data
    return open_reply(
        thread_id, given["content"], owner=owner, client_id=given["client_id"], instead_of=instead_of
    )


def _answer_form(
    request: HttpRequest,
    form: MessageForm,
    thread_id: UUID,
    begin: Callable[[], OpenedReply],
    editing: UUID | None = None,
) -> HttpResponseBase:
    thread = get_thread(thread_id, owner=get_owner(request))
    error: MemsiteError = InvalidInput(_describe_errors(form))
    if form.is_valid():
        try:
            return send_reply(request, begin())
        except NotFound:
            raise
        except MemsiteError as refused:
            error = refused
            form.add_error(None, _(error.message))
    if EVENTS in request.headers.get("Accept", ""):
        return _as_json(error)
    return render_thread(request, thread, form, status=_status(error), editing=editing)


def _refuse_first(request: HttpRequest, form: FirstMessageForm, error: MemsiteError) -> HttpResponse:
    if EVENTS in request.headers.get("Accept", ""):
        return _as_json(error)
    if not form.errors:
        form.add_error(None, _(error.message))
    return render(request, "threads/new.html", chat_facts(request) | {"form": form}, status=_status(error))


def _give_back(request: HttpRequest, error: MemsiteError) -> HttpResponse:
    """Return the text in a form of a page that needs no database."""
    if EVENTS in request.headers.get("Accept", ""):
        return _as_json(error)
    facts = {
        "message": error.message,
        "content": request.POST.get("content", ""),
        "client_id": request.POST.get("client_id", ""),
        "is_temporary": request.POST.get("is_temporary", ""),
        "action": request.path,
        "theme": get_theme(request),
        "csrf_token": get_token(request),
    }
    return HttpResponse(render_to_string("threads/given_back.html", facts), status=error.status)


def _as_json(error: MemsiteError) -> JsonResponse:
    facts = {"message": _(error.message)}
    if isinstance(error.detail, dict) and "answered_in" in error.detail:  # an earlier attempt was stored
        facts["url"] = reverse("thread", args=[error.detail["answered_in"]])
    return JsonResponse(facts, status=_status(error))


def _status(error: MemsiteError) -> int:
    """Return the status of a refused form; 422 for a text that cannot be taken."""
    return 422 if isinstance(error, InvalidInput) else error.status


def _describe_errors(form: MessageForm) -> str:
    return " ".join(str(text) for texts in form.errors.values() for text in texts)
