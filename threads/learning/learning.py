"""Learn from a thread: turn new messages into episodes, and extract memories from them.

Without a model, rules extract in the same batch. With a model, messages wait until it reads them in windows
(see `extraction_windows`), so that nothing is learnt twice in two wordings; if the model fails, rules read
the window instead.

Each message is processed exactly once: it is marked in the transaction that writes the memories, and only if
no message of the batch was learnt from, marked or deleted meanwhile and the job still holds the owner's
lease. If the process is killed, the next run continues after the last commit.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memories.conf import EXTRACTION
from memories.extraction import extract_by_rules_in_context
from memories.values import Candidate
from memories.writing import WriteResult, drafting, keep_lasting_quotations, write_candidates
from memsite.accounts.preferences import get_preferences
from memsite.errors import NotAllowed
from memsite.jobs import check_lease, renew_lease
from memsite.llm.chat import AnswerSource
from memsite.metering import get_chat_model
from threads.conf import (
    CONTEXT_CHARACTERS,
    CONTEXT_MESSAGES,
    EPISODE_CHARACTERS,
    LEARN_BATCH,
    LEARN_BYTES,
    LEARN_SECONDS,
    LEASE_SECONDS,
)
from threads.learning.episodes import SourceMessage, build_episodes, list_source_messages, make_utterance
from threads.learning.extraction_windows import extract_waiting
from threads.learning.outcomes import ACTOR, MovedMeanwhile, store_record
from threads.models import Learning, Message
from threads.storage import (
    list_spoken_before,
    list_unlearnt_messages,
    load_unlearnt_messages,
    queue_extraction,
    queue_learning,
    wait_for_lease,
)
from threads.visibility import get_speaker_name

_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Learnable:
    """What will be learnt from a message. `waits` says whether the person has to keep it first."""

    contents: tuple[str, ...] = ()
    waits: bool = False


def list_learnable(message: Message) -> Learnable:
    """Return what rules will learn from a user's message; nothing is written.

    Empty if it may not be remembered, if a model is to read it, or if it is so long that reading it would
    delay an answer.
    """
    owner, preferences = message.owner_id, get_preferences(message.owner_id)
    is_off = not (preferences.memory_on and EXTRACTION.enabled) or message.thread.is_temporary
    if is_off or message.do_not_remember or len(message.content) > EPISODE_CHARACTERS:
        return Learnable()
    if get_chat_model("fast", owner=owner) is not None:
        return Learnable()
    sources = list_source_messages([message], get_speaker_name(owner))
    candidates = keep_lasting_quotations(_extract_by_rules(sources, message, owner))
    made = drafting.make_drafts(
        candidates, owner=owner, now=timezone.now(), refused_kinds=preferences.refused_kinds
    )
    memories = [one.memory for one in made if not isinstance(one, drafting.Refusal)]
    waits = not preferences.auto_extract and any(one.kind not in preferences.kept_kinds for one in memories)
    return Learnable(tuple(one.content for one in memories), waits)


def learn_from_thread(thread_id: UUID, *, owner: UUID, whole: bool = False) -> dict[str, int]:
    """Learn from all waiting messages of a thread, oldest first.

    One run per owner at a time. Work that does not fit into the time limit is left to a new job.

    Args:
        whole: Whether a model reads all waiting messages now; otherwise only windows that are due.

    Returns:
        How many candidates met with each action.

    Raises:
        LeaseBusy: If another run of the owner is in progress.
        MovedMeanwhile: If the messages keep changing.
    """
    began = time.monotonic()
    actions = _mirror(thread_id, owner, began)
    read = extract_waiting(thread_id, owner=owner, whole=whole, began=began)
    if not read.is_done:
        queue_rest = queue_extraction if whole else queue_learning
        queue_rest(thread_id, owner=owner)
    return dict(actions + read.actions)


def _mirror(thread_id: UUID, owner: UUID, began: float) -> Counter[str]:
    """Turn waiting messages into episodes and, without a model, extract by rules."""
    actions: Counter[str] = Counter()
    if not list_unlearnt_messages(thread_id, owner=owner).exists():
        return actions
    with wait_for_lease(f"learn:{owner}") as token:
        while (batch := _learn_next(thread_id, owner, token)) is not None:
            actions.update(outcome["action"] for outcome in batch.outcomes)
            if time.monotonic() - began > LEARN_SECONDS:
                queue_learning(thread_id, owner=owner)
                break
            renew_lease(token, LEASE_SECONDS)
    return actions


def _learn_next(thread_id: UUID, owner: UUID, token: UUID) -> Learning | None:
    """Learn from the next batch of messages; return None if none wait."""
    for _ in range(_TRIES):
        messages = load_unlearnt_messages(thread_id, LEARN_BATCH, LEARN_BYTES, owner=owner)
        if not messages:
            return None
        try:
            return _learn_from(messages, owner, token)
        except (MovedMeanwhile, NotAllowed):  # NotAllowed: memory was just switched off
            continue
    raise MovedMeanwhile("The thread's messages kept changing.")


def _learn_from(messages: Sequence[Message], owner: UUID, token: UUID) -> Learning:
    """Learn from one batch. If memory is switched off, the messages are only marked as learnt."""
    preferences = get_preferences(owner)
    extracts = preferences.memory_on and EXTRACTION.enabled
    waits = extracts and get_chat_model("fast", owner=owner) is not None
    candidates = _candidates(messages, owner, waits=waits) if preferences.memory_on else []
    record = Learning(
        owner_id=owner,
        thread_id=messages[0].thread_id,
        source=AnswerSource.NONE if waits else AnswerSource.FALLBACK,
        messages=len(messages),
    )

    def finish(written: WriteResult | None) -> None:
        check_lease(token)
        _mark_learnt(messages, owner, waits=waits)
        if preferences.memory_on:
            store_record(record, candidates, written)

    if candidates:
        pending = not preferences.auto_extract
        write_candidates(candidates, owner=owner, actor=ACTOR, pending=pending, finish=finish)
    else:
        with transaction.atomic():
            finish(None)
    return record


def _candidates(messages: Sequence[Message], owner: UUID, *, waits: bool) -> list[Candidate]:
    """Return the episodes, then what rules extract from the messages with earlier ones as context.

    Args:
        waits: A model will read the messages, so only episodes are made now.
    """
    sources = list_source_messages(messages, get_speaker_name(owner))
    episodes = [episode for one in sources for episode in build_episodes(one)]
    if waits or not EXTRACTION.enabled:
        return episodes
    return [*episodes, *_extract_by_rules(sources, messages[0], owner)]


def _extract_by_rules(sources: Sequence[SourceMessage], first: Message, owner: UUID) -> list[Candidate]:
    """Return what rules find in messages, with those before the first as context."""
    earlier = list_spoken_before(first, CONTEXT_MESSAGES)
    context = list_source_messages(earlier, get_speaker_name(owner), most=CONTEXT_CHARACTERS)
    return extract_by_rules_in_context(
        [make_utterance(one) for one in sources], [make_utterance(one) for one in context], vague=True
    )


def _mark_learnt(messages: Sequence[Message], owner: UUID, *, waits: bool) -> None:
    ids = [message.pk for message in messages]
    waiting = Message.objects.filter(owner_id=owner, id__in=ids, learnt_at=None, do_not_remember=False)
    if waiting.update(learnt_at=timezone.now(), unread_from=0 if waits else None) != len(ids):
        raise MovedMeanwhile("A message changed while it was learnt from.")
