"""Perform a planned act of staff owner by owner, undo one, and list the recent ones."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memories import curation
from memories.admin.acts import ACTS, Plan, Share
from memories.models import Memory
from memsite.accounts.audit import UNDO, find_undone, list_batches, list_owners_of_batch, record
from memsite.accounts.models import AuditEntry
from memsite.errors import MemsiteError, NotFound
from memsite.values import new_id

#: What audit entries call the rows.
SUBJECT: Final = "memories"
BATCHES_SHOWN: Final = 50
_LINKS: Final = 3  # per batch


@dataclass(slots=True)
class Outcome:
    """The result of an act or of an undo.

    Attributes:
        batch_id: The id of its batches, one an owner.
        count: How many memories changed.
        left_out: How many stay as they were.
        owners: How many people's memories changed.
        errors: Why an owner's memories stayed as they were, in the language of the page.
    """

    batch_id: UUID
    count: int = 0
    left_out: int = 0
    owners: int = 0
    errors: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class StaffBatch:
    """One owner's part of an act of staff, as the list of recent acts shows it.

    Attributes:
        links: Ids of the first memories.
        more: How many memories have no link.
    """

    entry: AuditEntry
    links: list[UUID]
    more: int
    is_undone: bool


def perform_act(plan: Plan, *, staff: str, actor: str) -> Outcome:
    """Do what a plan says, and record it in each owner's audit.

    Args:
        plan: The plan, made from the memories as they are now.
        staff: User name of who acts, for the audit.
        actor: The same as events name it.
    """
    outcome = Outcome(new_id(), left_out=len(plan.refused))
    for share in plan.shares:
        if share.chosen:
            try:
                _perform_share(plan, share, outcome, staff=staff, actor=actor)
            except MemsiteError as error:
                outcome.errors.append(f"{share.name}: {_(error.message)}")
    return outcome


def undo_act(batch_id: UUID, *, staff: str, actor: str, owner: UUID | None = None) -> Outcome:
    """Undo an act of staff, for all of its owners or for one of them.

    Raises:
        NotFound: If staff made no such batch.
    """
    owners = [one for one in list_owners_of_batch(batch_id) if owner in {None, one}]
    if not owners:
        raise NotFound("There is no such batch.")
    outcome = Outcome(batch_id)
    for one in owners:
        try:
            _undo_share(batch_id, one, outcome, staff=staff, actor=actor)
        except MemsiteError as error:
            outcome.errors.append(_(error.message))
    return outcome


def list_staff_batches(*, start: int = 0) -> tuple[list[StaffBatch], bool]:
    """Return the recent acts of staff, and whether there are older ones. The number of queries is fixed."""
    entries = list_batches(start=start, most=BATCHES_SHOWN + 1)
    shown = entries[:BATCHES_SHOWN]
    undone = find_undone(shown)
    batches = [
        StaffBatch(
            entry,
            entry.subject_ids[:_LINKS],
            len(entry.subject_ids[_LINKS:]),
            (entry.owner_id, entry.batch_id) in undone,
        )
        for entry in shown
    ]
    return batches, len(entries) > BATCHES_SHOWN


def describe_outcome(plan: Plan, outcome: Outcome) -> str:
    """Return what was done, as a notice says it."""
    if not outcome.count:
        return _("Nothing was changed.")
    texts = {
        "approve": ngettext("%d memory approved.", "%d memories approved.", outcome.count),
        "forget": ngettext("%d memory forgotten.", "%d memories forgotten.", outcome.count),
        "restore": ngettext("%d memory restored.", "%d memories restored.", outcome.count),
        "merge": ngettext("%d memory merged.", "%d memories merged.", outcome.count),
        "change-kind": ngettext(
            "The kind of %d memory changed.", "The kind of %d memories changed.", outcome.count
        ),
        "pin": ngettext("%d memory pinned.", "%d memories pinned.", outcome.count),
        "unpin": ngettext("%d memory no longer pinned.", "%d memories no longer pinned.", outcome.count),
    }
    parts = [texts[plan.act.name] % outcome.count]
    if outcome.owners > 1:
        parts.append(_("They belong to %d people.") % outcome.owners)
    if outcome.left_out:
        stays = ngettext("%d stays as it is.", "%d stay as they are.", outcome.left_out)
        parts.append(stays % outcome.left_out)
    return " ".join(parts)


def _perform_share(plan: Plan, share: Share, outcome: Outcome, *, staff: str, actor: str) -> None:
    ids = [memory.pk for memory in share.chosen]
    # A merge asks the embedding model, which no transaction waits for; it is recorded right after it.
    calls_model = plan.act is ACTS["merge"]
    with nullcontext() if calls_model else transaction.atomic():
        given = {"owner": share.owner, "actor": actor, "batch_id": outcome.batch_id}
        result = plan.act.apply(ids, plan.options, **given)
        if result.count:
            _record(plan.act.entry, share.chosen, share.owner, staff=staff, batch_id=outcome.batch_id)
    outcome.count += result.count
    outcome.left_out += result.left_out
    outcome.owners += bool(result.count)


def _undo_share(batch_id: UUID, owner: UUID, outcome: Outcome, *, staff: str, actor: str) -> None:
    with transaction.atomic():
        changed = curation.undo_batch(batch_id, owner=owner, actor=actor)
        _record(UNDO, changed.memories, owner, staff=staff, batch_id=changed.batch_id, undone=batch_id)
    outcome.count += len(changed.memories)
    outcome.left_out += len(changed.left_out)
    outcome.owners += 1


def _record(
    entry: str,
    memories: Sequence[Memory],
    owner: UUID,
    *,
    staff: str,
    batch_id: UUID,
    undone: UUID | None = None,
) -> None:
    seen = [(owner, memory.pk) for memory in memories]
    record(staff, entry, SUBJECT, seen, batch_id=batch_id, undone=undone)
