"""The events of an open page: messages, drafts and memories that come from another page, program or job."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final
from uuid import UUID

import structlog
from django.contrib.auth.decorators import login_required
from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from memsite.serving.streaming import MAY_GO_ON, encode_event, run_in_stream_thread
from memsite.values import parse_id
from memsite.web.requests import get_owner
from threads.models import Message, Thread
from threads.pages.chat_events import EventResponse, render_failure, render_messages
from threads.pages.conversation import load_displayed_messages
from threads.pages.markdown import GrowingMarkdown
from threads.replies import FollowedReply, ThreadLook, load_open_reply, look_at_thread, mark_followed
from threads.storage import get_thread, list_messages, load_path

#: Seconds between two looks while a reply is followed, soon after a change, and later.
_PAUSE_RUNNING: Final = 0.4
_PAUSE: Final = 1.0
_PAUSE_QUIET: Final = 2.5
_QUIET_AFTER: Final = 60.0
#: Seconds after which a stream ends; the page opens another one. And between two signs of life.
_LIFETIME: Final = 300.0
_SILENCE: Final = 20.0
_MARK_EVERY: Final = 2.0
#: Messages at the end of the branch that are looked after.
_NEWEST: Final = 40
#: Streams of one owner in one process; each looks into the database again and again.
_MOST_STREAMS: Final = 20

_open: Final[Counter[UUID]] = Counter()
log = structlog.get_logger("threads")


@login_required
@require_safe
def follow_thread(request: HttpRequest, thread_id: UUID) -> HttpResponseBase:
    """Stream what changes in a thread after the message `?after=`; with `?only=learnt` what messages teach.

    204 makes the page stop asking. It is the answer where a response cannot continue after its view, and if
    the person has the maximum number of streams.
    """
    thread = get_thread(thread_id, owner=get_owner(request))
    if MAY_GO_ON not in request.META or _open[thread.owner_id] >= _MOST_STREAMS:
        return HttpResponse(status=204)
    after = parse_id(request.GET.get("after", ""))
    follower = ThreadFollower(request, thread, after, only_learnt=request.GET.get("only") == "learnt")
    return EventResponse(follower.encode())


class ThreadFollower:
    """Looks at a thread again and again, and renders what has changed.

    Events: `message` appends messages; `moved` says that the thread has moved to another branch; `learnt`
    carries the memories learnt from a message; `draft`, `text` and `grown` follow a reply; `silent` says that
    no process seems to write it any more; `failed` says that it ended without an answer.
    """

    def __init__(
        self, request: HttpRequest, thread: Thread, after: UUID | None, *, only_learnt: bool = False
    ) -> None:
        self._request, self._thread, self._after = request, thread, after
        self._only_learnt = only_learnt
        self._language = get_language()
        self._look: ThreadLook | None = None
        self._states: dict[UUID, str] = {}
        self._reply: UUID | None = None
        self._seen = 0
        self._is_silent = False
        self._growing = GrowingMarkdown()
        self._marked = 0.0

    async def encode(self) -> AsyncIterator[bytes]:
        """Yield events until the lifetime of the stream ends."""
        end = time.monotonic() + _LIFETIME
        changed = sent = time.monotonic()
        with _place(self._thread.owner_id):
            yield b"retry: 2000\n\n"
            while (now := time.monotonic()) < end:
                try:
                    events = await run_in_stream_thread(self.look)
                except DatabaseError as error:
                    log.warning("a thread could not be followed", kind=type(error).__name__)
                    return
                for event in events:
                    yield event
                if events:
                    changed = sent = now
                elif now - sent > _SILENCE:
                    yield b": \n\n"
                    sent = now
                await asyncio.sleep(self._pause(now - changed))

    def look(self) -> list[bytes]:
        """Look once, and return the events of what has changed. Two small statements if nothing has."""
        with override(self._language):
            before, self._look = (
                self._look,
                look_at_thread(
                    self._thread.pk, owner=self._thread.owner_id, reply=self._reply, seen=self._seen
                ),
            )
            if self._look is None:
                return [encode_event("moved", {})]
            return list(self._changes(before, self._look))

    def _pause(self, quiet: float) -> float:
        if self._reply is not None:
            return _PAUSE_RUNNING
        return _PAUSE if quiet < _QUIET_AFTER else _PAUSE_QUIET

    def _changes(self, before: ThreadLook | None, look: ThreadLook) -> Iterator[bytes]:
        has_moved = before is None or before.place != look.place
        if has_moved or before is None or before.learnt != look.learnt:
            self._thread = get_thread(self._thread.pk, owner=self._thread.owner_id)
            newest = self._load_newest()
            if has_moved and not self._only_learnt:
                yield from self._follow_messages(newest)
            yield from self._follow_learnt(newest)
        if not self._only_learnt:
            yield from self._follow_reply(look)

    def _load_newest(self) -> list[Message]:
        rows = list_messages(load_path(self._thread.current_branch), owner=self._thread.owner_id)
        return list(rows.order_by("-depth")[:_NEWEST])[::-1]

    def _follow_messages(self, newest: Sequence[Message]) -> Iterator[bytes]:
        ids = [message.pk for message in newest]
        if self._after in ids:
            fresh = newest[ids.index(self._after) + 1 :]
        elif self._after is None and len(newest) < _NEWEST:
            fresh = newest
        else:
            yield encode_event("moved", {})
            return
        if fresh:
            self._after = fresh[-1].pk
            yield encode_event("message", {"html": render_messages(self._request, self._thread, *fresh)})

    def _follow_learnt(self, newest: Sequence[Message]) -> Iterator[bytes]:
        for turn in load_displayed_messages(newest, self._thread, has_branches=False):
            state, key = turn.learnt_state, turn.message.pk
            if state != self._states.get(key, ""):
                self._states[key] = state
                facts = {"turn": turn, "thread": self._thread}
                html = render_to_string("threads/_learnt.html", facts, self._request)
                yield encode_event("learnt", {"message": str(key), "state": state, "html": html})

    def _follow_reply(self, look: ThreadLook) -> Iterator[bytes]:
        if look.reply != self._reply:
            ended, self._reply = self._reply, look.reply
            self._seen, self._growing, self._is_silent = 0, GrowingMarkdown(), False
            if look.reply is not None:
                yield self._draft(look.reply)
            elif ended is not None:
                yield from self._end()
        elif look.text:
            self._seen += len(look.text)
            yield self._grow(look.text)
        if look.is_silent and not self._is_silent:
            self._is_silent = True
            yield from self._end("silent")
        if self._reply is not None and time.monotonic() - self._marked > _MARK_EVERY:
            self._marked = time.monotonic()
            mark_followed(self._reply, owner=self._thread.owner_id)

    def _draft(self, reply: UUID) -> bytes:
        look = look_at_thread(self._thread.pk, owner=self._thread.owner_id, reply=reply)
        text = look.text if look is not None and look.reply == reply else ""
        self._seen = len(text)
        facts: dict[str, Any] = {
            "reply": FollowedReply(reply, is_running=True),
            "draft": self._growing.start(text),
            "thread": self._thread,
        }
        html = render_to_string("threads/_draft.html", facts, self._request)
        return encode_event("draft", {"reply": str(reply), "html": html})

    def _grow(self, text: str) -> bytes:
        grown = self._growing.add(text)
        if grown is None:
            return encode_event("text", {"text": text})
        return encode_event("grown", {"html": grown.html, "frame": grown.frame})

    def _end(self, name: str = "failed") -> Iterator[bytes]:
        newest = self._load_newest()
        waiting = load_open_reply(newest[-1]) if newest else None
        if waiting is not None and not waiting.is_running:
            html = render_failure(self._request, self._thread, newest[-1].pk)
            yield encode_event(name, {"html": html})


@contextmanager
def _place(owner: UUID) -> Iterator[None]:
    _open[owner] += 1
    try:
        yield
    finally:
        _open[owner] -= 1
        if not _open[owner]:
            del _open[owner]
