"""Events, imports and exports."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memsite.errors import AnswerError, ConnectionFailed, UnexpectedAnswer
from memsite.results import Event, EventPage, Import, ImportPreview, Page, QueuedImport, decode
from memsite.wire import (
    Answer,
    Call,
    Close,
    Emit,
    Emits,
    EventParser,
    Flow,
    Mode,
    NextPiece,
    Open,
    Pause,
    Resource,
    ServerSentEvent,
    call_as,
    call_as_either,
    call_for_page,
    download,
    operation,
    steps,
    stream,
)

#: The server sends a comment every 15 seconds: a stream that is silent for longer is dead.
_SILENCE = 15.0
_RECONNECT_AFTER = 3.0
_TRY_AGAIN_AT = frozenset({408, 429, 500, 502, 503, 504})
_FINAL = frozenset({"done", "failed", "cancelled", "undone"})


class Events(Resource[Mode]):
    """What happened to memories and threads, in order."""

    @stream
    def follow(
        self, *, after: int | None = None, types: Sequence[str] = (), users: str | None = None
    ) -> Emits[Event]:
        """Iterate over events for ever, and connect again whenever the connection is lost.

        Args:
            after: The number of the last event that you have seen; by default, only later events come. An
                event
                `reset` says that the log does not continue there: fetch everything anew, then go on.
            types: Such as `memory.*` or `thread.summarised`; by default all.
            users: `all` for the events of all end users of an application.

        Raises:
            AnswerError: The request is refused; not while the server is away.
        """
        last = after
        while True:
            pause = _RECONNECT_AFTER
            try:
                opened: Answer = yield Open(_call(last, types, users))
                if opened.is_error:
                    raise opened.error()
                parser = EventParser()
                while (piece := (yield NextPiece())) is not None:
                    for sent in parser.feed(piece):
                        last = int(sent.id) if sent.id else last
                        pause = sent.retry if sent.retry is not None else pause
                        if sent.name:
                            yield Emit(_event(sent))
                yield Close()
            except ConnectionFailed:
                pass
            except AnswerError as error:
                if error.status not in _TRY_AGAIN_AT:
                    raise
                pause = error.retry_after or pause
            yield Pause(pause)

    @operation
    def page(
        self, *, after: int | None = None, types: Sequence[str] = (), users: str | None = None
    ) -> Call[EventPage]:
        """Return at most 500 events after a number, without waiting for new ones."""
        params = {"wait": 0, "after": after, "types": ",".join(types) or None, "users": users}
        return call_as(EventPage, "GET", "/api/events", params=params)


class Imports(Resource[Mode]):
    """Imports of files of Memsite and of other products."""

    @operation
    def start(
        self,
        file: str | Path,
        *,
        format: str = "auto",
        threads: bool = True,
        learn: str = "rules",
    ) -> Call[ImportPreview | QueuedImport]:
        """Import a file in the background. What is present already is skipped.

        Args:
            file: A path.
            format: `auto`, `memsite`, `chatgpt`, `claude`, `gemini`, `mem0`, `openwebui`, `librechat`,
                `graph-jsonl`,
                `lines`.
            threads: Whether to keep conversations, too.
            learn: `rules` or `none`.
        """
        params = {"format": format, "threads": threads, "learn": learn}
        return _import(file, params)

    @operation
    def preview(
        self, file: str | Path, *, format: str = "auto", threads: bool = True
    ) -> Call[ImportPreview | QueuedImport]:
        """Return what an import would keep; nothing is kept."""
        return _import(file, {"format": format, "threads": threads, "dry_run": True})

    @operation
    def list(self) -> Call[Page[Import]]:
        """Return the last 20 imports, newest first."""
        return call_for_page(Import, "/api/imports", {})

    @operation
    def get(self, import_id: str) -> Call[Import]:
        """Return an import and what it wrote so far."""
        return call_as(Import, "GET", f"/api/imports/{import_id}")

    @steps
    def wait(self, import_id: str, *, every: float = 1.0) -> Flow[Import]:
        """Return an import once it has ended; ask every so many seconds."""
        while True:
            found = yield from self._perform(call_as(Import, "GET", f"/api/imports/{import_id}"))
            if found.status in _FINAL:
                return found
            yield Pause(every)

    @operation
    def cancel(self, import_id: str) -> Call[Import]:
        """Stop an import; what it wrote stays."""
        return call_as(Import, "POST", f"/api/imports/{import_id}/cancel")

    @operation
    def undo(self, import_id: str) -> Call[Import]:
        """Remove what an import wrote, except for what was changed since."""
        return call_as(Import, "POST", f"/api/imports/{import_id}/undo")


class Exports(Resource[Mode]):
    """The export of everything."""

    @steps
    def everything(self, to: str | Path) -> Flow[int]:
        """Write all memories, threads and choices to a zip archive, and return its size in bytes."""
        return download("/api/export", to)


def _call(after: int | None, types: Sequence[str], users: str | None) -> Call[Any]:
    params = {"after": after, "types": ",".join(types) or None, "users": users}
    headers = {"Accept": "text/event-stream"}
    return Call(
        method="GET",
        path="/api/events",
        reads=lambda answer: answer,
        params=params,
        headers=headers,
        wait=_SILENCE,
    )


def _import(file: str | Path, params: dict[str, Any]) -> Call[ImportPreview | QueuedImport]:
    return call_as_either(
        ImportPreview, QueuedImport, "POST", "/api/memories/import", params=params, file=Path(file), wait=600
    )


def _event(sent: ServerSentEvent) -> Event:
    try:
        return decode(Event, json.loads(sent.data))
    except ValueError as error:
        raise UnexpectedAnswer(f"an event has another shape than expected: {error}") from error
