"""The acts of staff on many memories, and the plan of an act: what it changes, and what it leaves and why.

Each act is one of `memories.curation`, owner by owner. All owners' batches of one act have one id, so that it
can be undone as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories import curation
from memories.curation.bulk import (
    BulkResult,
    change_kind_of_many,
    forget_many,
    keep_many,
    pin_many,
    restore_many,
)
from memories.models import IS_ACTIVE, Memory
from memories.values import KINDS, Kind, Layer, Status
from memsite.errors import Conflict, InvalidInput

#: The most memories that one act takes, and the most that become one.
MOST_ACTED: Final = 2_000
MOST_MERGED: Final = 50
#: Kinds whose identity is not their text: they stay, and nothing becomes one of them.
FIXED_KINDS: Final = frozenset({Kind.RELATION, Kind.ENTITY})


@dataclass(frozen=True, slots=True)
class Options:
    """The choices of staff for an act, besides the memories.

    Attributes:
        kind: The new kind, for an act that changes it; "" until it is chosen.
        content: The text of the merged memory; "" for the one that is made of the parts.
    """

    kind: str = ""
    content: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A memory that an act leaves as it is, and why."""

    memory: Memory
    why: str


@dataclass(slots=True)
class Share:
    """One owner's part of a plan.

    Attributes:
        owner: The owner's id.
        name: The owner's user name.
        chosen: The memories that change.
        refused: Those that stay as they are.
        text: What a merge would write; "" for other acts, and where a person must write it.
    """

    owner: UUID
    name: str
    chosen: list[Memory] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Act:
    """One act on many memories.

    Attributes:
        name: Its name in addresses.
        entry: Its name in the audit, which translates it.
        label: Its name in the list of actions.
        question: The heading of its preview.
        note: What it does, in a sentence.
        refuse: Returns why a memory stays as it is, or None. Its last argument are the ids of memories whose
            text another active memory has.
        apply: Changes memories of one owner.
    """

    name: str
    entry: str
    label: Promise
    question: Promise
    note: Promise
    refuse: Callable[[Memory, Options, Collection[UUID]], Promise | None]
    apply: Callable[..., BulkResult]


@dataclass(frozen=True, slots=True)
class Plan:
    """The changes that an act will make, by owner."""

    act: Act
    options: Options
    shares: tuple[Share, ...]

    @property
    def confirmation(self) -> str:
        """The value that the preview's button sends. It confirms this plan, but no plan with another kind."""
        return self.options.kind or "yes"

    @property
    def chosen(self) -> list[Memory]:
        """The memories of all owners that change."""
        return [memory for share in self.shares for memory in share.chosen]

    @property
    def refused(self) -> list[Refusal]:
        """The memories of all owners that stay as they are."""
        return [refusal for share in self.shares for refusal in share.refused]

    @property
    def owners(self) -> list[str]:
        """The user names of those whose memories change."""
        return [share.name for share in self.shares if share.chosen]


def make_plan(act: Act, memories: Sequence[Memory], options: Options) -> Plan:
    """Return what an act will do to these memories, whose owners are loaded. Makes at most one query."""
    repeated = _find_repeated(memories) if act is ACTS["restore"] else frozenset()
    shares: dict[UUID, Share] = {}
    for memory in memories:
        share = shares.setdefault(memory.owner_id, Share(memory.owner_id, memory.owner.username))
        why = act.refuse(memory, options, repeated)
        if why is None:
            share.chosen.append(memory)
        else:
            share.refused.append(Refusal(memory, str(why)))
    if act is ACTS["merge"]:
        for share in shares.values():
            _plan_merge(share, content=options.content, may_write=len(shares) == 1)
    return Plan(act, options, tuple(shares.values()))


def list_applicable(memory: Memory) -> list[Act]:
    """Return the acts that change this one memory."""
    ready = Options(kind=memory.kind)
    fits = [act for act in ACTS.values() if act.name not in {"merge", "change-kind"}]
    found = [act for act in fits if act.refuse(memory, ready, ()) is None]
    return found if memory.kind in FIXED_KINDS else [*found, ACTS["change-kind"]]


def _plan_merge(share: Share, *, content: str, may_write: bool) -> None:
    """Set the text that a merge writes, or refuse all of an owner's memories if they cannot become one."""
    if len(share.chosen) > MOST_MERGED:
        _refuse_all(share, gettext("At most 50 memories become one."))
        return
    try:
        share.text = content or curation.join_memories(share.chosen)
    except Conflict as error:
        if not may_write:
            _refuse_all(share, gettext(error.message))
    except InvalidInput as error:
        _refuse_all(share, gettext(error.message))


def _refuse_all(share: Share, why: str) -> None:
    share.refused += [Refusal(memory, why) for memory in share.chosen]
    share.chosen = []


