"""Change from one embedding model to another, and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from memories.maintenance.reembedding import embedding_switch
from memories.maintenance.reembedding.filling import Filling, Pace
from memories.storage import get_switch_row
from memsite.errors import Conflict, InvalidInput, MemsiteError, Unavailable
from memsite.jobs import enqueue
from memsite.llm.embedding import Embedder, get_embedder

#: The sweep that embeds memories written with the former model during the switch, and its delay.
SWEEP: Final = "memories.tasks.embed_missing"
SWEEP_AFTER: Final = 5.0  # seconds
#: Passes over the remaining memories before giving up, if the site writes faster than it embeds.
PASSES: Final = 20
MOST_MODEL_NAME: Final = 100  # characters


@dataclass(frozen=True, slots=True)
class EmbeddingChange:
    """The result of a change.

    Attributes:
        switched: False if the model was in use already.
        refused: The number of memories that the model refused.
    """

    model: str
    embedded: int
    refused: int
    switched: bool


def change_embedding_model(
    target: Embedder,
    *,
    pace: Pace | None = None,
    progress: Callable[[int], object] = lambda _: None,
    skip_refused: bool = False,
) -> EmbeddingChange:
    """Fill in a model's vectors beside those in use, then search and write with it. For the staff only.

    Searches use the old vectors until the switch. A run that was stopped or killed continues when it is run
    again.

    Args:
        target: The embedder to change to.
        pace: The batch size and rate.
        progress: Called with the number of memories after each batch.
        skip_refused: Whether to switch although the model refused some memories; these are found by words
            only.

    Raises:
        Unavailable: If the server fails or memories are written faster than embedded; nothing is switched.
        ModelError: If the server fails; nothing is switched.
        Conflict: If memories were refused or another model was requested meanwhile; nothing is switched.
    """
    _check_name(target.model)
    _ = target.dimensions  # asks a server once, before anything is written
    filling = Filling(target, pace or Pace(), progress)
    switched = embedding_switch.begin_switch(target)
    try:
        embedded = _fill(filling, skip_refused=skip_refused)
        if switched:
            embedding_switch.finish_switch(target)
            embedded += filling.run()
            enqueue(SWEEP, unique_key="embed-missing", delay=SWEEP_AFTER)
    except MemsiteError as error:
        embedding_switch.note_stop(target.model, error.message)
        raise
    return EmbeddingChange(target.model, embedded, len(filling.refused), switched)


def get_former_embedder() -> Embedder:
    """Return the embedder that a rollback changes to.

    Raises:
        Conflict: If there is none.
    """
    row = get_switch_row()
    if row is None or not row.former:
        raise Conflict("no former embedding model has vectors left")
    return get_embedder(row.former)


def _fill(filling: Filling, *, skip_refused: bool) -> int:
    """Fill in vectors in passes, each over what was written during the last, until little is left."""
    embedded = 0
    for _ in range(PASSES):
        embedded += filling.run()
        left = embedding_switch.count_missing_vectors(filling.target.model) - len(filling.refused)
        if left <= filling.pace.batch // 8:
            break
    else:
        raise Unavailable("stopped: memories are written faster than embedded; try again, or raise --rate")
    if filling.refused and not skip_refused:
        raise Conflict(
            f"the model refused {len(filling.refused)} memories; nothing was switched. To switch all the"
            " same, so that these are found by words alone, add --skip-refused",
            {"refused": sorted(map(str, filling.refused))},
        )
    return embedded


def _check_name(model: str) -> None:
    if not model.strip() or len(model) > MOST_MODEL_NAME:
        raise InvalidInput(f"a model's name has 1 to {MOST_MODEL_NAME} characters")
