"""Fit how much a memory matters to an input, and write it to `memories/retrieval/estimates/relevance.npz`.

Learns from the people of `data/people`, from the everyday set and, for what needs no memory, from
`data/needs`. All that is printed was measured on writers whom the fit did not see.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.estimates import RELEVANCE_FILE, RelevanceModel, estimate_need, estimate_relevance
from memories.retrieval.estimates.relevance import compute_features
from training.network import Schedule, find_projection, train_network
from training.people import Change, Person
from training.vectors import Vectors

Float32 = NDArray[np.float32]

NEEDS: Final = Path(__file__).parent / "data" / "needs"
_PAIR: Final = Schedule()
_NEED: Final = Schedule(units=32, epochs=30, dropped=0.3, batch=128)
_PAIR_AXES: Final = 64
_NEED_AXES: Final = 128
_REFERENCES: Final = 256
#: Other memories beside the right ones, of each input of the everyday set; and of another's none-inputs.
_BESIDE: Final = 24
_STRANGE: Final = 16
_STRANGE_TO_ALL: Final = 12
#: Statements about other things beside those of a change, of which those of the same writer are taken.
_OTHERS: Final = 40
#: Shares of the logits: of the pair, of the input alone, and of the nearness.
_SHARES: Final = (1.0, 0.45, 0.35)
#: Inputs that need nothing to which the estimate adds nothing, as the relevance of 0.70 is set.
_NOTHING: Final = 0.945
_AT: Final = 0.70
_MOST: Final = 8  # memories of a context
_SEED: Final = 5


@dataclass(slots=True)
class Examples:
    """Groups: an input with memories, of which some matter. `writers` (g,) is who wrote each."""

    inputs: list[str] = field(default_factory=list)
    memories: list[list[str]] = field(default_factory=list)
    labels: list[list[bool]] = field(default_factory=list)
    weights: list[list[float]] = field(default_factory=list)
    writers: list[str] = field(default_factory=list)

    def add(self, writer: str, text: str, rows: Sequence[tuple[str, bool, float]]) -> None:
        """Add an input with memories: text, whether it matters, weight."""
        self.inputs.append(text)
        self.memories.append([one[0] for one in rows])
        self.labels.append([one[1] for one in rows])
        self.weights.append([one[2] for one in rows])
        self.writers.append(writer)


class Needing(NamedTuple):
    """An input, and whether it needs memory."""

    writer: str
    text: str
    needs: bool


def read_examples(people: Sequence[Person], changes: Sequence[Change], everyday: Sequence[Any]) -> Examples:
    """Return the examples of people, of questions about changes, and of the everyday set."""
    chance, found = np.random.default_rng(_SEED), Examples()
    for person in people:
        for form in ("fact", "said"):
            _add_person(found, person, form)
    _add_strange(found, people, chance)
    for change in changes:
        rows = [(change.older, True, 1.0), *([(change.newer, True, 1.0)] if change.is_ended else [])]
        others = [changes[at] for at in chance.choice(len(changes), _OTHERS, replace=False)]
        rows += [
            (one.older, False, 0.3)
            for one in others
            if one.writer == change.writer and one.question != change.question
        ]
        found.add(change.writer, change.question, rows)
    for owner in everyday:
        for one in (*owner.questions, *owner.inputs):
            others = [memory.text for memory in owner.memories if memory.id not in one.memories]
            rows = [(memory.text, True, 0.7) for memory in owner.memories if memory.id in one.memories]
            rows += [
                (others[at], False, 0.7)
                for at in chance.choice(len(others), min(_BESIDE, len(others)), replace=False)
            ]
            found.add(owner.name, one.text, rows)
    return found


def _add_strange(found: Examples, people: Sequence[Person], chance: np.random.Generator) -> None:
    """Add inputs that need nothing, beside memories of others."""
    pool = [(person.writer, one) for person in people for one in person.memories]
    for person in people:
        for one in (one for one in person.inputs if one.category == "none"):
            chosen = [pool[at] for at in chance.choice(len(pool), _STRANGE, replace=False)]
            rows = [(memory.fact, False, 1.0) for writer, memory in chosen if writer == person.writer]
            if rows:
                found.add(person.writer, one.text, rows)
    for needing in _read_needs():
        if not needing.needs:
            chosen = [pool[at] for at in chance.choice(len(pool), _STRANGE_TO_ALL, replace=False)]
            found.add(needing.writer, needing.text, [(memory.fact, False, 1.0) for _, memory in chosen])


def _add_person(found: Examples, person: Person, form: str) -> None:
    for one in person.inputs:
        rows = [
            (getattr(memory, form), memory.id in one.needs, 1.0)
            for memory in person.memories
            if memory.id in one.needs or memory.id not in one.may
        ]
        found.add(person.writer, one.text, rows)
    for change in person.changes:
        rows = [
            (getattr(memory, form), memory.id == change.about, 1.0 if memory.id == change.about else 0.3)
            for memory in person.memories
        ]
        found.add(person.writer, change.question, [*rows, (getattr(change, form), True, 1.0)])


def read_needing(people: Sequence[Person], everyday: Sequence[Any]) -> list[Needing]:
    """Return inputs with whether they need memory."""
    found = [
        Needing(person.writer, one.text, one.category != "none" and bool(one.needs or one.category == "task"))
        for person in people
        for one in person.inputs
    ]
    found += _read_needs()
    found += [
        Needing(owner.name, one.text, bool(one.memories))
        for owner in everyday
        for one in (*owner.questions, *owner.inputs)
    ]
    return found


def _read_needs() -> list[Needing]:
    return [
        Needing(path.stem, text, name == "memory")
        for path in sorted(NEEDS.glob("*.json"))
        for name, some in json.loads(path.read_text(encoding="utf-8")).items()
        for text in some
    ]


def fit_relevance(
    examples: Examples, needing: Sequence[Needing], vectors: Vectors, *, without: Collection[str] = ()
) -> RelevanceModel:
    """Return the model that the examples of all writers but some give.

    Its relevance is 0.70 where of the inputs that need nothing, the share _NOTHING gets nothing; that needs
    `set_constant`.
    """
    groups = [at for at, writer in enumerate(examples.writers) if writer not in without]
    texts = sorted({text for at in groups for text in examples.memories[at]})
    held = vectors.of_memories(texts)
    inputs = np.stack([vectors.of_input(text) for text in sorted({examples.inputs[at] for at in groups})])
    chance = np.random.default_rng(_SEED)
    references = held[chance.choice(len(held), _REFERENCES, replace=False)]
    pair = find_projection(np.vstack([held, inputs]), _PAIR_AXES)
    features = [
        compute_features(
            pair,
            references,
            vectors.of_input(examples.inputs[at]),
            vectors.of_memories(examples.memories[at]),
        )[0]
        for at in groups
    ]
    matters = train_network(
        np.vstack(features),
        np.concatenate([examples.labels[at] for at in groups]).astype(np.float32),
        np.concatenate([examples.weights[at] for at in groups]).astype(np.float32),
        _PAIR,
    )
    seen = [one for one in needing if one.writer not in without]
    embedded = np.stack([vectors.of_input(one.text) for one in seen])
    labels = np.array([one.needs for one in seen], dtype=np.float32)
    balance = np.where(labels > 0, 0.5 / labels.mean(), 0.5 / (1 - labels.mean())).astype(np.float32)
    alone = find_projection(embedded, _NEED_AXES)
    needs = train_network(alone.apply(embedded).astype(np.float32), labels, balance, _NEED)
    return RelevanceModel(
        pair=pair,
        matters=matters,
        input=alone,
        needs=needs,
        references=references,
        shares=np.array([*_SHARES, 0.0]),
    )


def apply_model(model: RelevanceModel, text: str, memories: Sequence[str], vectors: Vectors) -> Float32:
    """Return the logits (n,) of memories for an input."""
    query = vectors.of_input(text)
    return np.asarray(
        estimate_relevance(
            query,
            vectors.of_memories(memories),
            need=estimate_need(query, model=model),
            model=model,
        ),
        dtype=np.float32,
    )


class Judged(NamedTuple):
    """The logits of one person's memories for one input, and which of them it needs, and may have."""

    category: str
    turn: bool
    logits: Float32
    needs: NDArray[np.bool_]
    fits: NDArray[np.bool_]


