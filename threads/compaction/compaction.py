"""Keep a branch within its limit of live tokens by offloading bulky content, oldest first.

Compaction is due when the current branch has 80 % of `pre_rot` tokens. It offloads tool results, oldest
first, then long messages of user and assistant, until 60 % of `pre_rot` is left or nothing bulky remains. The
last messages and system messages are never offloaded. Each batch is one transaction that holds the thread's
lock: a concurrent reader sees a message whole or as a pointer, with the matching token count. If the process
is killed, completed batches remain, and the next run continues.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from memsite.errors import NotFound
from memsite.values import MessageRole
from threads.compaction.context_settings import ContextSettings, load_settings
from threads.compaction.offloading import offload_content, restore_content
from threads.compaction.token_counts import (
    add_to_metrics,
    forget_totals,
    recount_live_tokens,
    sum_live_tokens,
)
from threads.conf import BULKY_TOKENS, COMPACTION, COMPACTION_BATCH, COMPACTION_GROWTH
from threads.models import Branch, Message, Offload, Thread
from threads.storage import get_thread, list_messages, load_path, log_thread_event, queue_compaction

#: Roles in the order in which they are offloaded.
_ORDER: Final = (Q(role=MessageRole.TOOL), Q(role__in=(MessageRole.USER, MessageRole.ASSISTANT)))


@dataclass(frozen=True, slots=True)
class CompactionResult:
    """The result of a compaction.

    Attributes:
        messages: Number of messages offloaded.
        tokens_before: Live tokens of the current branch before the run.
        tokens_after: Live tokens after it.
        is_full: Whether the live tokens left require a summary.
    """

    messages: int
    tokens_before: int
    tokens_after: int
    is_full: bool
    branch_id: UUID | None

    def as_json(self) -> dict[str, int]:
        """Return the numbers as a job's result."""
        return {
            "messages": self.messages,
            "tokens_before": self.tokens_before,
            "tokens_after": self.tokens_after,
            "tokens_saved": self.tokens_before - self.tokens_after,
        }


#: The result of a run with nothing to do.
NO_COMPACTION: Final = CompactionResult(0, 0, 0, is_full=False, branch_id=None)


def compact_branch(thread_id: str | UUID, *, owner: UUID, force: bool = False) -> CompactionResult:
    """Compact the current branch if that is due.

    Args:
        force: Offload all bulky content, due or not.

    Raises:
        NotFound: If the owner has no such thread.
    """
    thread = get_thread(thread_id, owner=owner)
    run = _Run(thread, load_settings(thread), force=force)
    if run.is_wanted:
        for wanted in _ORDER:
            run.offload_all(wanted)
        _store_live_tokens(thread)
    return CompactionResult(
        messages=run.messages,
        tokens_before=run.before,
        tokens_after=run.live,
        is_full=run.is_on and run.live >= run.settings.summarisation_tokens,
        branch_id=thread.current_branch_id,
    )


def restore_messages(thread_id: str | UUID, message_ids: Collection[UUID], *, owner: UUID) -> list[Message]:
    """Restore the content of messages, byte for byte, and return the messages in their order.

    A message that was not compacted does not change. The branch may then grow by 5 % of `pre_rot` before it
    is compacted again.

    Raises:
        NotFound: If a message is not in this thread; then nothing changes.
    """
    ids = set(message_ids)
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        mine = Message.objects.filter(owner_id=owner, thread=thread, pk__in=ids)
        before = {row.pk: row.token_count for row in mine.only("token_count")}
        if len(before) != len(ids):
            raise NotFound("There is no such message in this thread.")
        back = restore_content(thread, ids)
        rows = list(mine.order_by("depth", "id"))
        if back:
            forget_totals(thread.pk, owner=owner)
            _store_live_tokens(thread)
            grown = sum(row.token_count for row in rows) - sum(before.values())
            add_to_metrics(thread, restored=len(back), tokens_saved=-grown)
    return rows


def queue_if_above_threshold(thread: Thread) -> None:
    """Queue a compaction in the caller's transaction if the branch that was appended to requires one.

    A temporary thread is compacted immediately, because it never has jobs. No query unless compaction may be
    due.
    """
    settings, branch = load_settings(thread), thread.current_branch
    if branch is None or not settings.is_on:
        return
    if branch.live_tokens is None or _is_due(branch, settings):
        recount_live_tokens(branch)  # the stored total is never too low, but may be too high
    if not _is_due(branch, settings):
        return
    if thread.is_temporary:
        compact_branch(thread.pk, owner=thread.owner_id)
    else:
        queue_compaction(thread.pk, owner=thread.owner_id)


