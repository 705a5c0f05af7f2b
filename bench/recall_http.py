"""Measure evidence recall over HTTP, as any program would: add the turns in batches, search, compare.

    python -m bench.recall_http --dataset FILE [--url http://127.0.0.1:8000 --application-key KEY]

Each conversation belongs to a new person, who is deleted with our own site. A running site needs an
application's key; there the written memories remain, under those end users.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from bench.clock import milliseconds, p50, p95
from bench.connection import BATCH, Connection, search_body
from bench.stage import Stage, opened, parser
from evaluation.datasets.dataset import CATEGORIES, Conversation, DatasetError, Question, Turn, read_dataset
from evaluation.scoring import compute_evidence_recall, estimate_mean
from evaluation.table import format_table

TOP: Final = (3, 5, 10, 20)

Recalls = list[tuple[int, list[float]]]


def measure(stage: Stage, conversations: Sequence[Conversation], *, text_only: bool) -> str:
    """Return recall by category and the time of a search, as text."""
    recalls: Recalls = []
    times: list[float] = []
    for conversation in conversations:
        with closing(stage.connect(stage.site.person())) as connection:
            memory_of = _write(connection, conversation.turns, text_only=text_only)
            questions = [one for one in conversation.questions if one.category in CATEGORIES and one.evidence]
            for question in stage.bar(questions, f"asking {conversation.name}"):
                recalls.append((question.category, _ask(connection, question, memory_of, times)))
    speed = f"search p50 {p50(times):.1f} ms, p95 {p95(times):.1f} ms over HTTP"
    return f"{_table(recalls)}\n{speed}"


def _write(connection: Connection, turns: Sequence[Turn], *, text_only: bool) -> dict[str, str]:
    """Write the turns; return the memory id of each."""
    memory_of: dict[str, str] = {}
    for start in range(0, len(turns), BATCH):
        batch = turns[start : start + BATCH]
        results = connection.add([_memory(turn, text_only=text_only) for turn in batch])
        for turn, result in zip(batch, results, strict=True):
            if result["memory"] is not None:
                memory_of[turn.id] = result["memory"]["id"]
    return memory_of


def _memory(turn: Turn, *, text_only: bool) -> dict[str, Any]:
    if text_only:
        return {"layer": "episodic", "content": turn.content}
    turn_fields = {"speaker": turn.speaker, "session": turn.session}
    at = {"occurred_at": turn.at.isoformat()} if turn.at else {}
    return {"layer": "episodic", "content": turn.content, **turn_fields, **at}


def _ask(
    connection: Connection, question: Question, memory_of: dict[str, str], times: list[float]
) -> list[float]:
    """Return the recall at each k; append the time of the search."""
    body = search_body(question.text, max(TOP))
    answers: list[bytes] = []
    times.append(milliseconds(lambda: answers.append(connection.search(body))))
    found = [memory["id"] for memory in json.loads(answers[0])["memories"]]
    evidence = {memory_of.get(turn, turn) for turn in question.evidence}
    return [compute_evidence_recall(evidence, found, k) for k in TOP]


def _table(recalls: Recalls) -> str:
    groups = [("all", recalls)]
    groups += [
        (f"{category} {name}", [one for one in recalls if one[0] == category])
        for category, name in CATEGORIES.items()
    ]
    rows = [[name, str(len(some)), *_cells(some)] for name, some in groups if some]
    return format_table(["category", "questions", *(f"@{k}" for k in TOP)], rows)


def _cells(recalls: Recalls) -> list[str]:
    found = [estimate_mean([values[place] for _, values in recalls]) for place in range(len(TOP))]
    return [f"{one.mean * 100:.1f} ({one.low * 100:.1f}–{one.high * 100:.1f})" for one in found]


def main() -> None:
    """Run from the command line."""
    options = parser("Evidence recall over HTTP.")
    options.add_argument("--dataset", type=Path, required=True, metavar="FILE", help="LoCoMo's JSON")
    options.add_argument("--text-only", action="store_true", help="no speaker, session, date")
    chosen = options.parse_args()
    try:
        conversations = read_dataset(chosen.dataset)
    except DatasetError as error:
        raise SystemExit(str(error)) from None
    with opened(chosen) as stage:
        print(measure(stage, conversations, text_only=chosen.text_only))


if __name__ == "__main__":
    main()
