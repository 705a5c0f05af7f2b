"""The record of a change of model: where it stands, and the steps that move it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F
from django.utils import timezone

from memories.models import EmbeddingSwitch, MemoryEmbedding
from memories.storage import not_embedded, settle, switch_row
from memsite.errors import Conflict
from memsite.llm.embedding import Embedder, wanted_model


@dataclass(frozen=True, slots=True)
class SwitchState:
    """How the site's change of embedding model stands.

    active: empty before any memory is embedded; wanted: what the settings name. left: memories that the
    target, or without one the active model, has not seen. vectors: how many, by model.
    """

    wanted: str
    active: str
    target: str
    former: str
    left: int
    vectors: dict[str, int]
    error: str
    started_at: datetime | None
    switched_at: datetime | None


def switch_state() -> SwitchState:
    """Read it all; across owners, for whoever runs the site."""
    row = switch_row() or EmbeddingSwitch()
    model = row.target or row.active or wanted_model()
    return SwitchState(
        wanted=wanted_model(),
        active=row.active,
        target=row.target,
        former=row.former,
        left=left_for(model),
        vectors=vectors_by_model(),
        error=row.error,
        started_at=row.started_at,
        switched_at=row.switched_at,
    )


def vectors_by_model() -> dict[str, int]:
    """How many vectors each model has. Across owners: for whoever runs the site."""
    rows = MemoryEmbedding.objects.order_by().values_list("model")
    return dict(rows.annotate(count=Count("id")).order_by("model"))


def left_for(model: str) -> int:
    """How many memories a model has not seen, all owners together."""
    return not_embedded(model, owner=None).order_by().count()


def begin(target: Embedder) -> bool:
    """Note that the site is changing to this model; False when it is the one in use already.

    A change that was stopped goes on; another model's is given up, its vectors staying till dropped.
    """
    if switch_row() is None:
        settle(target)  # nothing was embedded yet: nothing to change
    total = left_for(target.model)
    with transaction.atomic():
        row = _locked()
        if row.active == target.model:
            EmbeddingSwitch.objects.update(target="", error="")
            return False
        EmbeddingSwitch.objects.update(
            target=target.model, total=total, done=0, error="", started_at=timezone.now()
        )
    return True


def note_progress(model: str, count: int) -> None:
    """So many more are done. Raises Conflict when the site is changing to another model by now."""
    row = switch_row()
    if row is not None and row.target == model:
        EmbeddingSwitch.objects.filter(target=model).update(done=F("done") + count)
    elif row is None or row.active != model:
        raise Conflict(f"the site was told to change to another embedding model than {model} meanwhile")


def note_stop(model: str, reason: str) -> None:
    """Why the change to this model stopped."""
    EmbeddingSwitch.objects.filter(target=model).update(error=reason)


def switch(target: Embedder) -> None:
    """From now on search and write by this model, whose vectors are filled in; in one statement's time.

    Raises Conflict when the site is changing to another by now.
    """
    with transaction.atomic():
        row = _locked()
        if row.active == target.model:
            return
        if row.target != target.model:
            raise Conflict(
                f"the site was told to change to another embedding model than {target.model} meanwhile"
            )
        EmbeddingSwitch.objects.update(
            active=target.model,
            dimensions=target.dimensions,
            former=row.active,
            target="",
            error="",
            generation=row.generation + 1,
            switched_at=timezone.now(),
        )


def give_up() -> str:
    """End a change that has not switched; the model that was its target, or nothing."""
    with transaction.atomic():
        target = _locked().target
        EmbeddingSwitch.objects.update(target="", error="")
    return target


def drop_old() -> int:
    """Delete the vectors of every model but the one in use and the one being filled in; how many.

    There is no rollback after it.
    """
    if switch_row() is None:
        return 0
    EmbeddingSwitch.objects.update(former="")
    return sum(
        _drop(owner) for owner in MemoryEmbedding.objects.values_list("owner_id", flat=True).distinct()
    )


def _drop(owner: UUID) -> int:
    with transaction.atomic():
        row = _locked()  # held: a switch must not make what is deleted the model in use
        rows = MemoryEmbedding.objects.filter(owner_id=owner).exclude(model__in=[row.active, row.target])
        return rows._raw_delete("default")  # noqa: SLF001 - one statement, no collecting


def _locked() -> EmbeddingSwitch:
    row = EmbeddingSwitch.objects.select_for_update().first()
    if row is None:
        raise Conflict("no memory was embedded yet: the settings decide")
    return row