class _Run:
    """One compaction.

    Attributes:
        live: Live tokens of the branch at the moment.
        messages: Number of messages offloaded so far.
    """

    def __init__(self, thread: Thread, settings: ContextSettings, *, force: bool) -> None:
        self.thread = thread
        self.settings = settings
        self.path = load_path(thread.current_branch)
        self.before = self.live = sum_live_tokens(self.path, owner=thread.owner_id)
        self.force = force
        self.target = 0 if force else int(settings.pre_rot * COMPACTION.compact_to)
        self.messages = 0

    @property
    def is_on(self) -> bool:
        """Whether compaction is switched on or forced."""
        return self.force or self.settings.is_on

    @property
    def is_wanted(self) -> bool:
        """Whether the branch is to be compacted now."""
        return self.force or (self.is_on and self.live >= self.settings.compaction_tokens)

    def offload_all(self, wanted: Q) -> None:
        """Offload bulky messages that match a condition, oldest first, in batches."""
        last = -1
        while self.live > self.target and (rows := self._batch(wanted, last)):
            last = rows[-1].depth
            self._offload_rows(rows)

    def _batch(self, wanted: Q, after: int) -> list[Message]:
        rows = list_messages(self.path, owner=self.thread.owner_id).filter(
            wanted, depth__gt=after, is_compacted=False, token_count__gt=BULKY_TOKENS
        )
        kept = _find_last_kept(self.thread, self.settings.keep_last)
        return list(rows.exclude(pk__in=kept).order_by("depth")[:COMPACTION_BATCH])

    def _offload_rows(self, rows: Sequence[Message]) -> None:
        """Create as many pointers as are needed, and write them.

        Messages that changed since they were read are skipped.
        """
        offloads: list[Offload] = []
        saved = 0
        for row in rows:
            if self.live - saved <= self.target:
                break
            for one in offload_content([row]):
                offloads.append(one)
                saved += one.token_count - row.token_count
        if offloads:
            self._write(offloads)

    def _write(self, offloads: Sequence[Offload]) -> None:
        with transaction.atomic():
            thread = get_thread(self.thread.pk, owner=self.thread.owner_id, lock=True)
            unchanged = Message.objects.filter(
                owner_id=thread.owner_id, pk__in=[one.message_id for one in offloads], is_compacted=False
            ).exclude(pk__in=_find_last_kept(thread, self.settings.keep_last))
            ids = set(unchanged.values_list("pk", flat=True))
            kept = [one for one in offloads if one.message_id in ids]
            Offload.objects.bulk_create(kept)
            Message.objects.bulk_update(
                [one.message for one in kept], ["content", "token_count", "is_compacted"]
            )
            saved = sum(one.token_count - one.message.token_count for one in kept)
            add_to_metrics(
                thread,
                compactions=int(self.messages == 0 and bool(kept)),
                offloaded=len(kept),
                tokens_saved=saved,
                around=(self.before, self.live - saved),
            )
            if kept:
                log_thread_event(thread, action="compacted")
        self.live -= saved
        self.messages += len(kept)


def _find_last_kept(thread: Thread, number: int) -> list[UUID]:
    """Return the last messages of the current branch, which are never offloaded."""
    rows = list_messages(load_path(thread.current_branch), owner=thread.owner_id).order_by("-depth")
    return list(rows.values_list("pk", flat=True)[:number])


def _is_due(branch: Branch, settings: ContextSettings) -> bool:
    """Return whether a branch is to be compacted.

    If the last run found nothing more to offload, the branch first has to grow by COMPACTION_GROWTH.
    """
    least = settings.compaction_tokens
    if branch.compacted_to is not None:
        least = max(least, branch.compacted_to + int(settings.pre_rot * COMPACTION_GROWTH))
    return (branch.live_tokens or 0) >= least


def _store_live_tokens(thread: Thread) -> None:
    """Store the live tokens of the current branch after a compaction."""
    with transaction.atomic():
        branch = get_thread(thread.pk, owner=thread.owner_id, lock=True).current_branch
        if branch is not None:
            branch.compacted_to = recount_live_tokens(branch)
            branch.save(update_fields=["compacted_to"])
