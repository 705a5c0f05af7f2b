"""What a file may hold: items and texts of any size are read in bounded memory, or left out."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import pytest

from memsite.errors import InvalidInput, TooLarge
from memsite.values import MessageRole
from porting.formats import gemini
from porting.formats.shape import skip_parents
from porting.importing import running
from porting.reading import json_items, list_items, open_documents, read_items, recognise, recognition
from porting.values import Format, MemoryItem, MessageItem, ProblemItem, ThreadItem
from tests.porting import samples
from tests.porting.conftest import pack

MB = 1_000_000
ODD = [
    'a "quoted\\" text',
    "\\",
    "[{",
    "😀 é猫",
    "\n\t",
    {"a": [1, {"b": "]"}], "c": None},
    True,
    7,
    "",
]


def read(raw: bytes) -> list[Any]:
    return list(read_items(io.BytesIO(raw), "file"))


def list_all(tmp_path: Any, raw: bytes, wanted: Format = Format.AUTO) -> Iterator[Any]:
    path = tmp_path / "file"
    path.write_bytes(raw)
    with open_documents([("file", path)]) as documents:
        for found in recognise(documents, wanted):
            yield from list_items(found)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Items of over 100 characters are large, and those of over 400 bytes are too long."""
    monkeypatch.setattr(json_items, "_LARGE", 100)
    monkeypatch.setattr(json_items, "LONGEST_ITEM", 400)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("part", [1, 2, 7, 64, 10_000])
def test_large_item_is_read_whatever_the_size_of_the_parts(
    part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_items, "_READ", part)
    items = [{"odd": ODD, "more": "x" * 100}, 1, ["y" * 200], {"z": ODD}, "w" * 150]
    for write in (json.dumps, partial(json.dumps, ensure_ascii=False)):
        assert read(write(items).encode()) == items
        assert read("\n".join(map(write, items)).encode()) == items


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("part", [1, 50, 300])
def test_item_that_is_too_long_is_passed_over(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_items, "_READ", part)
    items = [{"a": 1}, {"long": ["x\\" * 300, ODD]}, {"b": 2}]
    found = read(json.dumps(items).encode())
    assert (found[0], type(found[1]).__name__, found[2]) == ({"a": 1}, "TooLong", {"b": 2})


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("raw", [b'[{"a": "' + b"x" * 300, b'[{"a": "' + b"x" * 900, b'[{"a": ' + b"n" * 300])
def test_large_item_that_ends_too_early_is_refused(raw: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"too early|not JSON"):
        read(raw)


@pytest.mark.usefixtures("small")
def test_large_item_with_half_a_character_or_nan_is_read() -> None:
    raw = b'[{"a": "\\ud83d", "b": NaN, "c": "' + b"x" * 200 + b'"}]'
    assert read(raw) == [{"a": "\ud83d", "b": None, "c": "x" * 200}]


def test_conversation_that_is_too_long_is_a_warning(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_items, "_READ", 1_000)
    monkeypatch.setattr(json_items, "_LARGE", 2_000)
    monkeypatch.setattr(json_items, "LONGEST_ITEM", 5_000)
    long = samples.claude_conversation() | {"summary": "x" * 6_000}
    raw = json.dumps([long, samples.claude_conversation()]).encode()
    found = list(list_all(tmp_path, raw))
    assert [type(one) for one in found] == [ProblemItem, ThreadItem]
    archive = pack({"one.json": [long], "two.json": [samples.claude_conversation()]})
    assert [type(one) for one in list_all(tmp_path, archive)] == [ProblemItem, ThreadItem]
    with pytest.raises(TooLarge, match="longer than"):
        list(list_all(tmp_path, json.dumps([long]).encode()))


def measure(items: Iterable[Any]) -> int:
    """Return the megabytes that reading items takes at most, besides the file."""
    tracemalloc.start()
    for _ in items:
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak // MB


@pytest.mark.parametrize("value", [b"[],", b'{"a":1},', b"1.5,"])
def test_item_of_countless_values_is_refused_before_it_takes_memory(
    value: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_items, "MOST_VALUES", 200_000)
    monkeypatch.setattr(json_items, "_LARGE", 100_000)
    monkeypatch.setattr(json_items, "_READ", 100_000)
    stream = io.BytesIO(b'[{"mapping": [' + value * 1_000_000 + b"0]}]")
    with pytest.raises(InvalidInput, match="200,000 values"):
        measure(read_items(stream, "file"))
    tracemalloc.stop()


def test_long_item_of_all_kinds_of_characters_takes_bounded_memory() -> None:
    message = json.dumps({"content": "plain words " * 800 + "猫" * 99 + "😀"}, ensure_ascii=False)
    stream = io.BytesIO(b"[[" + b",".join([message.encode()] * 1_000) + b"]]")
    assert measure(read_items(stream, "file")) < 90


def test_lines_take_the_memory_of_one(tmp_path: Any) -> None:
    assert measure(list_all(tmp_path, b"a b\n" * 20_000, Format.LINES)) < 2


def test_line_that_is_too_long_is_one_warning(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition, "LONGEST_LINE", 25_000)
    found = list(list_all(tmp_path, b"likes tea\n" + b"x" * 60_000 + b"\nsails\r\n"))
    assert [type(one) for one in found] == [MemoryItem, ProblemItem, MemoryItem]


def test_text_that_is_too_long_is_refused(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition, "LONGEST_TEXT", 1_000)
    with pytest.raises(TooLarge):
        list(list_all(tmp_path, b"likes tea\n" * 200))


def test_prompts_without_a_pause_become_conversations_of_bounded_size() -> None:
    activity = [
        {"header": "Gemini Apps", "title": f"Prompted {n}", "time": "2026-03-01T12:00:00Z"}
        for n in range(2_500)
    ]
    threads = [one for one in gemini.parse_activity(activity) if isinstance(one, ThreadItem)]
    assert [len(one.messages) for one in threads] == [1_000, 1_000, 500]


def test_long_chain_of_hidden_messages_is_walked_once() -> None:
    parents = {str(n): str(n - 1) for n in range(1, 30_000)} | {f"s{n}": "29999" for n in range(30_000)}
    shown = {"0", *(f"s{n}" for n in range(30_000))}
    assert {skip_parents(parents, shown, f"s{n}") for n in range(30_000)} == {"0"}


def test_parts_of_an_import_are_small_by_characters_too() -> None:
    message = MessageItem("m", "", MessageRole.USER, "x" * 600_000)
    threads = [ThreadItem(f"t{n}", "", (message,)) for n in range(9)]
    assert [len(part.items) for part in running.group_items(threads)] == [3, 3, 3]
