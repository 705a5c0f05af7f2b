"""Fix a finding: one act is one batch, which can be undone like any other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from memories import curation
from memories.curation import ChangeResult, How
from memories.maintenance.reports.contradictions import mark_as_distinct, settle_contradiction
from memories.maintenance.reports.displayed_report import DisplayedFinding, get_report, read_findings
from memories.maintenance.reports.findings import DISPUTED, Mend, ReportFinding
from memories.models import Memory
from memories.values import Status
from memories.writing import STATED_CONFIDENCE
from memsite.errors import Conflict, InvalidInput, NotFound

#: Acts that keep one side, and what they do to the other.
_SIDES: Final[Mapping[Mend, How]] = {Mend.KEEP: "wrong", Mend.PAST: "past"}
_BOTH_ACTIVE: Final = frozenset({Status.PENDING, Status.ACTIVE, Status.DISPUTED})


def apply_mend(
    report_id: str | UUID,
    finding_id: str,
    *,
    owner: UUID,
    actor: str,
    act: str = Mend.FIRST,
    keep: UUID | None = None,
) -> ChangeResult:
    """Apply an act to the memories of a finding, as one batch that can be undone.

    Args:
        report_id: The report.
        finding_id: The finding.
        owner: The owner.
        actor: Who acts.
        act: One of the finding's acts; empty for the first. For a dispute or conflict, `keep` means that one
            side is right and the others were never true, `past` that the others were true until now, and
            `both` that all are true.
        keep: The right side of a dispute or conflict; by default the suggested one.

    Raises:
        NotFound: If there is no such report or finding.
        InvalidInput: If the finding has no such act or side.
        Conflict: If the finding is settled already.
    """
    seen = _find(report_id, finding_id, owner=owner)
    if not seen.open:
        raise Conflict("This has been settled already.")
    mend = next((one for one in seen.mends if act in {one, Mend.FIRST}), None)
    if mend is None:
        raise InvalidInput(f"What can be done about this is: {', '.join(seen.mends)}.", {"act": "unknown"})
    if keep is not None and (mend not in _SIDES or keep not in seen.finding.memories):
        raise InvalidInput("Only a side of this conflict can be kept.", {"keep": "unknown"})
    return _carry_out(mend, seen, keep or seen.suggested, owner=owner, actor=actor)


def _find(report_id: str | UUID, finding_id: str, *, owner: UUID) -> DisplayedFinding:
    findings = map(ReportFinding.from_json, get_report(report_id, owner=owner).body.get("findings", ()))
    seen = read_findings([finding for finding in findings if finding.id == finding_id], owner=owner)
    if not seen:
        raise NotFound("There is no such finding in this report.")
    return seen[0]


def _carry_out(
    mend: Mend, seen: DisplayedFinding, keep: UUID | None, *, owner: UUID, actor: str
) -> ChangeResult:
    memories = [memory for memory in seen.memories if memory.status in _BOTH_ACTIVE]
    ids = [memory.pk for memory in memories]
    match mend:
        case Mend.MERGE:
            return curation.merge_memories(ids, owner=owner, actor=actor)
        case Mend.KEEP | Mend.PAST if keep is not None:
            return _decide(seen, keep, _SIDES[mend], owner=owner, actor=actor)
        case Mend.BOTH:
            return _let_both_stand(seen, owner=owner, actor=actor)
        case Mend.CONFIRM:
            return _confirm(memories[0], owner=owner, actor=actor)
        case Mend.PIN:
            return curation.edit_memory(ids[0], {"pinned": True}, owner=owner, actor=actor)
        case _:
            return curation.forget_memories(ids, owner=owner, actor=actor)


def _decide(seen: DisplayedFinding, keep: UUID, how: How, *, owner: UUID, actor: str) -> ChangeResult:
    if seen.finding.why == DISPUTED:
        return curation.resolve_dispute(keep, owner=owner, actor=actor, how=how)
    over = [memory.pk for memory in seen.sides if memory.pk != keep]
    return settle_contradiction(keep, over, how, owner=owner, actor=actor)


def _let_both_stand(seen: DisplayedFinding, *, owner: UUID, actor: str) -> ChangeResult:
    if seen.finding.why == DISPUTED:
        widest = max(seen.sides, key=lambda memory: len(memory.opponents)).pk
        return curation.resolve_dispute(widest, owner=owner, actor=actor, how="both")
    ids = [memory.pk for memory in seen.sides]
    return mark_as_distinct(ids, owner=owner, actor=actor, true_now=True)


def _confirm(memory: Memory, *, owner: UUID, actor: str) -> ChangeResult:
    """Activate a pending memory, or give an unsure one the confidence of a person's statement."""
    sure = None if memory.status == Status.PENDING else STATED_CONFIDENCE
    return curation.confirm_memories([memory.pk], owner=owner, actor=actor, confidence=sure)
