"""Fit every estimate without some of the writers, to measure it on these, then on all."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from evaluation.quality import EVERYDAY_SET, read_everyday_set
from training import fields, outdated, relevance
from training.people import read_changes, read_people
from training.vectors import Vectors

_PARTS: Final = 4


def fit_all(vectors_file: Path, *, writes: bool) -> None:
    """Fit, print the measures of unseen writers, and write the fits on all."""
    people, changes, everyday = read_people(), read_changes(), read_everyday_set(EVERYDAY_SET)
    examples = relevance.read_examples(people, changes, everyday)
    needing = relevance.read_needing(people, everyday)
    pairs = outdated.read_pairs(people, changes, everyday)
    cases = list(outdated.read_cases(people, changes))
    lines = fields.read_lines(people, needing)
    vectors = Vectors(vectors_file)
    vectors.prepare(
        [
            *(text for some in examples.memories for text in some),
            *(text for pair in pairs for text in (pair.older, pair.newer)),
            *(text for case in cases for text in (*case.older, *case.newer)),
            *(text for person in people for one in person.memories for text in (one.fact, one.said)),
            *(one.text for one in lines.memories),
        ],
        [
            *examples.inputs,
            *(one.text for one in needing),
            *(one.question for one in cases),
            *(one.text for one in lines.inputs),
        ],
    )
    models = fields.fit_fields(lines, vectors)
    _say(*fields.report_fields(lines, models, people, vectors))
    judged, compared = [], []
    for writers in _divide([*(one.writer for one in people), *(one.writer for one in changes)]):
        model = relevance.fit_relevance(examples, needing, vectors, without=writers)
        unseen = [person for person in people if person.writer in writers]
        judged += list(relevance.judge_people(model, unseen, vectors))
        pair = outdated.fit_pair(pairs, vectors, without=writers)
        compared += [
            outdated.compare_case(case, pair, model, vectors) for case in cases if case.writer in writers
        ]
        _say(f"measured: {', '.join(sorted(writers))}")
    final = relevance.set_constant(relevance.fit_relevance(examples, needing, vectors), judged)
    constant = float(final.shares[-1])
    _say(*relevance.report_judged(judged, constant))
    compared = [
        one._replace(statements=one.statements._replace(logits=one.statements.logits + constant))
        for one in compared
    ]
    decided, whole = [], outdated.fit_pair(pairs, vectors)
    for writers in _divide([one.case.writer for one in compared]):
        part = outdated.fit_decision(whole, compared, vectors, without=writers)
        decided += [
            (one, outdated.decide_case(part, one, vectors)) for one in compared if one.case.writer in writers
        ]
    _say(*outdated.report_decisions(decided), *outdated.report_changes(decided))
    if writes:
        fields.write_models(models)
        relevance.write_model(final)
        outdated.write_model(outdated.fit_decision(whole, compared, vectors))


def _divide(writers: Iterable[str]) -> list[frozenset[str]]:
    """Return the writers in _PARTS parts, each of which is left out once."""
    names = sorted(set(writers))
    return [frozenset(names[part::_PARTS]) for part in range(_PARTS)]


def _say(*lines: str) -> None:
    sys.stdout.write("\n".join([*lines, ""]))
    sys.stdout.flush()
