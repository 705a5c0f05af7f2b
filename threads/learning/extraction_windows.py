"""Read waiting messages in extraction windows, by a model or, if it fails, by rules.

Each window is processed exactly once: the position up to which a message was read moves in the transaction
that writes the extracted memories, and only if it did not move before, no message was marked or deleted
meanwhile, and the job still holds the owner's lease. No transaction is open while a model answers.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from django.db import transaction

from memories.conf import EXTRACTION
from memories.extraction import Extraction, ExtractionWindow, UnreadMessage, extract, make_window
from memories.values import Utterance
from memories.writing import WriteResult, write_candidates
from memsite.accounts.preferences import get_preferences
from memsite.errors import NotAllowed
from memsite.jobs import check_lease, renew_lease
from memsite.llm.chat import ChatModel, time_limit
from memsite.metering import ModelPurpose, get_chat_model
from threads.conf import (
    CONTEXT_CHARACTERS,
    CONTEXT_MESSAGES,
    LEASE_SECONDS,
    LEAST_MODEL_SECONDS,
    MODEL_SECONDS,
    READ_SECONDS,
)
from threads.learning.episodes import list_source_messages, make_utterance
from threads.learning.outcomes import ACTOR, MovedMeanwhile, store_record
from threads.learning.triggers import is_due
from threads.models import Learning, Message
from threads.storage import list_spoken_before, list_unread_messages, wait_for_lease
from threads.visibility import get_speaker_name

_TRIES: Final = 5


@dataclass(slots=True)
class _Extractor:
    """One run for one owner.

    Attributes:
        began: Monotonic time at which the job started.
        failed: Why the model is not asked any more; empty if it is.
        utterances: Redacted messages by content: each window of a long message needs all of it again.
    """

    owner: UUID
    token: UUID
    began: float
    model: ChatModel | None
    failed: str = ""
    actions: Counter[str] = field(default_factory=Counter)
    utterances: dict[tuple[UUID, str], Utterance] = field(default_factory=dict)

    @property
    def has_time(self) -> bool:
        """Whether another window may be started."""
        return time.monotonic() - self.began < READ_SECONDS


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    """The result of a run.

    Attributes:
        actions: How many candidates met with each action.
        is_done: False if time ran out and messages are left.
    """

    actions: Counter[str]
    is_done: bool


def extract_waiting(thread_id: UUID, *, owner: UUID, whole: bool, began: float) -> ExtractionResult:
    """Read the windows of a thread that are due, or all waiting messages if `whole`.

    One run per owner at a time.

    Args:
        began: Monotonic time at which the job started.

    Raises:
        LeaseBusy: If another run of the owner is in progress and a window is due.
    """
    if _next(thread_id, owner, whole=whole) is None:
        return ExtractionResult(Counter(), is_done=True)
    with wait_for_lease(f"extract:{owner}") as token:
        model = get_chat_model("fast", owner=owner, purpose=ModelPurpose.LEARNING)
        reader = _Extractor(owner, token, began, model)
        while (rows := _next(thread_id, owner, whole=whole)) is not None:
            if not reader.has_time:
                return ExtractionResult(reader.actions, is_done=False)
            _extract_patiently(reader, thread_id, rows)
            renew_lease(token, LEASE_SECONDS)
    return ExtractionResult(reader.actions, is_done=True)


def _next(thread_id: UUID, owner: UUID, *, whole: bool) -> list[Message] | None:
    """Return the first waiting messages of a line on which a window is due; None if there is none."""
    waiting = list_unread_messages(thread_id, owner=owner)
    for line_id in dict.fromkeys(waiting.values_list("line_id", flat=True)):
        rows = list(waiting.filter(line_id=line_id)[: EXTRACTION.window_messages])
        if rows and (whole or is_due(rows)):
            return rows
    return None


def _extract_patiently(reader: _Extractor, thread_id: UUID, rows: Sequence[Message]) -> None:
    """Read a window; if its messages change meanwhile, read it again as it is then."""
    ids = [row.pk for row in rows]
    current = list(rows)
    for _ in range(_TRIES):
        if not current:
            return
        try:
            _extract_window(reader, current)
        except (MovedMeanwhile, NotAllowed):  # NotAllowed: memory was just switched off
            current = list(list_unread_messages(thread_id, owner=reader.owner).filter(pk__in=ids))
        else:
            return
    raise MovedMeanwhile("The thread's messages kept changing.")


def _extract_window(reader: _Extractor, rows: Sequence[Message]) -> None:
    """Read one window. If memory or extraction is switched off, the window is only marked as read."""
    preferences = get_preferences(reader.owner)
    if not (preferences.memory_on and EXTRACTION.enabled):
        with transaction.atomic():
            _advance(rows, [None] * len(rows), reader.owner)
        return
    window = _window(reader, rows)
    extraction = _extract(reader, window)
    record = Learning(
        owner_id=reader.owner,
        thread_id=rows[0].thread_id,
        source=extraction.source,
        error=extraction.error,
        messages=len(window.parts),
        invalid=sum(extraction.invalid.values()),
    )

    def finish(written: WriteResult | None) -> None:
        check_lease(reader.token)
        _advance(rows[: len(window.parts)], extraction.ends, reader.owner)
        store_record(record, extraction.candidates, written)

    if extraction.candidates:
        pending = not preferences.auto_extract
        write_candidates(
            extraction.candidates, owner=reader.owner, actor=ACTOR, pending=pending, finish=finish
        )
    else:
        with transaction.atomic():
            finish(None)
    reader.actions.update(outcome["action"] for outcome in record.outcomes)


def _window(reader: _Extractor, rows: Sequence[Message]) -> ExtractionWindow:
    user = get_speaker_name(reader.owner)
    earlier = [
        make_utterance(message)
        for message in list_source_messages(
            list_spoken_before(rows[0], CONTEXT_MESSAGES), user, most=CONTEXT_CHARACTERS
        )
    ]
    keys = [(row.pk, row.content) for row in rows]
    fresh = [row for row, key in zip(rows, keys, strict=True) if key not in reader.utterances]
    made = zip(fresh, list_source_messages(fresh, user), strict=True)
    utterances = reader.utterances | {(row.pk, row.content): make_utterance(message) for row, message in made}
    reader.utterances = {key: utterances[key] for key in keys}
    waiting = [
        UnreadMessage(utterances[key], row.unread_from or 0) for row, key in zip(rows, keys, strict=True)
    ]
    return make_window(waiting, earlier)


def _extract(reader: _Extractor, window: ExtractionWindow) -> Extraction:
    left = MODEL_SECONDS - (time.monotonic() - reader.began)
    with time_limit(max(LEAST_MODEL_SECONDS, left)):
        extraction = extract(window, reader.model, unavailable=reader.failed)
    if extraction.failed:
        reader.failed = extraction.error
    return extraction


def _advance(rows: Sequence[Message], ends: Sequence[int | None], owner: UUID) -> None:
    """Move the position of each message, provided that it did not move since it was read."""
    for row, end in zip(rows, ends, strict=True):
        same = Message.objects.filter(
            owner_id=owner, pk=row.pk, unread_from=row.unread_from, do_not_remember=False
        )
        if same.update(unread_from=end) != 1:
            raise MovedMeanwhile("A message changed while it was read.")
