"""Score the extraction rules on labelled exchanges: precision, recall, detail retention, kind accuracy.

python -m bench.extraction.score [--split NAME] [--misses] [--file FILE]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluation.datasets.exchanges import (
    Score,
    compute_ratios,
    load_exchanges,
    make_utterances,
    score_extractor,
)
from memories.extraction.rules.by_rules import extract_by_rules

LABELLED = Path(__file__).parent / "labelled.jsonl"


def main() -> None:
    """Print a table, one row per split and language."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=LABELLED)
    parser.add_argument("--split", metavar="NAME", help="default: each in turn")
    parser.add_argument(
        "--misses", action="store_true", help="list what was missed, learnt wrongly or mangled"
    )
    chosen = parser.parse_args()
    print(
        f"{'split':<12} {'lang':<6} {'items':>5} {'precision':>9} {'recall':>7} {'detail':>7} "
        f"{'kind':>6} {'triple':>6} {'sensitive':>9}"
    )
    splits = dict.fromkeys(item["split"] for item in load_exchanges(chosen.file, chosen.split))
    for split in splits:
        items = load_exchanges(chosen.file, split)
        for language in ("all", "en", "zh", "mixed"):
            part = [item for item in items if language in {"all", item["language"]}]
            if part:
                result = score_extractor(part)
                print(_row(split, language, len(part), result))
                if chosen.misses and language == "all":
                    print("\n".join(f"    {miss}" for miss in result.misses))
    print(_speed(load_exchanges(chosen.file, chosen.split)))


def _row(split: str, language: str, items: int, result: Score) -> str:
    widths = (9, 7, 7, 6, 6, 9)
    shown = " ".join(
        f"{100 * ratio:>{width}.1f}" for ratio, width in zip(compute_ratios(result), widths, strict=True)
    )
    return f"{split:<12} {language:<6} {items:>5} {shown}"


def _speed(items: Sequence[dict[str, Any]]) -> str:
    exchanges = [make_utterances(item) for item in items]
    began = time.perf_counter()
    for exchange in exchanges:
        extract_by_rules(exchange)
    each = (time.perf_counter() - began) / max(len(exchanges), 1)
    return f"{1000 * each:.2f} ms an exchange"


if __name__ == "__main__":
    main()
