"""Send a reply to a page: as events of HTML while it is written, or as a redirect when it has ended."""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine
from contextlib import aclosing
from typing import Any, Final, TypeVar
from uuid import UUID

import structlog
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from memsite.llm.chat import close_clients
from memsite.serving.streaming import MAY_GO_ON, OwnLoop, encode_event, run_in_stream_thread
from memsite.web.errors import translate_for_people
from threads.models import Message, Thread
from threads.pages.conversation import load_displayed_messages
from threads.pages.markdown import GrowingMarkdown
from threads.replies import Begun, Delta, DetachedReply, Ended, FollowedReply, OpenedReply
from threads.storage import get_thread

T = TypeVar("T")
EVENTS: Final = "text/event-stream"
log = structlog.get_logger("threads")


def send_reply(request: HttpRequest, opened: OpenedReply, *, is_first: bool = False) -> HttpResponseBase:
    """Return the response that sends a reply in the form that the page asked for.

    Args:
        is_first: Whether its question begins a thread.
    """
    if EVENTS not in request.headers.get("Accept", ""):
        return SettledReply(request, opened)
    events = ReplyEvents(request, opened, is_first=is_first)
    return answer_with_events(request, events.encode())


def answer_with_events(request: HttpRequest, events: AsyncIterator[bytes]) -> HttpResponseBase:
    """Return a stream of events; under a server without an event loop, all of them at once."""
    if MAY_GO_ON in request.META:
        return EventResponse(events)

    async def collect() -> bytes:
        async with aclosing(events):  # type: ignore[type-var]  # a generator
            return b"".join([event async for event in events])

    return HttpResponse(run_in_own_loop(collect()), content_type=EVENTS)


class EventResponse(StreamingHttpResponse):
    """A stream of events.

    Attributes:
        source: The iterator of the content; the server closes it when the client stops reading.
    """

    def __init__(self, source: AsyncIterator[bytes]) -> None:
        self.source = source
        super().__init__(source, content_type=EVENTS)
        self["Cache-Control"] = "no-cache"
        self["X-Accel-Buffering"] = "no"  # otherwise a proxy would buffer the events


class SettledReply(HttpResponseRedirect):
    """A redirect to the answer, which is sent when the reply has ended."""

    def __init__(self, request: HttpRequest, opened: OpenedReply) -> None:
        self.page = reverse("thread", args=[opened.question.thread_id])
        self.opened = opened
        super().__init__(f"{self.page}#message-{opened.question.pk}")
        if MAY_GO_ON not in request.META:
            run_in_own_loop(self.settle())

    async def settle(self) -> None:
        """Wait in the event loop for the end. What went wrong is on the page then."""
        try:
            async with aclosing(DetachedReply(self.opened.pieces).pieces()) as pieces:  # type: ignore[type-var]  # a generator
                async for piece in pieces:
                    if isinstance(piece, Ended) and piece.answer is not None:
                        self["Location"] = f"{self.page}#message-{piece.answer.pk}"
        except Exception as error:
            log.exception("a reply broke off", kind=type(error).__name__)


class ReplyEvents:
    """Renders the pieces of a reply as events.

    `question`: the stored question, and the place of the answer. `text` continues the rest of the answer,
    `grown` adds complete blocks. `ended` replaces it by the message; `failed` says why there is none.
    """

    def __init__(self, request: HttpRequest, opened: OpenedReply, *, is_first: bool) -> None:
        self._request, self._opened = request, opened
        self._language = get_language()
        self._growing = GrowingMarkdown()
        self._first = encode_event("question", self._render_question(is_first=is_first))

    async def encode(self) -> AsyncIterator[bytes]:
        """Yield the events of the reply."""
        reply = DetachedReply(self._opened.pieces)
        yield self._first
        try:
            async with aclosing(reply.pieces()) as pieces:  # type: ignore[type-var]  # a generator
                async for piece in pieces:
                    if isinstance(piece, Delta):
                        yield self._grow(piece.text)
                    elif isinstance(piece, Ended):
                        yield await run_in_stream_thread(self._end, piece)
                    elif isinstance(piece, Begun) and piece.context is not None:
                        yield encode_event("begun", {})
        except Exception as error:  # noqa: BLE001 - sorted there
            yield await run_in_stream_thread(self._fail, error)

    def _render_question(self, *, is_first: bool) -> dict[str, Any]:
        question, reply = self._opened.question, self._opened.reply
        thread = get_thread(question.thread_id, owner=question.owner_id)
        facts = {
            "reply": FollowedReply(reply.pk if reply else None, is_running=True),
            "draft": GrowingMarkdown().start(""),
            "thread": thread,
        }
        return {
            "html": render_messages(self._request, thread, question),
            "after": str(question.parent_id or ""),
            "answer": render_to_string("threads/_draft.html", facts, self._request),
            "thread": str(thread.pk),
            "url": reverse("thread", args=[thread.pk]),
            "live": reverse("follow_thread", args=[thread.pk]),
            "title": thread.title or _("Untitled"),
            "is_first": is_first,
        }

    def _grow(self, text: str) -> bytes:
        with override(self._language):
            grown = self._growing.add(text)
        if grown is None:
            return encode_event("text", {"text": text})
        return encode_event("grown", {"html": grown.html, "frame": grown.frame})

    def _end(self, ended: Ended) -> bytes:
        with override(self._language):
            thread = get_thread(self._opened.question.thread_id, owner=self._opened.question.owner_id)
            if ended.answer is None:
                return encode_event(
                    "failed", {"html": render_failure(self._request, thread, ended.reply.question_id)}
                )
            return encode_event("ended", {"html": render_messages(self._request, thread, ended.answer)})

    def _fail(self, error: Exception) -> bytes:
        translated = translate_for_people(error)
        if translated is None:
            log.error("a reply broke off", exc_info=error)
        with override(self._language):
            facts = {
                "thread_id": self._opened.question.thread_id,
                "question": self._opened.question.pk,
                "why": _(translated.message) if translated else "",
            }
            return encode_event(
                "failed", {"html": render_to_string("threads/_failed.html", facts, self._request)}
            )


def render_messages(request: HttpRequest, thread: Thread, *messages: Message) -> str:
    """Return messages of a thread as the items of a page's list."""
    turns = load_displayed_messages(messages, thread)
    return "".join(
        render_to_string("threads/_message.html", {"turn": turn, "thread": thread}, request) for turn in turns
    )


def render_failure(request: HttpRequest, thread: Thread, question: UUID) -> str:
    """Return the item that says that a question has no answer, and offers to try again."""
    facts = {"thread_id": thread.pk, "question": question, "why": ""}
    return render_to_string("threads/_failed.html", facts, request)


def run_in_own_loop(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end on this thread, for a server without an event loop."""

    async def run() -> T:
        try:
            return await coroutine
        finally:
            await close_clients()

    with OwnLoop() as loop:
        return loop.run(run())
