"""Measure the memory and time that an import of another product's export takes, and what it leaves.

python -m bench.imports [--megabytes 200]

The export is a generated one of ChatGPT. It is imported twice, and both imports are undone.
"""

from __future__ import annotations

import json
import random
import tempfile
import threading
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.client import RemoteDisconnected
from pathlib import Path
from typing import Any, Final, Self

import psycopg

from bench import texts
from bench.connection import Connection, Person
from bench.figures import Figure, print_figures
from bench.site import Site, own_site, read_words

MEGABYTES: Final = 200
_MOST_ABOVE_IDLE: Final = 300.0  # MB
_SEED: Final = 11
_TURNS: Final = 30
_SENTENCES: Final = 20_000
_LONGEST: Final = 12  # sentences of an answer
_FIRST: Final = 1_640_000_000.0  # seconds
_PATIENCE: Final = 7_200.0  # seconds for one import or its undoing
_LOOK_EVERY: Final = 0.2
_ANSWERED: Final = 1_200.0  # seconds in which an upload must be answered
#: Parts of the command lines of the processes that are watched.
_ROLES: Final = {"web": ("manage.py", "serve"), "worker": ("django", "work")}
#: Tables that hold what was imported, for one owner.
_TABLES: Final = ("threads_thread", "threads_message", "memories_memory", "porting_importedthread")


@dataclass
class _Watch:
    """Looks at the resident memory of a site's processes until it is closed.

    Attributes:
        most: The largest process of each role, in MB.
    """

    folder: str
    most: dict[str, float] = field(default_factory=dict)
    _ended: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        role_of: dict[int, str] = {}
        while not self._ended.wait(_LOOK_EVERY):
            for process in _list_processes():
                with suppress(OSError, StopIteration):  # it has ended
                    if process not in role_of:
                        role_of[process] = self._find_role(process)
                    if role := role_of[process]:
                        size = _resident(process)
                        self.most[role] = max(size, self.most.get(role, 0.0))

    def _find_role(self, process: int) -> str:
        """Return what a process of the site does; empty for others."""
        if f"MEMSITE_DATA_DIR={self.folder}" not in read_words(process, "environ"):
            return ""
        words = [Path(one).name for one in read_words(process, "cmdline")]
        return next((role for role, parts in _ROLES.items() if all(one in words for one in parts)), "")


def measure(site: Site, megabytes: int = MEGABYTES) -> list[Figure]:
    """Return the figures of an export of this size."""
    person = site.person()
    folder = site.environment["MEMSITE_DATA_DIR"]
    with tempfile.NamedTemporaryFile(suffix=".json") as export:
        conversations = write_export(Path(export.name), megabytes * 1024**2)
        with closing(Connection(site.url, person)) as connection:
            connection.get("/api/memories")
            owner = connection.owner
        with _Watch(folder) as idle:
            time.sleep(5.0)
        before = _count_rows(site, owner)
        with _Watch(folder) as importing:
            started = time.perf_counter()
            first = _import(site, person, Path(export.name))
            imported = time.perf_counter()
            once = _count_rows(site, owner)
            second = _import(site, person, Path(export.name))
            repeated = time.perf_counter()
            twice = _count_rows(site, owner)
            for one in (second, first):
                _undo(site, person, one)
            undone = time.perf_counter()
            after = _count_rows(site, owner)
    return [
        *(
            Figure(
                f"largest {role} process above idle",
                importing.most[role] - idle.most[role],
                "MB",
                idle.most[role],
                "idle",
                most=_MOST_ABOVE_IDLE,
            )
            for role in _ROLES
        ),
        Figure(f"{megabytes} MB, {conversations:,} conversations", imported - started, "s"),
        Figure("the same again", repeated - imported, "s", imported - started, "the first time"),
        Figure("undoing both", undone - repeated, "s", imported - started, "importing"),
        Figure("messages stored", float(once["threads_message"]), "rows"),
        Figure("memories stored", float(once["memories_memory"]), "rows"),
        Figure("rows that the second import adds", float(_differ(once, twice)), "rows", most=0),
        Figure("rows that are left after undoing", float(_differ(before, after)), "rows", most=0),
    ]