def _find_repeated(memories: Sequence[Memory]) -> frozenset[UUID]:
    """Return those forgotten memories whose text another active memory of their owner has. One query."""
    forgotten = [memory for memory in memories if memory.status == Status.FORGOTTEN]
    active = Memory.objects.filter(
        IS_ACTIVE,
        owner_id__in={memory.owner_id for memory in forgotten},
        fingerprint__in={bytes(memory.fingerprint) for memory in forgotten},
    )
    taken = {(owner, bytes(key)) for owner, key in active.values_list("owner_id", "fingerprint")}
    return frozenset(
        memory.pk for memory in forgotten if (memory.owner_id, bytes(memory.fingerprint)) in taken
    )


def _refuse_approval(memory: Memory, _options: Options, _repeated: Collection[UUID]) -> Promise | None:
    return None if memory.status == Status.PENDING else _("It is not pending.")


def _refuse_forgetting(memory: Memory, _options: Options, _repeated: Collection[UUID]) -> Promise | None:
    return _("It is forgotten already.") if memory.status == Status.FORGOTTEN else None


def _refuse_restoring(memory: Memory, _options: Options, repeated: Collection[UUID]) -> Promise | None:
    if memory.status != Status.FORGOTTEN:
        return _("It is not forgotten.")
    return _("Another memory says the same already.") if memory.pk in repeated else None


def _refuse_pinning(memory: Memory, _options: Options, _repeated: Collection[UUID]) -> Promise | None:
    return _("It is pinned already.") if memory.pinned else None


def _refuse_unpinning(memory: Memory, _options: Options, _repeated: Collection[UUID]) -> Promise | None:
    return None if memory.pinned else _("It is not pinned.")


def _refuse_kind(memory: Memory, options: Options, _repeated: Collection[UUID]) -> Promise | None:
    if memory.kind in FIXED_KINDS:
        return _("A relation, and a person or thing, keeps its kind.")
    if not options.kind:
        return None
    if options.kind not in KINDS[Layer(memory.layer)]:
        return _("Its layer has no such kind.")
    return _("It is of this kind already.") if memory.kind == options.kind else None


def _refuse_merging(memory: Memory, _options: Options, _repeated: Collection[UUID]) -> Promise | None:
    return None if memory.is_active else _("A memory that is no longer active cannot be merged.")


def _apply(change: Callable[..., BulkResult], **fixed: object) -> Callable[..., BulkResult]:
    """Return a change of `curation.bulk` that takes no options, as the `apply` of an act."""
    return lambda ids, _options, **given: change(ids, **fixed, **given)


def _change_kind(ids: Sequence[UUID], options: Options, **given: Any) -> BulkResult:
    return change_kind_of_many(ids, options.kind, **given)


def _merge(ids: Sequence[UUID], options: Options, **given: Any) -> BulkResult:
    changed = curation.merge_memories(ids, content=options.content or None, **given)
    return BulkResult(len(ids), 0, changed.batch_id)


_ACTS: Final = (
    Act(
        "approve",
        "approve",
        _("Approve those that are pending"),
        _("Approve these memories?"),
        _("They become current and are recalled. A newer value ends an older one, as in writing."),
        _refuse_approval,
        _apply(keep_many),
    ),
    Act(
        "forget",
        "forget",
        _("Forget"),
        _("Forget these memories?"),
        _("They are kept aside: never recalled, and restored whenever you or the owner want."),
        _refuse_forgetting,
        _apply(forget_many),
    ),
    Act(
        "restore",
        "restore",
        _("Restore"),
        _("Restore these memories?"),
        _("They are again as they were before they were forgotten."),
        _refuse_restoring,
        _apply(restore_many),
    ),
    Act(
        "merge",
        "merge",
        _("Merge"),
        _("Merge these memories?"),
        _("The memories of each owner become one. It has the sources of all; the parts are kept as past."),
        _refuse_merging,
        _merge,
    ),
    Act(
        "change-kind",
        "change kind",
        _("Change the kind"),
        _("Change the kind of these memories?"),
        _("Their text stays as it is."),
        _refuse_kind,
        _change_kind,
    ),
    Act(
        "pin",
        "pin",
        _("Pin"),
        _("Pin these memories?"),
        _("Pinned memories never fade and are never forgotten by the nightly pass."),
        _refuse_pinning,
        _apply(pin_many, pinned=True),
    ),
    Act(
        "unpin",
        "unpin",
        _("Unpin"),
        _("Unpin these memories?"),
        _("They fade again when they are not used."),
        _refuse_unpinning,
        _apply(pin_many, pinned=False),
    ),
)
ACTS: Final = {act.name: act for act in _ACTS}
