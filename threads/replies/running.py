"""Look after the replies that this process is writing: stop them on request, and save drafts.

Both are one statement for all replies of the process. The draft is a sign of life, too: a reply without one
for REPLY_LOST_AFTER belonged to a process that was killed, and `storing.end_lost` ends it. The draft of a
reply that a page follows is saved at each look.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from typing import Final, Protocol
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog
from django.db import Error as DatabaseError
from django.db import connection
from django.utils import timezone

from memsite.serving.postgres import across_owners
from memsite.serving.streaming import run_in_stream_thread
from threads.conf import DRAFT_SECONDS, FOLLOWED_FOR, STOP_LOOK_SECONDS

_log = structlog.get_logger("threads")
_HAND_OVER_PAUSE: Final = 0.05
_REQUESTED: Final = """
    SELECT id, stop_requested_at IS NOT NULL FROM threads_reply
    WHERE id = ANY(%(ids)s) AND (stop_requested_at IS NOT NULL OR followed_at > %(since)s)
"""
# A draft that has not changed is not sent again.
_SAVE: Final = """
    UPDATE threads_reply AS reply
    SET draft = coalesce(new.draft, reply.draft),
        heartbeat_at = CASE WHEN %(is_left)s THEN 'epoch' ELSE now() END
    FROM unnest(%(owners)s::uuid[], %(ids)s::uuid[], %(drafts)s::text[]) AS new (owner_id, id, draft)
    WHERE reply.owner_id = new.owner_id AND reply.id = new.id AND reply.status = 'running'
"""


class RunningAnswer(Protocol):
    """An answer that is being written."""

    @property
    def id(self) -> UUID:
        """Id of the reply."""

    @property
    def owner(self) -> UUID:
        """Id of the reply's owner."""

    @property
    def text(self) -> str:
        """The text produced so far."""

    def stop(self) -> None:
        """End the answer with what was produced so far."""


@contextmanager
def keep_running(answer: RunningAnswer) -> Iterator[Sized]:
    """Look after an answer inside the block. Yield all answers that this process is writing."""
    keeper = _keepers.setdefault(asyncio.get_running_loop(), _Keeper())
    keeper.add(answer)
    try:
        yield keeper.answers
    finally:
        keeper.answers.pop(answer.id, None)


async def hand_over(seconds: float) -> None:
    """Wait up to `seconds` for running answers to end; save the others, which another process then ends."""
    keeper = _keepers.get(asyncio.get_running_loop())
    end = time.monotonic() + seconds
    while keeper is not None and keeper.answers:
        if time.monotonic() > end:
            await keeper.save(is_left=True)
            return
        await asyncio.sleep(_HAND_OVER_PAUSE)


class _Keeper:
    """Looks after the answers of one event loop."""

    def __init__(self) -> None:
        self.answers: dict[UUID, RunningAnswer] = {}
        self._saved: dict[UUID, int] = {}  # characters of each answer's draft
        self._task: asyncio.Task[None] | None = None

    def add(self, answer: RunningAnswer) -> None:
        self.answers[answer.id] = answer
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        due = time.monotonic() + DRAFT_SECONDS
        while self.answers:
            await asyncio.sleep(STOP_LOOK_SECONDS)
            try:
                followed = await self._look()
                if time.monotonic() >= due:
                    await self.save()
                    due = time.monotonic() + DRAFT_SECONDS
                elif followed:
                    await self.save(followed)
            except DatabaseError as error:  # the answers continue without the database
                _log.warning("running replies could not be looked after", kind=type(error).__name__)

    async def _look(self) -> list[RunningAnswer]:
        """Stop the answers that a person asked to stop, and return those that pages follow."""
        found = await run_in_stream_thread(_requested, list(self.answers))
        live = [(self.answers[reply], stops) for reply, stops in found if reply in self.answers]
        for answer, stops in live:
            if stops:
                answer.stop()
        return [answer for answer, stops in live if not stops]

    async def save(self, answers: Iterable[RunningAnswer] | None = None, *, is_left: bool = False) -> None:
        """Save the drafts, by default all; with `is_left` as those of a process that ends."""
        drafts = [(one, one.text) for one in (self.answers.values() if answers is None else answers)]
        news = [text if len(text) != self._saved.get(one.id, 0) else None for one, text in drafts]
        await run_in_stream_thread(_save, [one for one, _ in drafts], news, is_left)
        kept = {key: length for key, length in self._saved.items() if key in self.answers}
        self._saved = kept | {one.id: len(text) for one, text in drafts}


_keepers: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, _Keeper]] = WeakKeyDictionary()


@across_owners()
def _requested(ids: list[UUID]) -> list[tuple[UUID, bool]]:
    """Return which of these replies are to stop (true) or are followed (false).

    Across owners: the ids are this process's own.
    """
    with connection.cursor() as cursor:
        cursor.execute(_REQUESTED, {"ids": ids, "since": timezone.now() - FOLLOWED_FOR})
        return list(cursor.fetchall())


@across_owners()
def _save(answers: Sequence[RunningAnswer], drafts: Sequence[str | None], is_left: bool) -> None:  # noqa: FBT001 - called by position on another thread
    values: dict[str, list[UUID] | list[str | None] | bool] = {
        "owners": [one.owner for one in answers],
        "ids": [one.id for one in answers],
        "drafts": list(drafts),
        "is_left": is_left,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SAVE, values)
