"""Write candidates to an owner's memory: gate, fingerprint, similar memories, conflicts, storage, event."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

import structlog
from django.utils import timezone

from memories.extraction import keep_lasting
from memories.models import LinkKind, Memory
from memories.storage import Draft, WriteBatch, find_last_turns, open_batch
from memories.text import find_requirement
from memories.values import UNPROVEN, Action, Candidate, Layer
from memories.writing import changes, drafting
from memories.writing.batch_state import MODELS, BatchState
from memories.writing.drafting import Refusal
from memories.writing.merging import may_ask
from memories.writing.placement import CHANGES_NOTHING, OPEN, TOO_MUCH, place_draft
from memories.writing.proposals import UnionProposal, propose_unions
from memsite.accounts.preferences import get_preferences
from memsite.errors import NotAllowed
from memsite.jobs import enqueue
from memsite.llm.chat import ChatModel
from memsite.llm.embedding import get_sentence_embedder

log = structlog.get_logger("memories")

#: The task that asks a model whether similar memories are one.
JUDGE: Final = "memories.tasks.judge_near"


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """The result for one candidate.

    Attributes:
        memory: The active row that results, or None when the candidate is refused.
        reason: Why, where the action alone does not explain it.
    """

    action: Action
    memory: Memory | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The result of one batch.

    Attributes:
        outcomes: One outcome per candidate, in the order of the candidates.
        batch_id: The id by which the whole batch can be undone.
        error: Why the model that compares similar memories did not answer; empty if it did or was not asked.
    """

    outcomes: tuple[WriteOutcome, ...]
    batch_id: UUID
    error: str = ""


@dataclass(frozen=True, slots=True)
class _Waits:
    """The memories that wait for approval: none, or all but episodes and the kinds always kept."""

    pending: bool
    kept_kinds: Collection[str]

    def holds(self, memory: Memory) -> bool:
        """Return whether this memory waits."""
        return self.pending and memory.layer != Layer.EPISODIC and memory.kind not in self.kept_kinds


def write_candidates(
    candidates: Sequence[Candidate],
    *,
    owner: UUID,
    actor: str,
    pending: bool = False,
    model: ChatModel | None = None,
    batch_id: UUID | None = None,
    finish: Callable[[WriteResult], None] | None = None,
) -> WriteResult:
    """Write candidates into one owner's memory, with one embedding call and one transaction.

    Learning the same thing from the same source again gives the action `known` and changes nothing.

    Args:
        candidates: The candidates to write.
        owner: The owner of the memories.
        actor: Who writes, for the events.
        pending: Whether memories other than episodes wait for a person's approval. The kinds that the person
            always keeps do not.
        model: The model that decides which similar memories are one. The call waits for it, so only jobs may
            pass it, outside of any transaction. Without it, similar memories are compared by their wording
            now, and by a job later.
        batch_id: A batch that an earlier call began, so that all of its parts are undone together.
        finish: Called last inside the transaction. An exception from it rolls everything back.

    Returns:
        The outcomes and the id of the batch.

    Raises:
        NotAllowed: If the owner's memory is switched off.
    """
    preferences = get_preferences(owner)
    if not preferences.memory_on:
        raise NotAllowed("Memory is switched off for this person.")
    now = timezone.now()
    candidates = [_tag_requirement(one) for one in keep_lasting_quotations(candidates)]
    prepared = drafting.make_drafts(candidates, owner=owner, now=now, refused_kinds=preferences.refused_kinds)
    prepared = [Refusal(CHANGES_NOTHING) if _is_idle(item) else item for item in prepared]
    drafts = [item for item in prepared if isinstance(item, Draft)]
    drafting.embed_drafts(drafts)
    proposed = propose_unions(drafts, owner=owner, now=now, model=model)
    with open_batch(owner=owner, actor=actor, batch_id=batch_id) as batch:
        state = BatchState.load(drafts, proposed.of_drafts, owner=owner)
        _number_turns(drafts, owner=owner)
        proposals = iter(proposed.of_drafts)
        waits = _Waits(pending, preferences.kept_kinds)
        outcomes = tuple(
            _write_item(item, next(proposals) if isinstance(item, Draft) else (), batch, state, waits)
            for item in prepared
        )
        _queue_judgement(batch, owner=owner)
        written = WriteResult(outcomes, batch.batch_id, proposed.error)
        stopped = sum(outcome.reason == TOO_MUCH for outcome in outcomes)
        if stopped:
            log.warning("a model's answer would retire too many memories", held=stopped, actor=actor)
        if finish is not None:
            finish(written)
    return written


def keep_lasting_quotations(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return the candidates; those with `only_changes` that tell something that lasts lose this mark.

    Without the sentence model, or if it fails, the candidates are returned as they are.
    """
    embedder = get_sentence_embedder() if any(one.only_changes for one in candidates) else None
    if embedder is None:
        return candidates
    try:
        return keep_lasting(candidates, embedder.embed_passages)
    except Exception as error:  # noqa: BLE001 - what rules read is learnt all the same
        log.warning("statements not estimated by the sentence model", error=type(error).__name__)
        return candidates


def _tag_requirement(candidate: Candidate) -> Candidate:
    """Return the candidate with the tag of a requirement, if it is one."""
    tag = find_requirement(candidate.content, subject=candidate.subject, kind=candidate.kind)
    if tag is None or tag in candidate.tags:
        return candidate
    return replace(candidate, tags=(*candidate.tags, tag.value))


def _write_item(
    item: Draft | Refusal,
    proposals: Sequence[UnionProposal],
    batch: WriteBatch,
    state: BatchState,
    waits: _Waits,
) -> WriteOutcome:
    if isinstance(item, Refusal):
        return WriteOutcome(Action.REFUSED, None, item.reason)
    unproven = item.memory.written_by in MODELS and item.memory.metadata.get(UNPROVEN)
    held = bool(unproven) or waits.holds(item.memory)
    placed = place_draft(item, batch, state, pending=held, proposals=proposals)
    return WriteOutcome(placed.action, placed.memory, placed.reason)


def _is_idle(item: Draft | Refusal) -> bool:
    """Return whether a draft may be written only if it changes a memory, but its words state no change."""
    if isinstance(item, Refusal) or not item.only_changes:
        return False
    return not changes.may_tell_of_change(item.memory.content)


def _queue_judgement(batch: WriteBatch, *, owner: UUID) -> None:
    """Queue the job that asks the model, if there is one, about pairs it was not asked about yet."""
    if may_ask() and batch.list_new_links(LinkKind.RELATED, OPEN):
        enqueue(JUDGE, str(owner), owner=owner, unique_key=f"judge:{owner}")


def _number_turns(drafts: Sequence[Draft], *, owner: UUID) -> None:
    """Number the episodes of each session in the order given, after those that are stored."""
    episodes = [item.memory for item in drafts if item.memory.layer == Layer.EPISODIC]
    turns = find_last_turns({memory.session for memory in episodes}, owner=owner) if episodes else {}
    for memory in episodes:
        memory.turn = turns[memory.session] = turns.get(memory.session, 0) + 1
