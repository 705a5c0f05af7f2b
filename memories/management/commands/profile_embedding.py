"""`manage.py profile_embedding`: measure the embedding model in use on labelled pairs."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from memsite.llm.embedding import get_embedder, profiling, save_profile


class Command(BaseCommand):
    help = (
        "Measure what the similarities of the embedding model in use mean, and fit the reference scale to it."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        pairs = Path(settings.BASE_DIR) / "bench" / "profile" / "pairs.jsonl"
        parser.add_argument(
            "--pairs", type=Path, default=pairs, help="labelled pairs, one JSON object a line"
        )
        parser.add_argument(
            "--write", type=Path, metavar="FILE", help="add the fitted map to this JSON file of profiles"
        )

    def handle(self, **options: Any) -> None:
        embedder = get_embedder()
        pairs = profiling.read_pairs(options["pairs"])
        raw = profiling.compute_cosines(embedder, pairs, self._progress)
        fitted = profiling.fit_profile(pairs, raw)
        self.stdout.write(
            f"model: {embedder.model}, {embedder.dimensions} dimensions, {len(pairs)} pairs\n\n"
        )
        self._print_measured(profiling.measure_cosines(pairs, raw))
        self._print_fit(fitted)
        if options["write"]:
            save_profile(options["write"], embedder.model, fitted.profile)
            self.stdout.write(f"written to {options['write']}")

    def _progress(self, batches: Sequence[int]) -> Iterable[int]:
        wrapped: Iterable[int] = tqdm(batches, desc="embedding", unit="batch", file=self.stderr)
        return wrapped

    def _print_measured(self, rows: Iterable[profiling.Measured]) -> None:
        self.stdout.write(f"{'cosines of':<18}{'in':<6}{'pairs':>6}" + _columns(profiling.PERCENTILES, "7d"))
        for row in rows:
            self.stdout.write(
                f"{row.label:<18}{row.language:<6}{row.count:>6}" + _columns(row.percentiles, "7.3f")
            )

    def _print_fit(self, fitted: profiling.Fit) -> None:
        self.stdout.write("\nreference  measured  what is measured")
        for anchor, raw in zip(profiling.ANCHORS, fitted.raw, strict=True):
            self.stdout.write(
                f"{anchor.reference:9.2f}{raw:10.3f}  {anchor.label}, percentile {anchor.percentile}"
            )
        for group in fitted.pooled:
            names = ", ".join(anchor.label for anchor in group)
            self.stdout.write(f"out of order, so not told apart and put at their mean: {names}")
        self.stdout.write(f"map (cosine, reference): {json.dumps(fitted.profile.points)}")


def _columns(values: Iterable[float], form: str) -> str:
    return "".join(format(value, form) for value in values)
