"""Fit the weights of sentence vectors among turns of conversations; show recall with and without them.

python -m bench.fusion --locomo FILE --everyday FOLDER [--vectors FILE] [--weights]

Reads conversations in LoCoMo's JSON and sets of everyday memories (a `.jsonl` file a person). Builds each
owner's index in process, as the site does, so neither a site nor a database is needed. The weights are found
by coordinate ascent over all owners but one, and recall is measured on that one (leave one owner out); last
come the weights found over all. `--weights` only measures the weights in `memories.conf`.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from memories.retrieval.index import IndexRows

Float32 = NDArray[np.float32]

AT: Final = (5, 10)
GRIDS: Final[Mapping[str, tuple[float, ...]]] = {
    "sentence": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.3),
    "session_sentence": (0.0, 0.1, 0.2, 0.3, 0.4),
    "around_sentence": (0.0, 0.1, 0.2, 0.3, 0.4),
}
#: A weight is raised only for this much more recall: weights are not delicate, and fewer are better.
_LEAST_GAIN: Final = 0.0005
_PASSES: Final = 3
_NOON: Final = 12


@dataclass(frozen=True, slots=True)
class Line:
    """One memory of a data set."""

    id: str
    text: str
    at: datetime | None
    speaker: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True)
class Owner:
    """The memories of one person, and questions with the ids of the memories that answer them.

    Attributes:
        kind: `locomo` or `everyday`.
    """

    name: str
    kind: str
    lines: tuple[Line, ...]
    questions: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class QuestionSignals:
    """A question with the fused score of today's signals and the sentence signals: (n,) each."""

    kind: str
    wanted: NDArray[np.int64]
    base: Float32
    signals: Mapping[str, Float32]


def read_locomo(path: Path) -> Iterator[Owner]:
    """Yield the conversations of a file in LoCoMo's JSON."""
    from evaluation.datasets import CATEGORIES, read_dataset  # noqa: PLC0415 - reads the settings

    for one in read_dataset(path):
        lines = tuple(Line(turn.id, turn.content, turn.at, turn.speaker, turn.session) for turn in one.turns)
        questions = tuple(
            (q.text, q.evidence) for q in one.questions if q.category in CATEGORIES and q.evidence
        )
        yield Owner(one.name, "locomo", lines, questions)


def read_everyday(folder: Path) -> Iterator[Owner]:
    """Yield one owner for each file of a folder: lines of type `memory` and `question`, others are ignored.

    The memories of the other persons stand beside their own, so that there is something to confuse.
    """
    entries = {path.stem: _entries(path) for path in sorted(folder.glob("*.jsonl"))}
    lines = tuple(
        Line(entry["id"], entry["text"], _noon(entry["at"]))
        for some in entries.values()
        for entry in some
        if entry["type"] == "memory"
    )
    for name, some in entries.items():
        questions = (
            (entry["text"], tuple(entry["memories"])) for entry in some if entry["type"] == "question"
        )
        yield Owner(name, "everyday", lines, tuple(one for one in questions if one[1]))


