"""Record a change of the embedding model, and make its steps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F
from django.utils import timezone

from memories.models import EmbeddingSwitch, MemoryEmbedding
from memories.storage import get_switch_row, list_not_embedded, store_active_embedder
from memsite.errors import Conflict
from memsite.llm.embedding import Embedder, get_wanted_model
from memsite.serving.postgres import across_owners, acting_for


@dataclass(frozen=True, slots=True)
class SwitchState:
    """The state of the site's change of embedding model.

    Attributes:
        wanted: The model in the settings.
        active: The model in use; empty before any memory is embedded.
        missing: Memories without a vector of the target or, without a target, of the active model.
        vectors: The number of vectors by model.
    """

    wanted: str
    active: str
    target: str
    former: str
    missing: int
    vectors: dict[str, int]
    error: str
    started_at: datetime | None
    switched_at: datetime | None


def get_switch_state() -> SwitchState:
    """Read it all; across owners, for whoever runs the site."""
    row = get_switch_row() or EmbeddingSwitch()
    model = row.target or row.active or get_wanted_model()
    return SwitchState(
        wanted=get_wanted_model(),
        active=row.active,
        target=row.target,
        former=row.former,
        missing=count_missing_vectors(model),
        vectors=count_vectors_by_model(),
        error=row.error,
        started_at=row.started_at,
        switched_at=row.switched_at,
    )


@across_owners()
def count_vectors_by_model() -> dict[str, int]:
    """Return the number of vectors by model. Across owners: for the staff only."""
    rows = MemoryEmbedding.objects.order_by().values_list("model")
    return dict(rows.annotate(count=Count("id")).order_by("model"))


@across_owners()
def count_missing_vectors(model: str) -> int:
    """Return the number of memories of all owners without a vector of this model."""
    return list_not_embedded(model, owner=None).order_by().count()


def begin_switch(target: Embedder) -> bool:
    """Record that the site changes to this model. Return False if the model is in use already.

    A change that was stopped continues. A change to another model is given up; its vectors stay until they
    are dropped.
    """
    if get_switch_row() is None:
        store_active_embedder(target)  # nothing was embedded yet, so there is nothing to change
    total = count_missing_vectors(target.model)
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
    """Add to the number of memories done.

    Raises:
        Conflict: If the site changes to another model by now.
    """
    row = get_switch_row()
    if row is not None and row.target == model:
        EmbeddingSwitch.objects.filter(target=model).update(done=F("done") + count)
    elif row is None or row.active != model:
        raise Conflict(f"a change to another embedding model than {model} was started meanwhile")


def note_stop(model: str, reason: str) -> None:
    """Record why the change to this model stopped."""
    EmbeddingSwitch.objects.filter(target=model).update(error=reason)


def finish_switch(target: Embedder) -> None:
    """Search and write with this model from now on. Its vectors must be filled in; takes one statement.

    Raises:
        Conflict: If the site changes to another model by now.
    """
    with transaction.atomic():
        row = _locked()
        if row.active == target.model:
            return
        if row.target != target.model:
            raise Conflict(f"a change to another embedding model than {target.model} was started meanwhile")
        EmbeddingSwitch.objects.update(
            active=target.model,
            dimensions=target.dimensions,
            former=row.active,
            target="",
            error="",
            generation=row.generation + 1,
            switched_at=timezone.now(),
        )


def abandon_switch() -> str:
    """End a change that has not switched. Return the model that was its target, or an empty string."""
    with transaction.atomic():
        target = _locked().target
        EmbeddingSwitch.objects.update(target="", error="")
    return target


def drop_old_vectors() -> int:
    """Delete the vectors of all models except the active and the target one, and return how many.

    A rollback is not possible afterwards.
    """
    if get_switch_row() is None:
        return 0
    EmbeddingSwitch.objects.update(former="")
    with across_owners():
        owners = list(MemoryEmbedding.objects.values_list("owner_id", flat=True).distinct())
    return sum(map(_drop, owners))


def _drop(owner: UUID) -> int:
    with acting_for(owner), transaction.atomic():
        row = _locked()  # locked, so that no switch makes the deleted model the active one
        rows = MemoryEmbedding.objects.filter(owner_id=owner).exclude(model__in=[row.active, row.target])
        return rows._raw_delete("default")  # noqa: SLF001 - one statement, no collecting


def _locked() -> EmbeddingSwitch:
    row = EmbeddingSwitch.objects.select_for_update().first()
    if row is None:
        raise Conflict("no memory was embedded yet: the settings decide")
    return row
