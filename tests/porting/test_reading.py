"""Files are read within limits, recognised by content, and refused with a clear reason."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.errors import InvalidInput, MemsiteError, TooLarge
from porting.reading import archives, json_items, list_items, open_documents, read_items, recognise
from porting.values import Format, ProblemItem
from tests.porting import samples
from tests.porting.conftest import pack


def read(raw: bytes) -> list[Any]:
    return list(read_items(io.BytesIO(raw), "file"))


def kinds(tmp_path: Path, *contents: bytes, wanted: Format = Format.AUTO) -> list[str]:
    """Return the names of the types of the items in these files."""
    files = []
    for place, content in enumerate(contents):
        path = tmp_path / str(place)
        path.write_bytes(content)
        files.append((f"file {place}", path))
    with open_documents(files) as documents:
        return [type(item).__name__ for found in recognise(documents, wanted) for item in list_items(found)]


values = st.recursive(
    st.integers() | st.text() | st.booleans() | st.none(),
    lambda x: st.lists(x) | st.dictionaries(st.text(), x),
)


@settings(max_examples=25)
@given(st.lists(values), st.integers(1, 40))
def test_items_are_the_same_whatever_the_size_of_the_parts(items: list[Any], size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_items, "_READ", size)
        assert read(json.dumps(items).encode()) == items
        assert read(json.dumps(items, ensure_ascii=False, indent=1).encode("utf-8", "replace")) is not None


@settings(max_examples=25)
@given(st.lists(st.dictionaries(st.text(), st.integers())))
def test_json_lines_are_read_line_by_line(items: list[Any]) -> None:
    assert read("\n".join(json.dumps(one) for one in items).encode()) == items


@pytest.mark.parametrize("raw", [b'[{"a": 1}, {"b"', b'[{"a": 1}', b'{"a": "x', b"[{}", b'[{"a": 1},'])
def test_truncated_json_is_refused(raw: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"too early|not JSON"):
        read(raw)


@pytest.mark.parametrize("raw", [b"[{} {}]", b'{"a": nonsense}', b"[" * 100_000, b'["\xff\xfe"]'])
def test_what_is_no_json_is_refused(raw: bytes) -> None:
    with pytest.raises(InvalidInput):
        read(raw)


def test_byte_order_mark_and_utf_16_are_read() -> None:
    assert read(b'\xef\xbb\xbf["\xc3\xa9"]') == read('["é"]'.encode("utf-16")) == ["é"]


def test_archive_of_shards_is_read_in_order(tmp_path: Path) -> None:
    shards = {f"conversations-00{n}.json": [samples.chatgpt_conversation(f"c{n}")] for n in range(2)}
    raw = pack({**shards, "user.json": {"id": "u"}, "image.png": b"\x89PNG\x00"})
    assert kinds(tmp_path, raw) == ["MemoryItem", "ThreadItem"] * 2


def test_archive_within_an_archive_is_read(tmp_path: Path) -> None:
    inner = pack({"conversations.json": [samples.claude_conversation()]})
    assert kinds(tmp_path, pack({"conversations-000.zip": inner})) == ["ThreadItem"]


def test_parts_of_one_export_are_read_together(tmp_path: Path) -> None:
    first = pack({"conversations.json": [samples.claude_conversation()]})
    assert kinds(tmp_path, first, json.dumps(samples.claude_memory()).encode()).count("MemoryItem") == 3


def test_lines_are_recognised_with_and_without_a_date(tmp_path: Path) -> None:
    assert kinds(tmp_path, "[2026-05-01] - 喜欢茶\n".encode()) == ["MemoryItem"]
    assert kinds(tmp_path, b"likes tea\nsails") == ["MemoryItem"] * 2


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        (b"<html><body>chat</body></html>", "web page"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "None of this"),
        (b'{"something": "else"}', "None of this"),
        (b"PK\x03\x04 and no archive", "not a zip archive"),
        (b'{"data_files": [{"category": "memories", "filename": "memories-000.zip"}]}', "memories-000.zip"),
        (b'{"data_files": [{"category": ["memories"]}]}', "conversations-000.zip"),
        (b'{"data_files": 5}', "conversations-000.zip"),
    ],
)
def test_unknown_file_is_refused_with_what_was_seen(tmp_path: Path, raw: bytes, seen: str) -> None:
    with pytest.raises(InvalidInput, match=seen):
        kinds(tmp_path, raw)


def test_files_of_two_products_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="several products"):
        kinds(
            tmp_path,
            json.dumps(samples.mem0_rows()).encode(),
            json.dumps([samples.openwebui_chat()]).encode(),
        )


def test_bomb_is_refused(tmp_path: Path) -> None:
    bomb = pack({"conversations.json": b'[{"mapping": {"a": "' + b"x" * 8_000_000 + b'"}}]'})
    with pytest.raises(TooLarge, match="times its size"):
        kinds(tmp_path, bomb)


def test_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_UNPACKED", 1000)
    with pytest.raises(TooLarge, match="unpacks to"):
        kinds(tmp_path, pack({"conversations.json": [samples.chatgpt_conversation()]}))


def test_archive_with_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_ENTRIES", 3)
    with pytest.raises(TooLarge, match="3 files"):
        kinds(tmp_path, pack({str(n): [n] for n in range(4)}))


def test_damaged_member_is_refused(tmp_path: Path) -> None:
    raw = bytearray(pack({"conversations.json": [samples.chatgpt_conversation(str(n)) for n in range(40)]}))
    raw[200:260] = b"\x00" * 60
    with pytest.raises(MemsiteError):
        kinds(tmp_path, bytes(raw))


def test_encrypted_archive_is_refused(tmp_path: Path) -> None:
    raw = bytearray(pack({"conversations.json": [samples.chatgpt_conversation()]}))
    with zipfile.ZipFile(io.BytesIO(bytes(raw))) as archive:
        directory = archive.start_dir
    raw[6] |= 1
    raw[directory + 8] |= 1
    with pytest.raises(InvalidInput, match="encrypted"):
        kinds(tmp_path, bytes(raw))


def test_conversation_that_is_nested_too_deep_is_left_out(tmp_path: Path) -> None:
    deep: Any = "x"
    for _ in range(80):
        deep = [deep]
    raw = json.dumps([samples.chatgpt_conversation(), samples.chatgpt_conversation("c2") | {"extra": deep}])
    assert kinds(tmp_path, raw.encode()) == ["MemoryItem", "ThreadItem", ProblemItem.__name__]
