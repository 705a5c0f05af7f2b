"""What a person does about a finding: one act, one batch, taken back like any other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from memories import curation
from memories.curation import Changed, How
from memories.maintenance.reports.findings import DISPUTED, Finding
from memories.maintenance.reports.reading import Seen, get_report, look_at
from memories.maintenance.reports.settling import keep_apart, settle
from memories.models import Memory, Status
from memories.writing import STATED_CONFIDENCE
from memsite.errors import Conflict, InvalidInput, NotFound

#: Acts that keep one side, and what they make of the other.
_SIDES: Final[Mapping[str, How]] = {"keep": "wrong", "past": "past"}
_STANDING: Final = frozenset({Status.PENDING, Status.ACTIVE, Status.DISPUTED})


def mend(
    report_id: str | UUID,
    finding_id: str,
    *,
    owner: UUID,
    actor: str,
    act: str = "",
    keep: UUID | None = None,
) -> Changed:
    """Do to the memories of a finding what its act says; the batch undoes it.

    act: one of the finding's mends, "" for its first. Of a conflict `keep` says that one side is right and
    the other never was, `past` that the other was until now; `keep` names the right side, by default the
    suggested one. `both`: they are two, and both hold. Raises NotFound for no such report or finding,
    InvalidInput for an act or a side that the finding does not have, Conflict when it is settled already.
    """
    seen = _find(report_id, finding_id, owner=owner)
    if not seen.open:
        raise Conflict("This has been settled already.")
    act = act or seen.mends[0]
    if act not in seen.mends:
        raise InvalidInput(f"What can be done about this is: {', '.join(seen.mends)}.", {"act": "unknown"})
    if keep is not None and (act not in _SIDES or keep not in seen.finding.memories):
        raise InvalidInput("Only a side of this conflict can be kept.", {"keep": "unknown"})
    return _carry_out(act, seen, keep or seen.suggested, owner=owner, actor=actor)


def _find(report_id: str | UUID, finding_id: str, *, owner: UUID) -> Seen:
    findings = map(Finding.from_json, get_report(report_id, owner=owner).body.get("findings", ()))
    seen = look_at([finding for finding in findings if finding.id == finding_id], owner=owner)
    if not seen:
        raise NotFound("There is no such finding in this report.")
    return seen[0]


def _carry_out(act: str, seen: Seen, keep: UUID | None, *, owner: UUID, actor: str) -> Changed:
    memories = [memory for memory in seen.memories if memory.status in _STANDING]
    ids = [memory.pk for memory in memories]
    match act:
        case "merge":
            return curation.merge(ids, owner=owner, actor=actor)
        case "keep" | "past" if keep is not None:
            return _decide(seen, keep, _SIDES[act], owner=owner, actor=actor)
        case "both":
            return _let_both_stand(seen, owner=owner, actor=actor)
        case "confirm":
            return _confirm(memories[0], owner=owner, actor=actor)
        case "pin":
            return curation.edit(ids[0], {"pinned": True}, owner=owner, actor=actor)
        case _:
            return curation.forget(ids, owner=owner, actor=actor)


def _decide(seen: Seen, keep: UUID, how: How, *, owner: UUID, actor: str) -> Changed:
    over = [memory for memory in seen.finding.memories if memory != keep]
    if seen.finding.why == DISPUTED:
        return curation.resolve(keep, over, owner=owner, actor=actor, how=how)
    return settle(keep, over, how, owner=owner, actor=actor)


def _let_both_stand(seen: Seen, *, owner: UUID, actor: str) -> Changed:
    first, *others = seen.finding.memories
    if seen.finding.why == DISPUTED:
        return curation.resolve(first, others, owner=owner, actor=actor, how="both")
    return keep_apart(seen.finding.memories, owner=owner, actor=actor)


def _confirm(memory: Memory, *, owner: UUID, actor: str) -> Changed:
    """A person's word: what waited is active, and what was unsure is as sure as what a person states."""
    if memory.status == Status.PENDING:
        return curation.confirm([memory.pk], owner=owner, actor=actor)
    return curation.edit(memory.pk, {"confidence": STATED_CONFIDENCE}, owner=owner, actor=actor)
