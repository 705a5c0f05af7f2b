"""Build the preview of an act: the memories that change, and those that do not, with the reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise

from memories.admin.acts import FIXED_KINDS, Plan, Refusal, Share
from memories.models import Memory
from memories.models.labels import KIND_LABELS
from memories.values import KINDS, Layer

#: How many memories of a plan are shown, and how many of each reason to leave some.
_SHOWN: Final = 20
_SHOWN_REFUSED: Final = 5


@dataclass(frozen=True, slots=True)
class RefusedGroup:
    """Memories that stay as they are for one reason: how many, and the first of them."""

    why: str
    count: int
    first: Sequence[Memory]

    @property
    def more(self) -> int:
        """How many are not shown."""
        return self.count - len(self.first)


@dataclass(frozen=True, slots=True)
class Preview:
    """The content of the preview.

    Attributes:
        ids: All memories of the plan, as the form sends them.
        first: The first memories that change.
        more: How many of those are not shown.
        refused: What stays as it is, by reason.
        merges: The owners' parts of a merge.
        text: The text of a merge that staff may change; None unless all memories are of one owner.
        kinds: Kinds to choose from, for an act that changes the kind.
        is_ready: Whether the act can be confirmed.
    """

    ids: str
    first: Sequence[Memory]
    more: int
    refused: Sequence[RefusedGroup]
    merges: Sequence[Share]
    text: str | None
    kinds: Sequence[tuple[str, Promise]]
    is_ready: bool

    @property
    def shown(self) -> list[Memory]:
        """All memories whose text is shown."""
        parts = [memory for share in self.merges for memory in share.chosen]
        left = [memory for group in self.refused for memory in group.first]
        return list({memory.pk: memory for memory in [*self.first, *parts, *left]}.values())


def describe_plan(plan: Plan) -> Preview:
    """Return what the preview of a plan shows."""
    chosen, is_merge = plan.chosen, plan.act.name == "merge"
    merges = [share for share in plan.shares if share.chosen] if is_merge else []
    needs_kind = plan.act.name == "change-kind"
    memories = [*chosen, *(refusal.memory for refusal in plan.refused)]
    return Preview(
        ids=",".join(str(memory.pk) for memory in memories),
        first=() if is_merge else chosen[:_SHOWN],
        more=0 if is_merge else max(0, len(chosen) - _SHOWN),
        refused=_group(plan.refused),
        merges=merges,
        text=_suggest_text(merges[0]) if len(merges) == 1 and len(plan.shares) == 1 else None,
        kinds=_list_kinds(memories) if needs_kind else (),
        is_ready=bool(chosen) and (not needs_kind or bool(plan.options.kind)),
    )


def _group(refused: Sequence[Refusal]) -> list[RefusedGroup]:
    reasons: dict[str, list[Memory]] = {}
    for refusal in refused:
        reasons.setdefault(refusal.why, []).append(refusal.memory)
    return [RefusedGroup(why, len(rows), rows[:_SHOWN_REFUSED]) for why, rows in reasons.items()]


def _suggest_text(share: Share) -> str:
    """Return the text of a merge, or where a person must write it, the texts of the parts as lines."""
    return share.text or "\n".join(dict.fromkeys(memory.content for memory in share.chosen))


def _list_kinds(memories: Sequence[Memory]) -> list[tuple[str, Promise]]:
    """Return the kinds that fit any of the memories' layers."""
    fitting = {kind for memory in memories for kind in KINDS[Layer(memory.layer)]} - FIXED_KINDS
    return [(str(kind), label) for kind, label in KIND_LABELS.items() if kind in fitting]