def judge_people(model: RelevanceModel, people: Sequence[Person], vectors: Vectors) -> Iterator[Judged]:
    """Yield what a model says of people's inputs, with the memories in both forms."""
    for person in people:
        for turn, form in ((False, "fact"), (True, "said")):
            texts = [getattr(one, form) for one in person.memories]
            for one in person.inputs:
                needs = np.array([memory.id in one.needs for memory in person.memories])
                fits = needs | np.array([memory.id in one.may for memory in person.memories])
                logits = apply_model(model, one.text, texts, vectors)
                yield Judged(one.category, turn, logits, needs, fits)


def set_constant(model: RelevanceModel, judged: Sequence[Judged]) -> RelevanceModel:
    """Return the model with the constant by which inputs that need nothing get nothing, as a rule."""
    best = [float(one.logits.max()) for one in judged if one.category == "none"]
    constant = np.log(_AT / (1 - _AT)) - np.quantile(best, _NOTHING)
    return model._replace(shares=np.array([*_SHARES, constant]))


def report_judged(judged: Sequence[Judged], constant: float) -> Iterator[str]:
    """Yield lines: how often what an input needs is at or over 0.70, and what is beside it."""
    least = np.log(_AT / (1 - _AT)) - constant
    for turn in (False, True):
        of_form = [one for one in judged if one.turn is turn]
        none = [one for one in of_form if one.category == "none"]
        clean = np.mean([one.logits.max() < least for one in none])
        form = "as said" if turn else "as facts"
        yield f"{form}: nothing added to {clean:.1%} of {len(none)} inputs that need nothing"
        for category in ("question", "kind", "task", "other"):
            some = [one for one in of_form if one.category == category and one.needs.any()]
            passed = [_pass(one, least) for one in some]
            one_of = np.mean([(on & one.needs).any() for on, one in zip(passed, some, strict=True)])
            share = np.mean(
                [(on & one.needs).sum() / one.needs.sum() for on, one in zip(passed, some, strict=True)]
            )
            fitting = sum((on & one.fits).sum() for on, one in zip(passed, some, strict=True))
            count = sum(int(on.sum()) for on in passed)
            yield (
                f"  {category}: one of the needed in {one_of:.1%}, share of the needed {share:.1%},"
                f" of {count / len(some):.1f} added fit {fitting / max(count, 1):.1%}"
            )


def _pass(one: Judged, least: float) -> NDArray[np.bool_]:
    """Return which memories would be in a context."""
    passed = one.logits >= least
    passed[np.argsort(-one.logits)[_MOST:]] = False
    return passed


def write_model(model: RelevanceModel, path: Path = RELEVANCE_FILE) -> None:
    """Write a model to a file, in half precision where that is enough."""
    arrays: dict[str, Any] = {
        **model.pair.as_arrays("pair"),
        **model.matters.as_arrays("matters"),
        **model.input.as_arrays("input"),
        **model.needs.as_arrays("needs"),
        "references": model.references,
    }
    half: dict[str, Any] = {name: np.asarray(values, dtype=np.float16) for name, values in arrays.items()}
    np.savez_compressed(path, **half, shares=model.shares.astype(np.float64))
