"""Contexts, replies, and what is learnt and summarised of a thread."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from memsite.errors import BY_CODE, AnswerError, ConnectionFailed, UnexpectedAnswer
from memsite.resources.upkeep import seconds_of
from memsite.results import (
    Compacted,
    Context,
    ExtractedThread,
    Metrics,
    Page,
    Queued,
    Reply,
    ReplyBegun,
    ReplyDelta,
    ReplyEnded,
    ReplyState,
    RestoredSummary,
    Summarised,
    SummaryState,
    decode,
)
from memsite.wire import (
    Answer,
    Call,
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
    operation,
    stream,
    without_nones,
)

ReplyEvent = ReplyBegun | ReplyDelta | ReplyEnded
_PATH = "/api/threads"
#: A model may think for minutes before its first word.
_MODEL_SECONDS = 600.0
_KINDS: Mapping[str, Any] = {"begun": ReplyBegun, "delta": ReplyDelta, "ended": ReplyEnded}


class Replies(Resource[Mode]):
    """What a thread is for: contexts and answers."""

    @operation
    def context(self, /, thread_id: str, input: str, **options: Any) -> Call[Context]:
        """Return the messages to send to a model.

        Args:
            options: `max_tokens`, `format` (`openai`, `anthropic`), `encoding`, `model`, `as_of`,
                `believed_at`,
                `budget`, `preview`.
        """
        body = {"input": input, **options}
        return call_as(Context, "POST", f"{_PATH}/{thread_id}/context", body=body, repeatable=True)

    @operation
    def reply(self, /, thread_id: str, input: str | None = None, **options: Any) -> Call[Reply]:
        """Add a user message and the model's answer.

        Args:
            input: The message; None with `regenerate`.
            options: `regenerate`, `client_id`, `max_tokens`, `max_output_tokens`, `temperature`.
        """
        body = _reply_body(input, options)
        path = f"{_PATH}/{thread_id}/reply"
        return call_as(Reply, "POST", path, body=body, repeatable="client_id" in body, wait=_MODEL_SECONDS)

    @stream
    def stream_reply(self, /, thread_id: str, input: str | None = None, **options: Any) -> Emits[ReplyEvent]:
        """Do the same, and iterate over the answer as it is made: begun, deltas, ended.

        Raises:
            ConnectionFailed: The stream was cut. What the model had produced is kept in the thread.
        """
        body = _reply_body(input, options) | {"stream": True}
        call: Call[Any] = Call(
            method="POST",
            path=f"{_PATH}/{thread_id}/reply",
            reads=lambda answer: answer,
            body=body,
            repeatable="client_id" in body,
            wait=_MODEL_SECONDS,
        )
        yield from _open(call, self)
        parser = EventParser()
        while (piece := (yield NextPiece())) is not None:
            for sent in parser.feed(piece):
                event = _reply_event(sent)
                if event is None:
                    continue
                yield Emit(event)
                if isinstance(event, ReplyEnded):
                    return
        raise ConnectionFailed("the answer was cut", may_have_arrived=True)

    @operation
    def stop(self, thread_id: str, *, reply: str | None = None) -> Call[Page[ReplyState]]:
        """Stop a running reply, or all of the thread."""
        path = f"{_PATH}/{thread_id}/reply/stop"
        reads = call_for_page(ReplyState, path, {}).reads
        return Call(method="POST", path=path, reads=reads, body=without_nones(reply=reply), repeatable=True)

    @operation
    def extract(self, thread_id: str, *, wait: bool | float | None = None) -> Call[ExtractedThread | Queued]:
        """Learn from all waiting messages now.

        Args:
            wait: Seconds to wait for the result; True for 60.
        """
        path = f"{_PATH}/{thread_id}/extract"
        return call_as_either(
            ExtractedThread,
            Queued,
            "POST",
            path,
            body=without_nones(wait=wait),
            wait=seconds_of(wait),
            repeatable=True,
        )

    @operation
    def summarise(
        self, thread_id: str, *, wait: bool | float | None = None, force: bool = False
    ) -> Call[Summarised | Queued]:
        """Summarise the current branch if a summary is due; with `force` in any case."""
        body = without_nones(wait=wait, force=force)
        return call_as_either(
            Summarised, Queued, "POST", f"{_PATH}/{thread_id}/summarise", body=body, wait=seconds_of(wait)
        )

    @operation
    def summary(self, thread_id: str, *, branch: str | None = None) -> Call[SummaryState]:
        """Return the summary that a branch uses."""
        return call_as(SummaryState, "GET", f"{_PATH}/{thread_id}/summary", params={"branch": branch})

    @operation
    def restore_summary(self, thread_id: str, summary_id: str) -> Call[RestoredSummary]:
        """Undo a summary."""
        return call_as(RestoredSummary, "POST", f"{_PATH}/{thread_id}/summary/{summary_id}/restore")

    @operation
    def compact(
        self, thread_id: str, *, wait: bool | float | None = None, force: bool = False
    ) -> Call[Compacted | Queued]:
        """Offload bulky content if compaction is due; with `force` in any case."""
        body = without_nones(wait=wait, force=force)
        return call_as_either(
            Compacted, Queued, "POST", f"{_PATH}/{thread_id}/compact", body=body, wait=seconds_of(wait)
        )

    @operation
    def metrics(self, thread_id: str) -> Call[Metrics]:
        """Return the numbers of compactions and summarisations."""
        return call_as(Metrics, "GET", f"{_PATH}/{thread_id}/metrics")


def _reply_body(text: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
    body = without_nones(input=text, **options)
    return body if "regenerate" in body else {"client_id": uuid4().hex, **body}


def _open(call: Call[Any], resource: Resource[Any]) -> Flow[None]:
    """Open an answer, again if that is safe."""
    policy = resource.driver.policy
    tries = 0
    while True:
        tries += 1
        try:
            opened: Answer = yield Open(call)
            if not opened.is_error:
                return
            raise opened.error()
        except (AnswerError, ConnectionFailed) as error:
            pause = policy.pause_after(error, tries, repeatable=call.repeatable)
            if pause is None:
                raise
        yield Pause(pause)


def _reply_event(sent: ServerSentEvent) -> ReplyEvent | None:
    """Return an event of a reply, or None for one that this version does not know.

    Raises:
        AnswerError: The event is an error.
        UnexpectedAnswer: Its data has another shape.
    """
    if sent.name not in {*_KINDS, "error"}:
        return None
    try:
        data = json.loads(sent.data)
        if sent.name != "error":
            event: ReplyEvent = decode(_KINDS[sent.name], data)
            return event
        kind = BY_CODE.get(data["code"], AnswerError)
        error = kind(data["message"], status=200, code=data["code"], detail=data.get("detail"))
    except (ValueError, KeyError, TypeError) as problem:
        raise UnexpectedAnswer("an event of the answer has another shape than expected") from problem
    raise error
