"""Propose which stored memories a draft may be one with.

This happens before the transaction, because it may call a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memories.conf import WRITING
from memories.models import Memory
from memories.storage import Draft
from memories.values import Writer
from memories.writing import drafting
from memories.writing.merging import MERGE, Judgement, TextPair, Union, judge_pairs, may_ask
from memories.writing.similar import SimilarMemory, find_similar
from memories.writing.successors import build_successor
from memsite.errors import RefusedByGate
from memsite.llm.chat import ChatModel


@dataclass(frozen=True, slots=True)
class UnionProposal:
    """A memory similar to a draft, and what to do with the two.

    Nothing is final until the transaction checks it again.

    Attributes:
        similar: The similar memory.
        union: How the two become one, or None if they stay two.
        merged: The embedded successor, if they are merged.
        open: Whether nothing forbids that they are one and no model was asked yet.
        linked: Whether nothing forbids it and they are similar enough to be shown together.
    """

    similar: SimilarMemory
    union: Union | None = None
    merged: Draft | None = None
    open: bool = False
    linked: bool = False


@dataclass(frozen=True, slots=True)
class Proposals:
    """The proposals of a batch.

    Attributes:
        of_drafts: The proposals of each draft, most similar first.
        error: Why a model did not answer; empty if it did.
    """

    of_drafts: tuple[tuple[UnionProposal, ...], ...]
    error: str = ""


def propose_unions(
    drafts: Sequence[Draft], *, owner: UUID, now: datetime, model: ChatModel | None = None
) -> Proposals:
    """Return the memories that each draft may be one with.

    If a model decides, now or in a job, memories that are merely similar are proposed too. No transaction may
    be open if a model is given.
    """
    asks = model is not None or may_ask()
    found = find_similar(drafts, owner=owner, least=WRITING.asked if asks else None)
    similar = [_unless_stored(draft, of_one) for draft, of_one in zip(drafts, found, strict=True)]
    if not any(similar):
        return Proposals(tuple(() for _ in drafts))
    pairs = [_pair(one, draft) for draft, found in zip(drafts, similar, strict=True) for one in found]
    judgement = judge_pairs(pairs, model)
    proposals = [
        tuple(_proposal(one, draft, judgement, owner=owner, now=now) for one in found)
        for draft, found in zip(drafts, similar, strict=True)
    ]
    drafting.embed_drafts([one.merged for found in proposals for one in found if one.merged is not None])
    return Proposals(tuple(proposals), judgement.error)


def _unless_stored(draft: Draft, found: tuple[SimilarMemory, ...]) -> tuple[SimilarMemory, ...]:
    """Return nothing if the identical memory is active: it is strengthened, whatever else is similar."""
    key = bytes(draft.memory.fingerprint)
    return () if any(bytes(one.memory.fingerprint) == key for one in found) else found


def _pair(similar: SimilarMemory, draft: Draft) -> TextPair:
    return TextPair(similar.memory.content, draft.memory.content)


def _proposal(
    similar: SimilarMemory, draft: Draft, judgement: Judgement, *, owner: UUID, now: datetime
) -> UnionProposal:
    pair = _pair(similar, draft)
    union = judgement.of(pair)
    if union is None:
        undecided = pair not in judgement.unions
        alike = similar.similarity >= WRITING.similar
        return UnionProposal(
            similar, open=undecided, linked=alike and (undecided or pair in judgement.judged)
        )
    merged = _merged(similar.memory, draft, union.text, owner=owner, now=now) if union.kind == MERGE else None
    return UnionProposal(similar, union, merged, linked=True)


def _merged(active: Memory, draft: Draft, text: str, *, owner: UUID, now: datetime) -> Draft | None:
    """Return the row of a merge, or None if the gate refuses its text."""
    row = Memory.objects.filter(owner_id=owner, pk=active.pk).first() or active
    both = [row, draft.memory]
    try:
        return build_successor(
            both, text, owner=owner, now=now, written_by=Writer.MODEL, sources=draft.sources
        )
    except RefusedByGate:
        return None
