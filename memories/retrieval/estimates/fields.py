"""Estimate from a sentence vector whether an input or a memory is of a field of life.

An input is of a field if it asks for work in it; a memory, if it says a preference, a rule, a convention, a
tool or a piece of the environment that such work must respect. Both estimates are linear in the vector.
`training.fields` fits them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories.text import FIELDS, RequirementTag

Floats = NDArray[np.floating]

FIELDS_FILE: Final = Path(__file__).with_name("fields.npz")


class FieldModel(NamedTuple):
    """The fitted values of one field, for vectors of d dimensions.

    Attributes:
        inputs: (d + 1,) Weights of the vector of an input, and the constant.
        memories: (d + 1,) Likewise of a memory.
    """

    inputs: Floats
    memories: Floats

    @classmethod
    def of(cls, stored: Mapping[str, Floats], field: RequirementTag) -> FieldModel:
        """Return the model that is stored for a field."""
        return cls(*(stored[f"{field}_{part}"] for part in cls._fields))

    def as_arrays(self, field: RequirementTag) -> dict[str, Floats]:
        """Return the arrays to store, by name."""
        return {f"{field}_{part}": values for part, values in self._asdict().items()}


def find_fields(query: Floats) -> tuple[RequirementTag, ...]:
    """Return the fields that an input, of the unit vector (d,), asks for work in."""
    models = _load()
    return tuple(field for field in FIELDS if compute_logits(models[field].inputs, query[None])[0] > 0)


def find_members(field: RequirementTag, memories: Floats) -> NDArray[np.bool_]:
    """Return (n,) which memories, of unit vectors (n, d), are of a field. None of vector zero is."""
    members = compute_logits(_load()[field].memories, memories) > 0
    return np.asarray(members & memories.any(axis=1), dtype=np.bool_)


def compute_logits(weights: Floats, vectors: Floats) -> Floats:
    """Return the logits (n,) of vectors (n, d) by weights (d + 1,)."""
    logits: Floats = vectors @ weights[:-1] + weights[-1]
    return logits


@lru_cache(maxsize=1)
def _load() -> dict[RequirementTag, FieldModel]:
    with np.load(FIELDS_FILE) as file:
        stored = {name: file[name].astype(np.float32) for name in file.files}
    return {field: FieldModel.of(stored, field) for field in FIELDS}