def _entries(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _noon(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(hour=_NOON, tzinfo=UTC)


class Vectors:
    """Sentence vectors by text, kept in a file, because embedding some thousand texts takes minutes."""

    def __init__(self, path: Path) -> None:
        from memsite.llm.embedding import get_sentence_embedder  # noqa: PLC0415 - reads the settings

        self.path, self.embedder = path, get_sentence_embedder()
        self.stored: dict[str, Float32] = {}
        if path.exists():
            stored = np.load(path)
            self.stored = dict(zip(stored["texts"].tolist(), stored["vectors"], strict=True))

    def passages(self, texts: Sequence[str]) -> Float32:
        """Return the vectors of memories."""
        if self.embedder is None:
            raise SystemExit("no sentence model on this machine")
        missing = [text for text in dict.fromkeys(texts) if f"p {text}" not in self.stored]
        for start in range(0, len(missing), 32):
            some = missing[start : start + 32]
            found = self.embedder.embed_passages(some)
            self.stored |= {f"p {text}": vector for text, vector in zip(some, found, strict=True)}
        return np.stack([self.stored[f"p {text}"] for text in texts])

    def query(self, text: str) -> Float32:
        """Return the vector of a query."""
        if self.embedder is None:
            raise SystemExit("no sentence model on this machine")
        if f"q {text}" not in self.stored:
            self.stored[f"q {text}"] = self.embedder.embed_query(text)
        return self.stored[f"q {text}"]

    def save(self) -> None:
        """Write all vectors to the file."""
        np.savez(self.path, texts=np.array(list(self.stored)), vectors=np.stack(list(self.stored.values())))


def make_rows(lines: Sequence[Line], sentences: Float32) -> IndexRows:
    """Return the rows of an index: turns of a conversation as episodes, everything else as facts."""
    from memories.retrieval.index import IndexRows, pack_tokens  # noqa: PLC0415 - reads the settings
    from memories.text import analyse_texts, pack_names, read_statement  # noqa: PLC0415 - as above
    from memories.values import LAYERS, Kind, Layer, Status  # noqa: PLC0415 - as above
    from memsite.llm.embedding import get_embedder, quantise_vectors  # noqa: PLC0415 - as above

    texts, count = [line.text for line in lines], len(lines)
    analysed = analyse_texts(texts)
    layer = [Layer.EPISODIC if line.session else Layer.SEMANTIC for line in lines]
    unknown, now = np.full(count, np.nan), datetime.now(UTC).timestamp()
    token_ids = getattr(get_embedder(), "token_ids")(texts)  # noqa: B009 - the built-in embedder has them
    return IndexRows(
        ids=[line.id for line in lines],
        layer=np.array([LAYERS.index(one) for one in layer], dtype=np.uint8),
        kind=[Kind.CONVERSATION if line.session else Kind.FACT for line in lines],
        category=[""] * count,
        status=[Status.ACTIVE] * count,
        speaker=[line.speaker for line in lines],
        session=[line.session for line in lines],
        position=np.arange(count),
        occurred_at=np.array([line.at.timestamp() if line.at else np.nan for line in lines]),
        restated_at=unknown,
        created_at=np.full(count, now),
        last_used_at=np.full(count, now),
        valid_from=unknown,
        valid_until=unknown,
        ended_at=unknown,
        retired_at=unknown,
        importance=np.full(count, 0.5, dtype=np.float32),
        confidence=np.full(count, 0.9, dtype=np.float32),
        access_count=np.zeros(count, dtype=np.int64),
        length=np.array([one.length for one in analysed], dtype=np.int64),
        cues=np.array([one.cues for one in analysed], dtype=np.int64),
        pinned=np.zeros(count, dtype=np.bool_),
        terms=[one.terms for one in analysed],
        tokens=[pack_tokens(ids) for ids in token_ids],
        entities=[pack_names(read_statement(text).names) for text in texts],
        sentences=quantise_vectors(sentences),
    )


def ask_owner(
    owner: Owner, vectors: Vectors, *, ranked: bool
) -> tuple[list[QuestionSignals], list[list[int]]]:
    """Return the signals of an owner's questions and, if `ranked`, what the whole ranking finds for each."""
    from dataclasses import replace  # noqa: PLC0415 - beside the others

    from memories import conf  # noqa: PLC0415 - reads the settings
    from memories.retrieval.index import OwnerIndex, TokenSpace  # noqa: PLC0415 - as above
    from memories.retrieval.query import parse_query  # noqa: PLC0415 - as above
    from memories.retrieval.ranking import rank_memories  # noqa: PLC0415 - as above
    from memories.retrieval.signals import compute_signals, fuse_signals, make_probe  # noqa: PLC0415 - as above
    from memsite.llm.embedding import TokenEmbedder, get_embedder  # noqa: PLC0415 - as above

    embedder = get_embedder()
    assert isinstance(embedder, TokenEmbedder)
    rows = make_rows(owner.lines, vectors.passages([line.text for line in owner.lines]))
    index = OwnerIndex.build(rows, TokenSpace.of(embedder))
    everything, now = np.ones(len(index), dtype=bool), datetime.now(UTC)
    base = {name: weight for name, weight in conf.TOKEN_WEIGHTS.items() if name not in GRIDS}
    questions, found = [], []
    for text, wanted in owner.questions:
        query = parse_query(text, index.speakers, now)
        probe = replace(make_probe(query.meaning, embedder), sentence=vectors.query(query.gist))
        signals = compute_signals(index, query, probe, everything).fused
        questions.append(
            QuestionSignals(
                owner.kind,
                index.rows_of(wanted),
                fuse_signals(signals, base, len(index)),
                {name: signals[name] for name in GRIDS if name in signals},
            )
        )
        if ranked:
            best = rank_memories(index, query, probe, everything, now, top=max(AT))
            found.append(best.rows.tolist())
    return questions, found


def measure_recall(questions: Sequence[QuestionSignals], weights: Mapping[str, float]) -> dict[int, float]:
    """Return the mean evidence recall at each k, in the order of the fused score alone."""
    shares: dict[int, list[float]] = {k: [] for k in AT}
    for one in questions:
        scores = one.base.copy()
        for name, weight in weights.items():
            if weight and name in one.signals:
                scores += np.float32(weight) * one.signals[name]
        order = np.argsort(-scores, kind="stable")[: max(AT)]
        for k in AT:
            shares[k].append(float(np.isin(one.wanted, order[:k]).mean()))
    return {k: float(np.mean(values)) if values else float("nan") for k, values in shares.items()}


def compute_objective(questions: Sequence[QuestionSignals], weights: Mapping[str, float]) -> float:
    """Return the mean over kinds of data set of recall at 5 and at 10."""
    kinds = sorted({one.kind for one in questions})
    values = [measure_recall([one for one in questions if one.kind == kind], weights) for kind in kinds]
    return float(np.mean([list(value.values()) for value in values]))


def fit_weights(questions: Sequence[QuestionSignals]) -> dict[str, float]:
    """Return the weights with the best objective, found one weight at a time from zero."""
    weights = dict.fromkeys(GRIDS, 0.0)
    best = compute_objective(questions, weights)
    for _ in range(_PASSES):
        before = dict(weights)
        for name, grid in GRIDS.items():
            for value in grid:
                reached = compute_objective(questions, {**weights, name: value})
                if reached > best + _LEAST_GAIN:
                    best, weights = reached, {**weights, name: value}
        if weights == before:
            break
    return weights


def main() -> None:
    """Print recall without sentence vectors, with weights fitted on the other owners, and with all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--locomo", type=Path)
    parser.add_argument("--everyday", type=Path)
    parser.add_argument("--vectors", type=Path, default=Path("sentence-vectors.npz"))
    parser.add_argument("--weights", action="store_true")
    options = parser.parse_args()
    set_up()
    owners = [
        *(read_locomo(options.locomo) if options.locomo else ()),
        *(read_everyday(options.everyday) if options.everyday else ()),
    ]
    vectors = Vectors(options.vectors)
    questions: dict[str, list[QuestionSignals]] = {}
    ranked: dict[str, list[list[int]]] = {}
    for owner in owners:
        questions[owner.name], ranked[owner.name] = ask_owner(owner, vectors, ranked=True)
        vectors.save()
    kinds = {owner.name: owner.kind for owner in owners}
    print(
        f"{'evidence recall, %':34}"
        + "".join(f"{f'{kind} @{k}':>14}" for kind in sorted(set(kinds.values())) for k in AT)
    )
    _print("without sentence vectors", [(one, {}) for one in _all(questions)])
    _print_ranked("whole ranking, weights of conf", questions, ranked)
    if options.weights:
        return
    left_out = [
        (one, weights)
        for name in questions
        for weights in [fit_weights(_all({key: some for key, some in questions.items() if key != name}))]
        for one in questions[name]
    ]
    _print("fitted on the other owners", left_out)
    final = fit_weights(_all(questions))
    _print("fitted on all", [(one, final) for one in _all(questions)])
    print(final)


def _all(questions: Mapping[str, Sequence[QuestionSignals]]) -> list[QuestionSignals]:
    return [one for some in questions.values() for one in some]


def _print(label: str, pairs: Sequence[tuple[QuestionSignals, Mapping[str, float]]]) -> None:
    kinds = sorted({one.kind for one, _ in pairs})
    values = []
    for kind in kinds:
        each = [measure_recall([one], weights) for one, weights in pairs if one.kind == kind]
        values += [float(np.mean([recall[k] for recall in each])) for k in AT]
    print(f"{label:34}" + "".join(f"{100 * value:>14.1f}" for value in values))


def _print_ranked(
    label: str,
    questions: Mapping[str, Sequence[QuestionSignals]],
    ranked: Mapping[str, Sequence[Sequence[int]]],
) -> None:
    pairs = [
        (one, found) for name in questions for one, found in zip(questions[name], ranked[name], strict=True)
    ]
    values = []
    for kind in sorted({one.kind for one, _ in pairs}):
        some = [(one.wanted, found) for one, found in pairs if one.kind == kind]
        values += [float(np.mean([np.isin(wanted, found[:k]).mean() for wanted, found in some])) for k in AT]
    print(f"{label:34}" + "".join(f"{100 * value:>14.1f}" for value in values))


def set_up() -> None:
    """Set up Django without a site: nothing is stored."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memsite.settings")
    os.environ.setdefault("MEMSITE_SECRET_KEY", secrets.token_hex(32))  # nothing is stored
    import django  # noqa: PLC0415 - after the environment is set

    django.setup()


if __name__ == "__main__":
    main()
