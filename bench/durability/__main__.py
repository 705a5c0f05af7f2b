"""Kill a site again and again while it writes, and check that nothing is lost or duplicated.

python -m bench.durability --kills 200 [--seed 1] [--gap 3] [--pause 0.8] [--keep]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Final

from bench.durability.clients import Refused
from bench.durability.proof import prove
from bench.durability.result import Result, Settings
from bench.durability.site import SiteFailed

_WIDTH: Final = 30  # characters of the bar


class Progress:
    """One line that shows the progress."""

    def __init__(self) -> None:
        self._begin = time.monotonic()

    def __call__(self, what: str, done: int, of: int) -> None:
        """Show the progress."""
        full = _WIDTH * done // of
        minutes, seconds = divmod(int(time.monotonic() - self._begin), 60)
        bar = f"[{'#' * full}{'.' * (_WIDTH - full)}] {done}/{of} {minutes}:{seconds:02} {what}"
        end = "" if sys.stderr.isatty() else "\n"
        start = "\r\x1b[K" if sys.stderr.isatty() else ""
        print(f"{start}{bar}", end=end, file=sys.stderr, flush=True)


def main() -> int:
    """Run the bench; return 0 if every law holds."""
    options = _options()
    folder = Path(tempfile.mkdtemp(prefix="memsite-durability-"))
    settings = Settings(kills=options.kills, seed=options.seed, gap=options.gap, pause=options.pause)
    try:
        result = prove(folder, settings, Progress())
    except (SiteFailed, Refused) as error:
        print(f"\nThe run ended early: {error}\nWhat the site said is in {folder}", file=sys.stderr)
        return 1
    _show(result)
    if options.keep or not result.holds:
        print(f"\nThe site's data and what it said are in {folder}")
    else:
        shutil.rmtree(folder)
    return 0 if result.holds else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.durability", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="of the order and the moments of the kills")
    parser.add_argument("--gap", type=float, default=3.0, help="most seconds between two kills")
    parser.add_argument("--pause", type=float, default=0.8, help="mean seconds between a writer's requests")
    parser.add_argument("--keep", action="store_true", help="leave the data where it is")
    return parser.parse_args()


def _show(result: Result) -> None:
    kinds = Counter(kill.kind for kill in result.kills)
    print(f"\n\n{len(result.kills)} kills")
    for kind in sorted(kinds):
        print(f"  {kind:<50} {kinds[kind]:>8}")
    print("\nThe run")
    for what, number in result.numbers.items():
        print(f"  {what:<50} {number:>8}")
    print("\nLaws")
    for law, found in result.laws.items():
        print(f"  {'broken' if found else 'holds':<8}{law}")
        for sentence in found:
            print(f"            {sentence}")


if __name__ == "__main__":
    sys.exit(main())
