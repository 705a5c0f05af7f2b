"""Measure how long one search takes on one connection, by the owner's number of memories."""

from __future__ import annotations

from contextlib import closing
from functools import partial

from bench import texts
from bench.clock import milliseconds, p50, p95
from bench.connection import search_body
from bench.figures import Figure
from bench.site import list_processes, sum_processor_time
from bench.stage import QUESTIONS_SEED, Stage, parser, play
from bench.yardsticks import DotProduct, Scan

SIZES = (1_000, 10_000, 100_000)
SEARCHES = 200
_WARM_UP = 20
_TARGET_AT = {10_000: 8.0}

Times = dict[str, list[float]]


def measure(stage: Stage, sizes: tuple[int, ...] = SIZES, searches: int = SEARCHES) -> list[Figure]:
    """Return search p50 and p95 at each size, beside a bare endpoint, an SQL scan and a dot product."""
    return [figure for size in sizes for figure in _figures(size, times_at(stage, size, searches))]


def times_at(stage: Stage, size: int, searches: int) -> Times:
    """Return milliseconds of searches and yardsticks, measured in turns so that a busy moment affects all."""
    person = stage.filled(size)
    bodies = [search_body(question) for question in texts.questions(searches + _WARM_UP, QUESTIONS_SEED)]
    times: Times = {"search": [], "processor": [], "again": [], "healthz": [], "sql": [], "numpy": []}
    web = [process for process, words in list_processes(stage.site).items() if "serve" in words]
    with closing(stage.connect(person)) as connection, stage.database() as database:
        for body in bodies[:_WARM_UP]:
            connection.search(body)
        dot = DotProduct(size)
        scan = Scan(database, connection.owner) if database is not None else None
        for body in stage.bar(bodies[_WARM_UP:], f"searching {size:,}"):
            before = sum_processor_time(web)
            times["search"].append(milliseconds(partial(connection.search, body)))
            times["processor"].append(sum_processor_time(web) - before)
            times["again"].append(milliseconds(partial(connection.search, body)))
            times["healthz"].append(milliseconds(lambda: connection.get("/healthz")))
            times["numpy"].append(milliseconds(dot))
            if scan is not None:
                times["sql"].append(milliseconds(scan))
    return times


def _figures(size: int, times: Times) -> list[Figure]:
    search, name = times["search"], f"search at {size:,}"
    rows = [
        Figure(
            f"{name}, p50", p50(search), "ms", p50(times["healthz"]), "/healthz", most=_TARGET_AT.get(size)
        ),
        Figure(f"{name}, asked again, p50", p50(times["again"]), "ms", p50(times["healthz"]), "/healthz"),
        Figure(f"{name}, p95", p95(search), "ms", p95(times["healthz"]), "/healthz"),
        Figure(f"{name}, p50", p50(search), "ms", p50(times["numpy"]), "dot product"),
    ]
    if any(times["processor"]):
        rows.append(Figure(f"{name}, processor time of the web process, p50", p50(times["processor"]), "ms"))
    if times["sql"]:
        rows.append(Figure(f"{name}, p50", p50(search), "ms", p50(times["sql"]), "SQL scan"))
    return rows


def main() -> None:
    """Run from the command line."""
    options = parser(__doc__)
    options.add_argument("--sizes", default=",".join(map(str, SIZES)), help="memories of one owner")
    options.add_argument("--searches", type=int, default=SEARCHES)
    chosen = options.parse_args()
    sizes = tuple(int(size) for size in chosen.sizes.split(","))
    play(chosen, "Latency, one connection", lambda stage: measure(stage, sizes, chosen.searches))


if __name__ == "__main__":
    main()