def write_export(path: Path, size: int) -> int:
    """Write an export of ChatGPT with at least so many bytes. Return the number of its conversations."""
    choose = random.Random(_SEED)  # noqa: S311 - no secret
    sentences = list(texts.memories(_SENTENCES, _SEED))
    number = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        while file.tell() < size:
            file.write(",\n" if number else "")
            json.dump(_make_conversation(number, sentences, choose), file, ensure_ascii=False)
            number += 1
        file.write("]")
    return number


def _make_conversation(number: int, sentences: Sequence[str], choose: random.Random) -> dict[str, Any]:
    at = _FIRST + number * 3600.0
    mapping: dict[str, Any] = {"root": {"id": "root", "parent": None, "children": [], "message": None}}
    last = "root"
    for turn in range(_TURNS):
        role = ("user", "assistant")[turn % 2]
        count = 1 if role == "user" else choose.randint(4, _LONGEST)
        key = f"{number}-{turn}"
        mapping[last]["children"].append(key)
        mapping[key] = {
            "id": key,
            "parent": last,
            "children": [],
            "message": {
                "id": key,
                "author": {"role": role, "name": None, "metadata": {}},
                "create_time": at + turn * 30.0,
                "content": {"content_type": "text", "parts": [" ".join(choose.choices(sentences, k=count))]},
                "status": "finished_successfully",
                "end_turn": True,
                "weight": 1.0,
                "metadata": {"model_slug": "gpt-5"},
                "recipient": "all",
                "channel": None,
            },
        }
        last = key
    return {
        "title": f"Conversation {number}",
        "create_time": at,
        "update_time": at + _TURNS * 30.0,
        "mapping": mapping,
        "current_node": last,
        "conversation_id": f"conversation-{number}",
    }


def _import(site: Site, person: Person, export: Path) -> str:
    """Import a file and wait for the end. Return the import's id."""
    with closing(Connection(site.url, person, timeout=_ANSWERED)) as connection, export.open("rb") as file:
        begun = json.loads(connection.upload("/api/memories/import", file))
        _wait(connection, begun["import"], "done")
    return str(begun["import"])


def _undo(site: Site, person: Person, number: str) -> None:
    with closing(Connection(site.url, person, timeout=_ANSWERED)) as connection:
        connection.post(f"/api/imports/{number}/undo", b"{}")
        _wait(connection, number, "undone")


def _wait(connection: Connection, number: str, status: str) -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        with suppress(RemoteDisconnected):  # the connection was idle for long; the next call opens another
            found = json.loads(connection.get(f"/api/imports/{number}"))
            if found["status"] == status:
                return
            if found["status"] == "failed":
                raise SystemExit(f"The import failed: {found['error']}")
        time.sleep(1.0)
    raise SystemExit(f"The import is not {status} in time.")


def _count_rows(site: Site, owner: str) -> dict[str, int]:
    """Return how many rows an owner has in each of the tables."""
    if site.database is None:
        raise SystemExit("The rows are counted in the database of a site of our own.")
    with psycopg.connect(**site.database) as database:
        return {name: _count(database, name, owner) for name in _TABLES}


def _count(database: psycopg.Connection[Any], table: str, owner: str) -> int:
    statement = psycopg.sql.SQL("SELECT count(*) FROM {} WHERE owner_id = %s")
    found = database.execute(statement.format(psycopg.sql.Identifier(table)), [owner]).fetchone()
    return int(found[0]) if found is not None else 0


def _differ(one: dict[str, int], other: dict[str, int]) -> int:
    return sum(abs(other[name] - count) for name, count in one.items())


def _list_processes() -> list[int]:
    return [int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit()]


def _resident(process: int) -> float:
    """Return the resident memory in MB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8", errors="replace")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def main() -> None:
    """Run from the command line."""
    options = ArgumentParser(description=__doc__)
    options.add_argument("--megabytes", type=int, default=MEGABYTES)
    chosen = options.parse_args()
    with own_site() as site:
        print_figures("Imports", measure(site, chosen.megabytes))


if __name__ == "__main__":
    main()
