"""Score the rules that decide whether two texts are one memory, on labelled pairs.

python -m bench.merging.score [--split NAME] [--misses] [--file FILE]
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from memories.text.comparison.contradiction import find_contradiction
from memories.text.comparison.contrast import find_differences
from memories.text.comparison.wording import has_same_wording

LABELLED: Final = Path(__file__).parent / "labelled.jsonl"
#: Whether each rule should say yes to a pair of each label; labels that do not concern a rule are missing.
JOIN: Final = {
    "same_wording": True,
    "paraphrase": True,
    "near": False,
    "unrelated": False,
    "contradictory": False,
    "compatible": False,
}
KEEP_DISTINCT: Final = {"same_wording": False, "paraphrase": False, "near": True}
CONTRADICT: Final = {
    "same_wording": False,
    "paraphrase": False,
    "unrelated": False,
    "compatible": False,
    "contradictory": True,
}
RULES: Final[Mapping[str, tuple[Mapping[str, bool], Callable[[str, str], bool]]]] = {
    "join": (JOIN, has_same_wording),
    "keep apart": (KEEP_DISTINCT, lambda a, b: bool(find_differences(a, b))),
    "contradict": (CONTRADICT, lambda a, b: bool(find_contradiction(a, b))),
}


def load(path: Path = LABELLED, split: str | None = None) -> list[dict[str, str]]:
    """Return the labelled pairs of a split, or all."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [row for row in rows if split in {None, row["split"]}]


def judged_same(rule: str, pair: Mapping[str, str]) -> bool:
    """Return whether a rule says yes to the pair in either order."""
    ask = RULES[rule][1]
    return ask(pair["a"], pair["b"]) or ask(pair["b"], pair["a"])


def main() -> None:
    """Print a table: for each split and label, how many pairs each rule says yes to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=LABELLED)
    parser.add_argument("--split", metavar="NAME", help="default: each in turn")
    parser.add_argument("--misses", action="store_true", help="list the pairs answered wrongly")
    chosen = parser.parse_args()
    pairs = load(chosen.file, chosen.split)
    print(f"{'split':<12} {'label':<14} {'lang':<5} {'pairs':>5} {'join':>6} {'apart':>6} {'contra':>6}")
    for split in dict.fromkeys(pair["split"] for pair in pairs):
        _print_split(split, [pair for pair in pairs if pair["split"] == split], misses=chosen.misses)
    print(_speed(pairs))


def _print_split(split: str, pairs: Sequence[Mapping[str, str]], *, misses: bool) -> None:
    groups = Counter((pair["label"], pair["language"]) for pair in pairs)
    for (label, language), size in groups.items():
        group = [pair for pair in pairs if (pair["label"], pair["language"]) == (label, language)]
        answers = {rule: [judged_same(rule, pair) for pair in group] for rule in RULES}
        shown = " ".join(f"{sum(yes):>6}" for yes in answers.values())
        print(f"{split:<12} {label:<14} {language:<5} {size:>5} {shown}")
        if misses:
            _print_misses(label, group, answers)


def _print_misses(label: str, group: Sequence[Mapping[str, str]], answers: Mapping[str, list[bool]]) -> None:
    for rule, (wanted, _) in RULES.items():
        if label not in wanted or (rule == "join" and label == "paraphrase"):
            continue
        for pair, answer in zip(group, answers[rule], strict=True):
            if answer != wanted[label]:
                why = ",".join(sorted(find_differences(pair["a"], pair["b"])))
                print(f"    {rule} {'wrongly' if answer else 'missed'}: {pair['a']} | {pair['b']}   [{why}]")


def _speed(pairs: Sequence[Mapping[str, str]]) -> str:
    for pair in pairs:
        find_differences(pair["a"], pair["b"])
    began = time.process_time()
    for pair in pairs:
        find_differences(pair["a"], pair["b"])
    read_before = 1e6 * (time.process_time() - began) / max(len(pairs), 1)
    return f"differences: {read_before:.0f} µs of processor time a pair of texts read before"


if __name__ == "__main__":
    main()
