"""Fit what is of a field of life, and write it to `memories/retrieval/estimates/fields.npz`.

Learns from the lines of `data/fields/inputs_WRITER.tsv` and `memories_WRITER.tsv`: the label, a field or
`none`, and the text. Inputs of people that ask for no work, and those that need no memory, are further inputs
of no field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.estimates.fields import FIELDS_FILE, FieldModel, compute_logits
from memories.text import FIELDS, RequirementTag
from training.people import Person
from training.relevance import Needing
from training.vectors import Vectors

Float64 = NDArray[np.float64]

_DATA: Final = Path(__file__).parent / "data" / "fields"
_PARTS: Final = 5
_SEED: Final = 7
#: How much an input counts that was written for another purpose.
_OTHER_WEIGHT: Final = 0.3
#: Vectors are multiplied by it, so that their differences are near 1; the weight of the squared coefficients.
_SCALE: Final = 5.0
_DECAY: Final = 2.0
_STEPS: Final = 30
#: Logit that is subtracted for memories: what is no requirement should not be followed.
_CAUTION: Final = 0.5


class Line(NamedTuple):
    """A text, its field or `none`, and how much it counts."""

    label: str
    text: str
    weight: float = 1.0


class Lines(NamedTuple):
    """What is learnt from."""

    inputs: tuple[Line, ...]
    memories: tuple[Line, ...]


def read_lines(people: Sequence[Person], needing: Sequence[Needing]) -> Lines:
    """Return the labelled lines, and of the other inputs those of no field."""
    aimless = [one.text for person in people for one in person.inputs if one.category != "task"]
    aimless += [one.text for one in needing if not one.needs]
    others = (Line("none", text, _OTHER_WEIGHT) for text in dict.fromkeys(aimless))
    return Lines((*_read("inputs"), *others), tuple(_read("memories")))


def _read(kind: str) -> Iterator[Line]:
    for path in sorted(_DATA.glob(f"{kind}_*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            label, text = line.split("\t")
            yield Line(label, text)


def fit_fields(lines: Lines, vectors: Vectors) -> dict[RequirementTag, FieldModel]:
    """Return the model of each field."""
    models = {}
    for field in FIELDS:
        weights = [_fit(some, field, embedded) for some, embedded in _embed(lines, vectors)]
        models[field] = FieldModel(*weights)
        models[field].memories[-1] -= _CAUTION
    return models


def _embed(lines: Lines, vectors: Vectors) -> Iterator[tuple[Sequence[Line], Float64]]:
    """Yield the inputs, then the memories, with their vectors (n, d)."""
    yield lines.inputs, np.stack([vectors.of_input(one.text) for one in lines.inputs]).astype(np.float64)
    yield lines.memories, vectors.of_memories([one.text for one in lines.memories]).astype(np.float64)


def _fit(lines: Sequence[Line], field: RequirementTag, vectors: Float64) -> Float64:
    """Return weights (d + 1,) by logistic regression, with Newton's method.

    Args:
        lines: The n lines.
        field: The field that is told from all others.
        vectors: (n, d) Their vectors.
    """
    labels = np.array([one.label == field for one in lines], dtype=np.float64)
    counts = np.array([one.weight for one in lines])
    mean = vectors.mean(axis=0)
    features = np.hstack([(vectors - mean) * _SCALE, np.ones((len(lines), 1))])
    decay = np.full(features.shape[1], _DECAY)
    decay[-1] = 1e-6  # the constant is free
    found = np.zeros(features.shape[1])
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-features @ found))
        slope = features.T @ (counts * (likely - labels)) + decay * found
        curve = (features * (counts * likely * (1 - likely))[:, None]).T @ features + np.diag(decay)
        found -= np.linalg.solve(curve, slope)
    weights = found[:-1] * _SCALE
    return np.append(weights, found[-1] - weights @ mean)


def report_fields(
    lines: Lines, models: Mapping[RequirementTag, FieldModel], people: Sequence[Person], vectors: Vectors
) -> Iterator[str]:
    """Yield lines: how good the fits are on lines that they did not see, and what is of a field in people."""
    tasks = [one.text for person in people for one in person.inputs if one.category == "task"]
    facts = [one.fact for person in people for one in person.memories]
    for field, model in models.items():
        for kind, (some, embedded) in zip(Lines._fields, _embed(lines, vectors), strict=True):
            found = _predict_unseen(some, field, embedded) > (_CAUTION if kind == "memories" else 0)
            own = np.array([one.weight == 1 for one in some])
            right = np.array([one.label == field for one in some])
            precision, recall = right[found & own].mean(), found[right].mean()
            yield f"{field}, {own.sum()} {kind}: precision {precision:.1%}, recall {recall:.1%}"
            if not own.all():
                yield f"  of {(~own).sum()} inputs for no work: {found[~own].mean():.1%}"
        of_tasks = compute_logits(model.inputs, np.stack([vectors.of_input(text) for text in tasks])) > 0
        of_facts = compute_logits(model.memories, vectors.of_memories(facts)) > 0
        yield f"  of people: {of_tasks.mean():.1%} of {len(tasks)} tasks, {of_facts.mean():.1%} of memories"


def _predict_unseen(lines: Sequence[Line], field: RequirementTag, vectors: Float64) -> Float64:
    """Return logits (n,) of lines by the fits on the other parts."""
    part = np.random.default_rng(_SEED).permutation(len(lines)) % _PARTS
    logits = np.zeros(len(lines))
    for one in range(_PARTS):
        seen = [line for line, at in zip(lines, part, strict=True) if at != one]
        weights = _fit(seen, field, vectors[part != one])
        logits[part == one] = compute_logits(weights, vectors[part == one])
    return logits


def write_models(models: Mapping[RequirementTag, FieldModel], path: Path = FIELDS_FILE) -> None:
    """Write the models to a file."""
    arrays: dict[str, Any] = {
        name: np.asarray(values, dtype=np.float32)
        for field, model in models.items()
        for name, values in model.as_arrays(field).items()
    }
    np.savez_compressed(path, **arrays)
