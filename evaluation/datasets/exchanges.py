"""Score extraction on labelled exchanges: precision, recall, details, kinds. Pure.

An exchange is `{"id", "split", "language", "category", "at", "exchange": [{"role", "content"}], "expected":
[...]}`; `bench/extraction/README.md` describes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from memories.extraction import extract_by_rules
from memories.values import Candidate, Utterance
from memsite.values import MessageRole

Extractor = Callable[[Sequence[Utterance]], list[Candidate]]
_NEGATION = re.compile(
    r"n't\b|\b(?:not|no|never|cannot|neither|nor|without|dislikes?|hates?|avoids?|no longer|stopped|quit"
    r"|detests?|loathes?)\b"
    r"|不|没|别|讨厌|戒|反感|受不了|厌恶|忍受|忍不了|无法",
    re.IGNORECASE,
)


@dataclass
class Score:
    """Counts over exchanges. Every ratio is in [0, 1], and 1 if there is nothing to count."""

    learnt: int = 0
    right: int = 0
    expected: int = 0
    found: int = 0
    details: int = 0
    kept: int = 0
    kinds: int = 0
    kinds_right: int = 0
    triples: int = 0
    triples_right: int = 0
    sensitive: int = 0
    sensitive_right: int = 0
    misses: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Share of correct candidates among all candidates."""
        return _ratio(self.right, self.learnt)

    @property
    def recall(self) -> float:
        """Share of expected memories that were found, without the optional ones."""
        return _ratio(self.found, self.expected)

    @property
    def detail_retention(self) -> float:
        """Share of the found memories' names, numbers and terms that their candidates contain verbatim."""
        return _ratio(self.kept, self.details)

    @property
    def kind_accuracy(self) -> float:
        """Share of found memories with an accepted kind."""
        return _ratio(self.kinds_right, self.kinds)

    @property
    def triple_accuracy(self) -> float:
        """Share of labelled predicates and objects that a matching candidate has."""
        return _ratio(self.triples_right, self.triples)

    @property
    def sensitive_accuracy(self) -> float:
        """Share of the found memories labelled sensitive whose candidate is marked as sensitive."""
        return _ratio(self.sensitive_right, self.sensitive)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def load_exchanges(path: Path, split: str | None = None) -> list[dict[str, Any]]:
    """Return the labelled exchanges of a file, or of one split. Raises OSError; ValueError for a bad line."""
    items = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [item for item in items if split in {None, item["split"]}]


def make_utterances(item: Mapping[str, Any]) -> list[Utterance]:
    """Return one exchange as utterances for extraction."""
    at = datetime.fromisoformat(item["at"])
    return [
        Utterance(f"message:{item['id']}-{place}", MessageRole(turn["role"]), turn["content"], at)
        for place, turn in enumerate(item["exchange"])
    ]


def score_extractor(items: Iterable[Mapping[str, Any]], extract: Extractor = extract_by_rules) -> Score:
    """Score an extractor on labelled exchanges."""
    total = Score()
    for item in items:
        _add(total, item, extract(make_utterances(item)))
    return total


def _add(total: Score, item: Mapping[str, Any], learnt: Sequence[Candidate]) -> None:
    wanted = item["expected"]
    for candidate in learnt:
        right = any(_matches(candidate, expected) for expected in wanted)
        total.learnt += 1
        total.right += right
        if not right:
            total.misses.append(f"{item['id']} wrong   {candidate.kind}: {candidate.content}")
    for expected in wanted:
        _meet(total, item, expected, [candidate for candidate in learnt if _matches(candidate, expected)])


def _meet(
    total: Score, item: Mapping[str, Any], expected: Mapping[str, Any], matching: Sequence[Candidate]
) -> None:
    if not expected.get("optional"):
        total.expected += 1
        total.found += bool(matching)
        if not matching:
            total.misses.append(
                f"{item['id']} missing {expected['key']}: {item['exchange'][-1]['content']!r}"
            )
    if not matching:
        return
    details = [*expected["key"], *expected.get("details", [])]
    kept = max(sum(_holds(candidate.content, detail) for detail in details) for candidate in matching)
    total.details += len(details)
    total.kept += kept
    if kept < len(details):
        total.misses.append(f"{item['id']} detail  {details} in {matching[0].content}")
    total.kinds += 1
    kind_right = any(candidate.kind in expected["kind"] for candidate in matching)
    total.kinds_right += kind_right
    if not kind_right:
        total.misses.append(
            f"{item['id']} kind    {matching[0].kind}, not {expected['kind']}: {matching[0].content}"
        )
    if expected.get("sensitive"):
        total.sensitive += 1
        marked = any(candidate.sensitive for candidate in matching)
        total.sensitive_right += marked
        if not marked:
            total.misses.append(f"{item['id']} sensitive: {matching[0].content}")
    if "predicate" in expected or "object" in expected:
        total.triples += 1
        met = any(_says(candidate, expected) for candidate in matching)
        total.triples_right += met
        if not met:
            first = matching[0]
            total.misses.append(
                f"{item['id']} triple  {first.subject}|{first.predicate}|{first.object}: {first.content}"
            )


def _says(candidate: Candidate, expected: Mapping[str, Any]) -> bool:
    return expected.get("predicate") in {None, candidate.predicate} and expected.get("object") in {
        None,
        candidate.object,
    }


def _matches(candidate: Candidate, expected: Mapping[str, Any]) -> bool:
    content = candidate.content
    if not all(_holds(content, key) for key in expected["key"]):
        return False
    if any(_holds(content, absent) for absent in expected.get("absent", [])):
        return False
    return "negated" not in expected or bool(_NEGATION.search(content)) == expected["negated"]


def _holds(content: str, detail: str) -> bool:
    return detail.casefold() in content.casefold()


def compute_ratios(result: Score) -> tuple[float, ...]:
    """Return precision, recall, and the accuracy of details, kinds, triples and sensitive marks."""
    return (
        result.precision,
        result.recall,
        result.detail_retention,
        result.kind_accuracy,
        result.triple_accuracy,
        result.sensitive_accuracy,
    )
