"""Run every bench on one site, one after the other, and print one table at the end. Under fifteen minutes.

python -m bench.all [--quick] [--url http://127.0.0.1:8000 --key KEY --application-key KEY]
"""

from __future__ import annotations

import os
import platform
from argparse import Namespace
from collections.abc import Callable

from bench import after_write, context, disk, growth, latency, throughput, writing
from bench.figures import Figure, print_figures
from bench.stage import Stage, opened, parser

Bench = Callable[[Stage], list[Figure]]


def benches(*, quick: bool) -> list[tuple[str, Bench]]:
    """Return the benches in the order in which they share filled people; `quick` gives smaller sizes."""
    if not quick:
        return [
            ("Growth", growth.measure),
            ("Latency, one connection", latency.measure),
            ("Search after a write", after_write.measure),
            ("Throughput", throughput.measure),
            ("Disk", disk.measure),
            ("Writing", writing.measure),
            ("Contexts of a long thread", context.measure),
        ]
    return [
        ("Growth", lambda stage: growth.measure(stage, large=10_000, many=50)),
        ("Latency, one connection", lambda stage: latency.measure(stage, (1_000, 10_000), 60)),
        ("Search after a write", lambda stage: after_write.measure(stage, (10_000,), 40)),
        ("Throughput", lambda stage: throughput.measure(stage, seconds=3)),
        ("Disk", lambda stage: disk.measure(stage, 2_000)),
        ("Writing", writing.measure),
        ("Contexts of a long thread", lambda stage: context.measure(stage, 1_000, 20)),
    ]


def measure(stage: Stage, options: Namespace) -> list[Figure]:
    """Return all figures; print each bench's own table as soon as it is done."""
    figures: list[Figure] = []
    for title, bench in benches(quick=options.quick):
        found = bench(stage)
        print_figures(title, found)
        figures += found
    return figures


def main() -> None:
    """Run from the command line."""
    options = parser("Every bench, one table.")
    options.add_argument("--quick", action="store_true", help="smaller sizes: a look in some three minutes")
    chosen = options.parse_args()
    with opened(chosen) as stage:
        figures = measure(stage, chosen)
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print_figures(f"All, on {os.cpu_count()} cores of {platform.machine()} (load {load})", figures)


if __name__ == "__main__":
    main()
