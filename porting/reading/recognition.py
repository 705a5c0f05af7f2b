"""Recognise what a file holds by its content, never by its name."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memsite.errors import InvalidInput, TooLarge
from porting.conf import DEEPEST, LONGEST_ITEM, LONGEST_LINE, LONGEST_STATEMENT, LONGEST_TEXT
from porting.formats import SHAPES, Shape, parse_lines
from porting.reading.archives import Document
from porting.reading.json_items import TooLong, count_levels, read_items
from porting.values import Format, Item, MemoryItem, ProblemItem

_HEAD: Final = 4096  # bytes that tell JSON from text
_MARKS: Final = b"\xef\xbb\xbf\xff\xfe \t\r\n\x00"
_SHOWN: Final = 8  # names in a message
_DATE: Final = re.compile(rb"\[(?:\d{4}-\d\d-\d\d|unknown)\]", re.IGNORECASE)
_TOO_LONG: Final = f"it is longer than {LONGEST_ITEM // 1_000_000} MB"
#: Bytes that text does not have.
_CONTROLS: Final = bytes(range(9))


def _skip_all(items: Iterable[Any]) -> Iterator[Item]:
    for _ in items:
        pass
    return iter(())


#: Of a file with nothing but items that are too long.
_UNREAD: Final = Shape(Format.AUTO, lambda _item: False, _skip_all)


@dataclass(frozen=True, slots=True)
class Found:
    """A file and how it is read. `shape`: None for lines of text; of the format `AUTO` if all is too long."""

    document: Document
    shape: Shape | None

    @property
    def format(self) -> Format:
        """The product that the file is from."""
        return self.shape.format if self.shape is not None else Format.LINES


def recognise(documents: Sequence[Document], wanted: Format = Format.AUTO) -> list[Found]:
    """Return the files that can be imported, in their order; others, such as images, are left out.

    Args:
        documents: The files.
        wanted: The only format to accept; `AUTO` for the one that the files have.

    Raises:
        InvalidInput: If there is none, or they are of several products; the message says what was seen.
    """
    single = len(documents) == 1
    looked = [found for one in documents if (found := _look(one, wanted, is_alone=single)) is not None]
    formats = [one for one in dict.fromkeys(one.format for one in looked) if one != Format.AUTO]
    if wanted != Format.AUTO:
        formats = [one for one in formats if one == wanted]
        looked = [one for one in looked if one.format in (wanted, Format.AUTO)]
    elif len(formats) > 1:
        names = ", ".join(formats)
        raise InvalidInput(f"These files are of several products: {names}. Import one after the other.")
    if looked and not formats:
        raise TooLarge(f"{looked[0].document.name}: {_TOO_LONG}.")
    if not formats:
        raise InvalidInput(_describe(documents, wanted), {"seen": [one.name for one in documents[:_SHOWN]]})
    return looked


def list_items(found: Found) -> Iterator[Item]:
    """Yield what a file holds.

    Raises:
        InvalidInput: If the file is damaged.
    """
    for place, item in enumerate(_list_all(found), start=1):
        if isinstance(item, MemoryItem) and len(item.content) > LONGEST_STATEMENT:
            yield ProblemItem(f"item {place}", f"it is longer than {LONGEST_STATEMENT:,} characters")
        else:
            yield item


def _list_all(found: Found) -> Iterator[Item]:
    if found.shape is None:
        with found.document.open() as stream:
            yield from parse_lines(_read_lines(stream, found.document.name))
        return
    problems: list[ProblemItem] = []
    with found.document.open() as stream:
        values = _drop_deep(read_items(stream, found.document.name), problems)
        for item in found.shape.parse(values):
            yield from problems
            problems.clear()
            yield item
    yield from problems


def _drop_deep(values: Iterable[Any], problems: list[ProblemItem]) -> Iterator[Any]:
    for place, value in enumerate(values):
        if isinstance(value, TooLong):
            problems.append(ProblemItem(f"item {place + 1}", _TOO_LONG))
        elif count_levels(value) > DEEPEST:
            problems.append(ProblemItem(f"item {place + 1}", "it is nested too deep"))
        else:
            yield value


def _look(document: Document, wanted: Format, *, is_alone: bool) -> Found | None:
    with document.open() as stream:
        head = stream.read(_HEAD).lstrip(_MARKS)
    if wanted == Format.LINES or (is_alone and wanted == Format.AUTO and _is_plain(head)):
        return Found(document, None)
    if head[:1] not in (b"{", b"["):
        return None
    try:
        with document.open() as stream:
            first = _read_first(read_items(stream, document.name))
    except InvalidInput:
        if is_alone:
            raise
        return None
    if isinstance(first, TooLong):
        return Found(document, _UNREAD)
    if not isinstance(first, dict):
        return None
    if "data_files" in first:
        raise InvalidInput(_describe_manifest(first))
    shape = next((one for one in SHAPES if one.fits(first)), None)
    return Found(document, shape) if shape is not None else None


def _read_first(items: Iterator[object]) -> object:
    """Return the first item that can be read; `TooLong` if all are too long."""
    found: object = None
    for one in items:
        if not isinstance(one, TooLong):
            return one
        found = one
    return found


def _is_plain(head: bytes) -> bool:
    """Return whether a file begins like text for people: neither JSON, nor markup, nor binary."""
    if not head or head.startswith((b"{", b"<", b"%PDF")):
        return False
    if head.startswith(b"["):  # `[2026-05-01] - likes tea`
        return _DATE.match(head) is not None
    return not any(byte in head for byte in _CONTROLS)


def _read_lines(stream: Any, name: str) -> Iterator[str]:  # noqa: ANN401 - a binary file
    """Yield the lines of a text; of one that is much too long for a memory, the beginning.

    Raises:
        TooLarge: If the text is too long.
        InvalidInput: If it is no text.
    """
    head = stream.peek(2)[:2] if hasattr(stream, "peek") else b""
    encoding = "utf-16" if head in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    text, size, is_rest = io.TextIOWrapper(stream, encoding), 0, False
    try:
        while line := text.readline(LONGEST_LINE):
            size += len(line)
            if size > LONGEST_TEXT:
                what = f"a text may have {LONGEST_TEXT // 1_000_000} million characters"
                raise TooLarge(f"{name}: {what}.")
            if not is_rest:
                yield line.replace("\x00", "")
            is_rest = not line.endswith("\n")
    except UnicodeDecodeError:
        raise InvalidInput(f"{name}: the text is not UTF-8.") from None
    finally:
        text.detach()  # the caller closes the stream


def _describe(documents: Sequence[Document], wanted: Format) -> str:
    """Return why nothing can be imported, with the names of what was seen."""
    names = ", ".join(one.name for one in documents[:_SHOWN]) or "nothing"
    if any(_begins_with_markup(one) for one in documents[:_SHOWN]):
        return f"This is a web page, which cannot be imported. Export it as JSON. Seen: {names}."
    what = "an export that can be imported" if wanted == Format.AUTO else f"an export of the format {wanted}"
    return f"None of this is {what}. Seen: {names}."


def _begins_with_markup(document: Document) -> bool:
    with document.open() as stream:
        return bool(stream.read(_HEAD).lstrip(_MARKS).startswith(b"<"))


def _describe_manifest(manifest: dict[str, Any]) -> str:
    """Return which files a person has to upload in place of Claude's list of them."""
    listed = manifest["data_files"]
    files = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    wanted = ("conversations", "memories")  # a tuple: what a file holds may have no hash
    names = [str(one.get("filename")) for one in files if one.get("category") in wanted]
    shown = ", ".join(names[:_SHOWN]) or "conversations-000.zip, memories-000.zip"
    return f"This is only the list of the files of the export. Download and upload these: {shown}."
