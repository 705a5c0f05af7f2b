"""Fit by which sentence vectors inputs need memory, and write it to `memories/retrieval/estimates/need.npz`.

python -m bench.needs

Learns from `bench/needs.json` and from the inputs of the everyday set, by logistic regression. What it prints
was measured on inputs of people that the fit did not see. Also writes the mean vector of the sentences in
`bench/languages.json`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]

_FOLDER: Final = Path(__file__).parent
_STEPS: Final = 600
_RATE: Final = 3.0
_PENALTY: Final = 3e-4  # of squared weights
_BELOW: Final = (-0.5, -0.25, 0.0)
_EXAMPLES: Final = "examples"


class _Input(NamedTuple):
    """One input. `source`: the person it is of, or `examples`."""

    source: str
    text: str
    needs: bool


def fit_logit(vectors: Float64, needs: Float64) -> tuple[Float64, float]:
    """Return weights (d,) and bias of the logit; both classes weigh the same.

    Args:
        vectors: (n, d) Sentence vectors.
        needs: (n,) 1 or 0 for each of them.
    """
    centre = vectors.mean(axis=0)
    centred = vectors - centre
    importance = np.where(needs > 0, 0.5 / needs.mean(), 0.5 / (1 - needs.mean()))
    weights, bias = np.zeros(vectors.shape[1]), 0.0
    for _ in range(_STEPS):
        error = importance * (1 / (1 + np.exp(-(centred @ weights + bias))) - needs)
        weights -= _RATE * (centred.T @ error / len(needs) + _PENALTY * weights)
        bias -= float(error.mean())
    return weights, bias - float(centre @ weights)


def main() -> None:
    """Print what a fit on the others says of each person's inputs; write the fit on all."""
    from bench.fusion import set_up  # noqa: PLC0415 - reads the settings

    set_up()
    from memories.retrieval.estimates import NEED_FILE  # noqa: PLC0415 - as above
    from memsite.llm.embedding import SentenceEmbedder  # noqa: PLC0415 - as above

    inputs, embedder = _read_inputs(), SentenceEmbedder()
    vectors = np.stack([embedder.embed_query(one.text) for one in inputs]).astype(np.float64)
    needs = np.array([one.needs for one in inputs], dtype=np.float64)
    sources = np.array([one.source for one in inputs])
    logits = np.zeros(len(inputs))
    for person in sorted(set(sources) - {_EXAMPLES}):
        held_out = sources == person
        weights, bias = fit_logit(vectors[~held_out], needs[~held_out])
        logits[held_out] = vectors[held_out] @ weights + bias
    people = sources != _EXAMPLES
    for least in _BELOW:
        kept = np.mean(logits[people & (needs > 0)] >= least)
        left = np.mean(logits[people & (needs == 0)] < least)
        print(f"from {least:5.2f}: {kept:.1%} of inputs that need memory, none for {left:.1%} of the others")
    weights, bias = fit_logit(vectors, needs)
    sentences = json.loads((_FOLDER / "languages.json").read_text(encoding="utf-8"))
    typical = embedder.embed_passages([text for some in sentences.values() for text in some]).mean(axis=0)
    np.savez(NEED_FILE, weights=weights.astype(np.float32), bias=np.float64(bias), typical=typical)


def _read_inputs() -> list[_Input]:
    from evaluation.quality import EVERYDAY_SET, read_everyday_set  # noqa: PLC0415 - reads the settings

    examples = json.loads((_FOLDER / "needs.json").read_text(encoding="utf-8"))
    found = [_Input(_EXAMPLES, text, name == "memory") for name, some in examples.items() for text in some]
    for person in read_everyday_set(EVERYDAY_SET):
        inputs = (*person.questions, *person.inputs)
        found += [_Input(person.name, one.text, bool(one.memories)) for one in inputs]
    return found


if __name__ == "__main__":
    main()
