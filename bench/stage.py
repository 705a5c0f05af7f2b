"""A site for a bench, and people on it with a given number of memories."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from typing import Any, Final, TypeVar

import psycopg
from tqdm import tqdm

from bench import texts
from bench.connection import BATCH, Connection, Person
from bench.figures import Figure, print_figures
from bench.site import Site, own_site

T = TypeVar("T")

#: Vectors of 384 signed bytes, made of hashes: as long as real ones, and as different from each other.
_MAKE_VECTORS: Final = (
    """
    UPDATE memories_ledger AS l SET index_version = index_version + 1 WHERE EXISTS (
        SELECT FROM memories_memory AS m
        LEFT JOIN memories_sentencevector AS v ON v.owner_id = m.owner_id AND v.memory_id = m.id
        WHERE m.owner_id = l.owner_id AND v.id IS NULL
    )
    """,
    """
    INSERT INTO memories_sentencevector (id, owner_id, memory_id, model, version, vector)
    SELECT gen_random_uuid(), m.owner_id, m.id, %(model)s, l.index_version, (
        SELECT decode(string_agg(md5(m.id::text || part), ''), 'hex') FROM generate_series(1, 24) AS part
    ) FROM memories_memory AS m JOIN memories_ledger AS l USING (owner_id)
    WHERE NOT EXISTS (
        SELECT FROM memories_sentencevector AS v WHERE v.owner_id = m.owner_id AND v.memory_id = m.id
    )
    ON CONFLICT DO NOTHING
    """,
    "ANALYZE memories_sentencevector",
)

#: Share of memories that may say what another one says.
_MOST_ALIKE: Final = 0.01
#: Seeds of memories and of questions.
MEMORIES_SEED: Final = 11
QUESTIONS_SEED: Final = 12


class Stage:
    """A site to measure. People with memories are kept for the next bench that needs the same number."""

    def __init__(self, site: Site, *, progress: bool, layer: str = "semantic") -> None:
        self.site = site
        self._layer = layer
        self._progress = progress
        self._filled: dict[int, Person] = {}

    def bar(self, items: Iterable[T], what: str, total: int | None = None) -> Iterable[T]:
        """Return the items, with a progress bar if wanted."""
        shown: Iterable[T] = tqdm(items, desc=what, total=total, disable=not self._progress, leave=False)
        return shown

    def connect(self, person: Person) -> Connection:
        """Return a new connection for this person."""
        return Connection(self.site.url, person)

    def filled(self, number: int) -> Person:
        """Return a person with so many memories, each with a made-up sentence vector."""
        if number not in self._filled:
            person = self.site.person()
            self.fill(person, number)
            self.make_vectors(person)
            self._filled[number] = person
        return self._filled[number]

    def make_vectors(self, person: Person) -> None:
        """Give all memories of the site a sentence vector at once, whose direction means nothing.

        The worker takes minutes for 10,000 real ones, and meanwhile everything else is slower. If the
        database is out of reach, wait for those of a person.
        """
        with closing(self.connect(person)) as connection:
            stats = json.loads(connection.get("/api/memories/stats"))
        with self.database() as database:
            if database is None:
                self.wait_for_vectors(person)
            elif stats["sentence_vectors"]["model"]:
                with database.transaction():
                    for statement in _MAKE_VECTORS:
                        database.execute(statement, {"model": stats["sentence_vectors"]["model"]})

    def wait_for_vectors(self, person: Person) -> None:
        """Wait until the worker has embedded all memories of a person: it embeds some 50 a second."""
        with (
            closing(self.connect(person)) as connection,
            tqdm(desc="embedding", disable=not self._progress) as bar,
        ):
            while True:
                found = json.loads(connection.get("/api/memories/stats"))["sentence_vectors"]
                bar.total = found["filled"] + found["missing"]
                bar.update(found["filled"] - bar.n)
                if not found["model"] or not found["missing"]:
                    return
                time.sleep(1.0)

    def fill(self, person: Person, number: int, *, after: int = 0) -> list[float]:
        """Add so many memories in batches of 1,000, all new to a person who has `after` already.

        Returns:
            Seconds of each batch.
        """
        numbered = islice(enumerate(texts.memories(after + number, MEMORIES_SEED)), after, None)
        seconds = []
        with closing(self.connect(person)) as connection:
            batches = range(0, number, BATCH)
            for _ in self.bar(batches, f"filling {number:,}"):
                batch = islice(numbered, BATCH)
                memories = [texts.written(text, place, self._layer) for place, text in batch]
                start = time.perf_counter()
                results = connection.add(memories)
                seconds.append(time.perf_counter() - start)
                _check_created(results)
        return seconds

    @contextmanager
    def database(self) -> Iterator[psycopg.Connection[Any] | None]:
        """Connect to the site's database, each statement its own transaction; None if it is out of reach."""
        if self.site.database is None:
            yield None
            return
        with psycopg.connect(**self.site.database, autocommit=True) as connection:
            yield connection


def _check_created(results: list[dict[str, Any]]) -> None:
    """End the run if some memories were not created, except for a few that say the same in other letters."""
    other = [one for one in results if one["action"] != "created"]
    if len(other) > _MOST_ALIKE * len(results):
        raise SystemExit(f"{len(other)} of {len(results)} memories were not created, e.g. {other[0]}")


def parser(description: str | None) -> ArgumentParser:
    """Return a parser with the options of every bench."""
    made = ArgumentParser(description=description)
    made.add_argument("--url", help="a running site; without it, one of our own is started and removed")
    made.add_argument("--key", action="append", default=[], help="an API key; several of several people")
    made.add_argument("--application-key", default="", help="acts for as many end users as are needed")
    made.add_argument(
        "--layer",
        choices=("semantic", "episodic"),
        default="semantic",
        help="facts, or turns of conversations",
    )
    made.add_argument("--progress", choices=("on", "off"), default="on")
    return made


@contextmanager
def opened(options: Namespace) -> Iterator[Stage]:
    """Yield the stage that the options describe."""
    progress = options.progress == "on"
    if options.url:
        site = Site(options.url, list(options.key), options.application_key)
        yield Stage(site, progress=progress, layer=options.layer)
        return
    with own_site() as site:
        yield Stage(site, progress=progress, layer=options.layer)


def play(options: Namespace, title: str, measure: Callable[[Stage], list[Figure]]) -> None:
    """Open the stage, measure, print one table."""
    with opened(options) as stage:
        print_figures(title, measure(stage))
