"""Lists of facts: mem0, the graph of the MCP server `memory`, and pasted lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from memories.values import Kind
from porting.formats.shape import (
    Json,
    Shape,
    make_key,
    make_text_key,
    read_list,
    read_object,
    read_text,
    read_time,
    split_statements,
)
from porting.values import Format, Item, MemoryItem, ProblemItem

#: `[2024-05-01] - likes tea`, as the prompts of several products ask a model to print memories.
_DATED: Final = re.compile(r"^\[(\d{4}-\d{2}-\d{2}|unknown)\]\.?\s*[-–—:]?\s*(.+)$", re.IGNORECASE)
_TAGS: Final = 20


def parse_mem0(items: Iterable[Any]) -> Iterator[Item]:
    """Yield the memories of mem0: a list, or an object with `results`."""
    for item in items:
        value = read_object(item)
        rows = read_list(value.get("results")) if "results" in value else [value]
        for place, row in enumerate(map(read_object, rows)):
            text = read_text(row.get("memory")).strip()
            if not text:
                yield ProblemItem(f"memory {place + 1}", "it has no text")
                continue
            key = make_key(Format.MEM0, row["id"]) if row.get("id") else make_text_key(Format.MEM0, text)
            categories = [read_text(one)[:64] for one in read_list(row.get("categories"))]
            at = read_time(row.get("created_at")) or read_time(row.get("updated_at"))
            yield MemoryItem(key, text, at, tags=tuple(one for one in categories if one)[:_TAGS])


def parse_graph(items: Iterable[Any]) -> Iterator[Item]:
    """Yield the observations and relations of a knowledge graph as JSON Lines."""
    for place, item in enumerate(map(read_object, items)):
        if item.get("type") == "entity" and (name := read_text(item.get("name")).strip()):
            yield from _list_observations(item, name)
        elif item.get("type") == "relation":
            yield _make_relation(item, place)
        else:
            yield ProblemItem(f"line {place + 1}", "it is neither an entity nor a relation")


def parse_lines(lines: Iterable[str]) -> Iterator[Item]:
    """Yield each line of a text as a memory, with its date if it begins with one."""
    for line in split_statements(lines):
        dated = _DATED.match(line.text)
        words = dated[2].strip() if dated else line.text
        at = read_time(dated[1]) if dated else None
        yield MemoryItem(make_text_key(Format.LINES, words), words, at, category=line.heading)


def _list_observations(entity: Json, name: str) -> Iterator[MemoryItem]:
    kind = read_text(entity.get("entityType")).strip()
    facts = [text for one in read_list(entity.get("observations")) if (text := read_text(one).strip())]
    for fact in facts:
        text = fact if name.casefold() in fact.casefold() else f"{name}: {fact}"
        yield MemoryItem(
            make_text_key(Format.GRAPH, f"{name}\n{fact}"), text, subject=name[:255], category=kind[:64]
        )
    if not facts and kind:
        yield MemoryItem(
            make_text_key(Format.GRAPH, f"{name}\n{kind}"),
            f"{name} ({kind})",
            kind=Kind.ENTITY,
            subject=name[:255],
        )


def _make_relation(item: Json, place: int) -> MemoryItem | ProblemItem:
    subject, predicate, thing = (
        read_text(item.get(field)).strip() for field in ("from", "relationType", "to")
    )
    if not (subject and predicate and thing):
        return ProblemItem(f"line {place + 1}", "the relation is incomplete")
    words = predicate.replace("_", " ")
    return MemoryItem(
        key=make_text_key(Format.GRAPH, f"{subject}\n{predicate}\n{thing}"),
        content=f"{subject} {words} {thing}",
        kind=Kind.RELATION,
        subject=subject[:255],
        predicate=words[:64],
        object=thing[:255],
    )


def _is_mem0(item: Json) -> bool:
    rows = read_list(item.get("results")) if "results" in item else [item]
    return bool(rows) and isinstance(read_object(rows[0]).get("memory"), str)


def _is_graph(item: Json) -> bool:
    is_entity = item.get("type") == "entity" and "name" in item
    return is_entity or (item.get("type") == "relation" and "relationType" in item)


SHAPES: Final = (
    Shape(Format.MEM0, _is_mem0, parse_mem0),
    Shape(Format.GRAPH, _is_graph, parse_graph),
)
