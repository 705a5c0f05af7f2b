"""Memsite's own exports: the archive of everything, the file of memories, and the file of one thread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from porting.formats.shape import Json, Shape, read_list, read_object
from porting.values import Format, Item, ProblemItem, RecordItem

THREAD: Final = "memsite.thread"
MEMORIES: Final = "memsite.memories"
ARCHIVE: Final = "memsite"
VERSION: Final = 1
#: Records that may be lines of a file. Events are information for people.
_RECORDS: Final = frozenset({"memory", "link", "preferences"})
_RECORD_KINDS: Final = _RECORDS | {"event"}


def parse_records(items: Iterable[Any]) -> Iterator[Item]:
    """Yield the lines of `memories.ndjson` and `settings.json`."""
    for place, item in enumerate(map(read_object, items)):
        kind = item.get("record")
        if kind in _RECORDS:
            yield RecordItem(str(kind), item)
        elif kind not in _RECORD_KINDS:
            yield ProblemItem(f"line {place + 1}", "it is no record that this version knows")


def parse_threads(items: Iterable[Any]) -> Iterator[Item]:
    """Yield a thread, unless its export was cut off."""
    for item in map(read_object, items):
        if item.get("complete") is True:
            yield RecordItem("thread", item)
        else:
            yield ProblemItem("a thread", "its export was interrupted")


def parse_memories(items: Iterable[Any]) -> Iterator[Item]:
    """Yield the memories of the file that `GET /api/memories/export` writes, then what they supersede."""
    for item in map(read_object, items):
        if item.get("complete") is not True:
            yield ProblemItem("the memories", "the export was interrupted")
        rows = [read_object(one) for one in read_list(item.get("memories"))]
        for row in rows:
            sources = [{"reference": one} for one in read_list(row.get("sources")) if isinstance(one, str)]
            yield RecordItem("memory", {**row, "sources": sources})
        for row in rows:
            for other in read_list(row.get("supersedes")):
                link = {"memory": row.get("id"), "other": other, "kind": "supersedes"}
                yield RecordItem("link", link)


def parse_manifest(items: Iterable[Any]) -> Iterator[Item]:
    """Yield a problem if a newer version wrote the archive."""
    for item in map(read_object, items):
        version = item.get("version")
        if not isinstance(version, int) or version > VERSION:
            yield ProblemItem(
                "manifest.json", "a newer version of Memsite wrote this; some of it may be left out"
            )


def _has_format(name: str, item: Json) -> bool:
    return item.get("format") == name


SHAPES: Final = (
    Shape(Format.MEMSITE, lambda item: _has_format(THREAD, item), parse_threads),
    Shape(Format.MEMSITE, lambda item: _has_format(MEMORIES, item), parse_memories),
    Shape(Format.MEMSITE, lambda item: _has_format(ARCHIVE, item), parse_manifest),
    Shape(Format.MEMSITE, lambda item: item.get("record") in _RECORD_KINDS, parse_records),
)
