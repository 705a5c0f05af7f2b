"""Fit which memories a newer one makes outdated, and write it to `memories/retrieval/estimates/outdated.npz`.

Learns from the people of `data/people` (what ends a memory, and what is near to one and ends nothing), from
`data/changes` (1 or 0, a question, an older statement, a newer one), from the scenarios of
`data/scenarios.jsonl`, and from `data/diaries/` and the everyday set, in which nothing is outdated.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.estimates import Projection
from memories.retrieval.estimates.outdated import (
    OUTDATED_FILE,
    OutdatedModel,
    Statements,
    compare_statements,
    weigh_question,
)
from memories.retrieval.estimates.relevance import RelevanceModel
from training.network import Schedule, find_projection, train_network
from training.people import Change, Person
from training.relevance import apply_model
from training.vectors import Vectors

Floats = NDArray[np.floating]

_DATA: Final = Path(__file__).parent / "data"
_FORMS: Final = ("fact", "said")
_ENDS: Final = Schedule(units=48, epochs=8)
_DECIDES: Final = Schedule(units=16, epochs=5, dropped=0.1)
_PAIR_AXES: Final = 96
_QUESTION_AXES: Final = 24
#: Share of all pairs of a person's memories, of which none ends the other.
_PAIRS_SHARE: Final = 0.35
_DIARY_PAIRS: Final = 1500  # of each diary
_SEED: Final = 1
#: How much an example of an outdated memory counts.
_ENDED_WEIGHT: Final = 3.0


class Pair(NamedTuple):
    """An older and a newer statement. `writer`: who wrote them."""

    writer: str
    older: str
    newer: str
    is_ended: bool
    weight: float


class Case(NamedTuple):
    """A question, older and newer statements of one form, and which of the older a newer one ends.

    Attributes:
        category: `change`, or the category of the input, of which nothing is outdated.
        ended: The place of the older and of the newer one of a change; None if nothing is outdated.
    """

    writer: str
    category: str
    turn: bool
    question: str
    older: tuple[str, ...]
    newer: tuple[str, ...]
    ended: tuple[int, int] | None


def read_pairs(people: Sequence[Person], changes: Sequence[Change], everyday: Sequence[Any]) -> list[Pair]:
    """Return pairs of statements of one person each."""
    chance, found = np.random.default_rng(_SEED), list[Pair]()
    for person in people:
        found += _pair_person(person, chance)
    found += [Pair(one.writer, one.older, one.newer, one.is_ended, 1.0) for one in changes]
    found += _pair_scenarios()
    diaries = [[one.text for one in owner.memories] for owner in everyday]
    diaries += [_read_diary(path) for path in sorted((_DATA / "diaries").glob("*.jsonl"))]
    for diary in diaries:
        for _ in range(_DIARY_PAIRS):
            older, newer = sorted(chance.choice(len(diary), 2, replace=False).tolist())
            found.append(Pair("diaries", diary[older], diary[newer], is_ended=False, weight=0.3))
    return found


def _read_diary(path: Path) -> list[str]:
    """Return the memories of a file of diary lines."""
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [entry["text"] for entry in entries if entry["type"] == "memory"]


def _pair_person(person: Person, chance: np.random.Generator) -> Iterator[Pair]:
    for old, new in product(_FORMS, repeat=2):
        weight = 1.0 if old == new else 0.5
        for change in person.changes:
            for memory in person.memories:
                ended = memory.id == change.about
                yield Pair(
                    person.writer,
                    getattr(memory, old),
                    getattr(change, new),
                    ended,
                    weight * (1 if ended else 0.3),
                )
            for other in person.changes:
                if other is not change:
                    texts = getattr(other, old), getattr(change, new)
                    yield Pair(person.writer, *texts, is_ended=False, weight=weight * 0.3)
        for one in person.beside:
            for memory in person.memories:
                share = 1.0 if memory.id == one.about else 0.2
                texts = getattr(memory, old), getattr(one, new)
                yield Pair(person.writer, *texts, is_ended=False, weight=weight * share)
    for first, second in permutations(person.memories, 2):
        if chance.random() < _PAIRS_SHARE:
            form = _FORMS[int(chance.random() < 1 / 2)]
            texts = getattr(first, form), getattr(second, form)
            yield Pair(person.writer, *texts, is_ended=False, weight=0.3)


def _pair_scenarios() -> Iterator[Pair]:
    for line in (_DATA / "scenarios.jsonl").read_text(encoding="utf-8").splitlines():
        scenario = json.loads(line)
        if scenario["type"] != "scenario":
            continue
        texts = {one["id"]: one["text"] for one in scenario["statements"]}
        ended = {
            (old, new)
            for question in scenario["questions"]
            if question["as_of"] is None
            for old in question["stale"]
            for new in question["right"]
        }
        for old, new in sorted(ended):
            yield Pair("scenarios", texts[old], texts[new], is_ended=True, weight=0.7)
        if scenario["kind"] == "both":
            for old, new in permutations(texts.values(), 2):
                yield Pair("scenarios", old, new, is_ended=False, weight=0.7)


def read_cases(people: Sequence[Person], changes: Sequence[Change]) -> Iterator[Case]:
    """Yield questions with statements: after a change, and where all statements stay true."""
    for one in changes:  # in whatever form
        category = "plain" if one.is_ended else "plain, true"
        ended = (0, 0) if one.is_ended else None
        yield Case(
            one.writer,
            category,
            turn=False,
            question=one.question,
            older=(one.older,),
            newer=(one.newer,),
            ended=ended,
        )
    for person, form in product(people, _FORMS):
        memories = tuple(getattr(one, form) for one in person.memories)
        places = {one.id: at for at, one in enumerate(person.memories)}
        beside = tuple(getattr(one, form) for one in person.beside)
        turn = form == "said"
        for change in person.changes:
            newer = (getattr(change, form), *beside)
            ended = places[change.about], 0
            yield Case(person.writer, "change", turn, change.question, memories, newer, ended)
        for labelled in person.inputs:
            if labelled.needs and labelled.category in {"question", "kind", "task"}:
                older = tuple(memories[places[name]] for name in sorted(labelled.needs))
                yield Case(
                    person.writer,
                    labelled.category,
                    turn,
                    labelled.text,
                    older,
                    (*memories, *beside),
                    ended=None,
                )


def fit_pair(pairs: Iterable[Pair], vectors: Vectors, *, without: Collection[str] = ()) -> OutdatedModel:
    """Return a model whose first step is fitted to the pairs of all writers but some; the second is empty."""
    seen = [one for one in pairs if one.writer not in without]
    older, newer = (
        vectors.of_memories([one.older for one in seen]),
        vectors.of_memories([one.newer for one in seen]),
    )
    texts = sorted({one.older for one in seen} | {one.newer for one in seen})
    pair = find_projection(vectors.of_memories(texts), _PAIR_AXES)
    ends = train_network(
        np.asarray(compare_statements(pair, older, newer), dtype=np.float32),
        np.array([one.is_ended for one in seen], dtype=np.float32),
        np.array([one.weight for one in seen], dtype=np.float32),
        _ENDS,
    )
    return OutdatedModel(pair=pair, ends=ends, question=pair, decides=ends)


class Compared(NamedTuple):
    """The pairs of a case: what its statements are, and what the first step says of each pair."""

    case: Case
    statements: Statements
    older: NDArray[np.int64]
    newer: NDArray[np.int64]
    ends: Floats
    labels: NDArray[np.bool_]


def compare_case(case: Case, model: OutdatedModel, relevance: RelevanceModel, vectors: Vectors) -> Compared:
    """Return the pairs of a case, compared by models that did not see its writer."""
    texts = (*case.older, *case.newer)
    count = len(case.older)
    held = vectors.of_memories(texts)
    statements = Statements(
        held,
        np.arange(len(texts), dtype=np.float64),
        apply_model(relevance, case.question, texts, vectors),
    )
    older, newer = (one.ravel() for one in np.mgrid[0:count, count : len(texts)])
    differ = np.array([texts[a] != texts[b] for a, b in zip(older, newer, strict=True)])
    older, newer = older[differ], newer[differ]
    ends = model.ends.compute_logits(compare_statements(model.pair, held[older], held[newer]))
    place = (-1, -1) if case.ended is None else case.ended
    labels = (older == place[0]) & (newer == count + place[1])
    return Compared(case, statements, older, newer, ends, labels)


def fit_decision(
    model: OutdatedModel, compared: Sequence[Compared], vectors: Vectors, *, without: Collection[str] = ()
) -> OutdatedModel:
    """Return the model with its second step fitted to the cases of all writers but some."""
    seen = [one for one in compared if one.case.writer not in without]
    questions = sorted({one.case.question for one in seen})
    projection = find_projection(np.stack([vectors.of_input(one) for one in questions]), _QUESTION_AXES)
    features = np.vstack([_weigh(projection, one, vectors) for one in seen])
    labels = np.concatenate([one.labels for one in seen]).astype(np.float32)
    weights = np.where(labels > 0, np.float32(_ENDED_WEIGHT), np.float32(1))
    decides = train_network(features.astype(np.float32), labels, weights, _DECIDES)
    return model._replace(question=projection, decides=decides)


def _weigh(projection: Projection, one: Compared, vectors: Vectors) -> Floats:
    query = vectors.of_input(one.case.question)
    return weigh_question(projection, query, one.statements, one.older, one.newer, one.ends)


def decide_case(model: OutdatedModel, one: Compared, vectors: Vectors) -> Floats:
    """Return the logits (m,) of the pairs of a case."""
    return model.decides.compute_logits(_weigh(model.question, one, vectors))


def report_decisions(decided: Sequence[tuple[Compared, Floats]]) -> Iterator[str]:
    """Yield lines: which changes are found, and which inputs lose a memory that is true, by bound."""
    for turn in (False, True):
        for bound in (0.0, 0.3, 0.6, 1.0, 1.5):
            some = [(one, logits) for one, logits in decided if one.case.turn is turn]
            changes = [(one, logits) for one, logits in some if one.case.category == "change"]
            found = np.mean([(logits[one.labels] >= bound).any() for one, logits in changes])
            beside = np.mean([(logits[~one.labels] >= bound).any() for one, logits in changes])
            lost = {
                category: np.mean(
                    [(logits >= bound).any() for one, logits in some if one.case.category == category]
                )
                for category in ("question", "kind", "task")
            }
            losses = ", ".join(f"{name} {share:.1%}" for name, share in lost.items())
            yield (
                f"{'as said' if turn else 'as facts'}, from {bound}: {found:.1%} of the changes found, "
                f"another memory lost beside {beside:.1%}; inputs that lose one: {losses}"
            )


def report_changes(decided: Sequence[tuple[Compared, Floats]]) -> Iterator[str]:
    """Yield lines: which of the plain changes are found, by writer and bound."""
    plain = [(one, logits) for one, logits in decided if one.case.category.startswith("plain")]
    for writer in sorted({one.case.writer for one, _ in plain}):
        some = [
            (one, float(logits.max())) for one, logits in plain if one.case.writer == writer and logits.size
        ]
        cells = []
        for bound in (0.0, 0.6, 1.0, 1.5):
            found = np.mean([logit >= bound for one, logit in some if one.case.ended])
            wrong = np.mean([logit >= bound for one, logit in some if not one.case.ended])
            cells.append(f"from {bound}: {found:.1%}, wrongly {wrong:.1%}")
        yield f"{writer}: {'; '.join(cells)}"


def write_model(model: OutdatedModel, path: Path = OUTDATED_FILE) -> None:
    """Write a model to a file, in half precision."""
    arrays: dict[str, Any] = {
        **model.pair.as_arrays("pair"),
        **model.ends.as_arrays("ends"),
        **model.question.as_arrays("question"),
        **model.decides.as_arrays("decides"),
    }
    half: dict[str, Any] = {name: np.asarray(one, dtype=np.float16) for name, one in arrays.items()}
    np.savez_compressed(path, **half)
