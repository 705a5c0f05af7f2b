"""Read the items of a JSON file one after the other, so that memory holds one item at a time.

A file is an array of items, one object, or objects one after the other, as JSON Lines are. An item that is
too long to be read is passed over, so that the others can be imported.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, Final

from memsite.errors import InvalidInput
from porting.conf import LONGEST_ITEM, MOST_VALUES

_READ: Final = 1 << 20  # bytes
_BLANK: Final = " \t\r\n"
_ENCODINGS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Characters of an item from which its end is looked for before it is parsed. Each takes up to four bytes.
_LARGE: Final = 1 << 20
#: As much of a text in quotes as the buffer has; what can change the depth, or stands before a value.
_QUOTED: Final = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_MARK: Final = re.compile(r'["{}\[\],]')


def _discard_constant(_name: str) -> None:
    """Read NaN and Infinity as null."""


_decoder: Final = json.JSONDecoder(parse_constant=_discard_constant)


@dataclass(frozen=True, slots=True)
class TooLong:
    """Stands for an item of over 50 MB."""


@dataclass(slots=True)
class _End:
    """The search for the end of an item.

    Attributes:
        size: Bytes so far.
        values: Upper bound of the values so far.
    """

    depth: int = 0
    is_quoted: bool = False
    size: int = 0
    values: int = 0

    @property
    def is_too_long(self) -> bool:
        """Whether the item is not read, whatever follows."""
        return self.size > LONGEST_ITEM


class _Buffer:
    """The part of a file's text that has been read and not yet used."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream, self._name = stream, name
        first = stream.read(_READ)
        encoding = next((name for mark, name in _ENCODINGS if first.startswith(mark)), "utf-8")
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._is_ended = False
        self.text = ""
        self.place = 0
        self._add(first)

    def extend(self) -> bool:
        """Read more, as much as is in the buffer at least. Return False at the end of the file."""
        if self._is_ended:
            return False
        size = max(_READ, len(self.text) - self.place)
        self._add(self._stream.read(size))
        return True

    def take_next(self) -> str:
        """Return the rest of the text, and read the next part in its place; "" at the end of the file."""
        taken = self.text[self.place :]
        self.text, self.place = "", 0
        while not taken and self.extend():
            taken, self.text = self.text, ""
        return taken

    def put_back(self, text: str) -> None:
        """Let what was taken last and not used be read again."""
        self.text, self.place = text + self.text, 0

    def skip_blank(self) -> str:
        """Move to the next character that is not blank, and return it; "" at the end of the file."""
        while True:
            while self.place < len(self.text) and self.text[self.place] in _BLANK:
                self.place += 1
            if self.place < len(self.text):
                return self.text[self.place]
            if not self.extend():
                return ""

    def fail(self, what: str) -> InvalidInput:
        """Return the error that names the file."""
        return InvalidInput(f"{self._name}: {what}")

    def _add(self, part: bytes) -> None:
        try:
            text = self._decoder.decode(part, final=not part)
        except UnicodeDecodeError:
            raise self.fail("the text is not UTF-8.") from None
        self._is_ended = not part
        self.text, self.place = self.text[self.place :] + text, 0


def read_items(stream: IO[bytes], name: str) -> Iterator[Any]:
    """Yield the items of a JSON file; `TooLong` in place of one that is too long.

    Args:
        stream: The file.
        name: Its name, for messages.

    Raises:
        InvalidInput: If it is not JSON, ends too early, or one item has countless values, as no export has.
    """
    buffer = _Buffer(stream, name)
    if buffer.skip_blank() != "[":
        while buffer.skip_blank():
            yield _read_item(buffer)
        return
    buffer.place += 1
    if buffer.skip_blank() == "]":
        return
    while True:
        if not buffer.skip_blank():
            raise buffer.fail("the file ends too early.")
        yield _read_item(buffer)
        after = buffer.skip_blank()
        buffer.place += 1
        if after == "]":
            return
        if after != ",":
            raise buffer.fail("this is not JSON." if after else "the file ends too early.")


def _read_item(buffer: _Buffer) -> Any:  # noqa: ANN401 - any JSON value
    """Return the next value. If it does not end within the buffer, read more and try again."""
    while True:
        try:
            value, end = _decoder.raw_decode(buffer.text, buffer.place)
        except json.JSONDecodeError as error:
            if len(buffer.text) - buffer.place >= _LARGE:
                return _read_large(buffer)
            if not buffer.extend():
                ends = error.pos >= len(buffer.text) or "Unterminated" in error.msg
                what = "the file ends too early." if ends else f"this is not JSON: {error.msg}."
                raise buffer.fail(what) from None
        except (RecursionError, ValueError):
            raise buffer.fail("it is nested too deep, or a number in it is too long.") from None
        else:
            if end < len(buffer.text) or not isinstance(value, (int, float)) or not buffer.extend():
                buffer.place = end
                return value


def _read_large(buffer: _Buffer) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value of megabytes, or `TooLong`. Its end is looked for before it is parsed.

    Until then it is kept as bytes: they take a quarter of the memory of a text with a single emoji.
    """
    found, content, rest, is_ended = _End(), bytearray(), "", False
    while not is_ended:
        part = buffer.take_next()
        if not part:
            raise buffer.fail("the file ends too early.")
        text = rest + part
        end, is_ended = _find_end(text, found)
        rest = text[end:]  # what follows the item, or a backslash whose other half is in the next part
        piece = text[:end].encode("utf-8", "surrogatepass")
        found.size += len(piece)
        if found.values > MOST_VALUES:
            raise buffer.fail(f"one conversation in it has more than {MOST_VALUES:,} values.")
        if found.is_too_long:
            content.clear()
        else:
            content += piece
    buffer.put_back(rest)
    return TooLong() if found.is_too_long else _parse(content, buffer)


def _find_end(text: str, found: _End) -> tuple[int, bool]:
    """Search a part of an item. Return how much of it was searched, and whether that is the item's end."""
    place = 0
    while place < len(text):
        if found.is_quoted:
            place = _skip_quoted(text, place)
            if place == len(text) or text[place] == "\\":
                return place, False
            found.is_quoted = False
            place += 1
            if not found.depth:
                return place, True
        mark = _MARK.search(text, place)
        if mark is None:
            return len(text), False
        place = mark.end()
        match mark.group():
            case '"':
                found.is_quoted = True
            case "," | "{" | "[":
                found.values += 1
                found.depth += mark.group() != ","
            case _:
                found.depth -= 1
                if found.depth <= 0:
                    return place, True
    return place, False


def _skip_quoted(text: str, place: int) -> int:
    """Return where a text in quotes ends, or where the buffer has no more of it."""
    found = _QUOTED.match(text, place)
    return found.end() if found is not None else place


def _parse(content: bytearray, buffer: _Buffer) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value, and free its bytes. A faster parser took fifteen times their size in memory."""
    text = content.decode("utf-8", "surrogatepass")
    content.clear()
    try:
        return _decoder.decode(text)
    except json.JSONDecodeError as error:
        raise buffer.fail(f"this is not JSON: {error.msg}.") from None
    except (RecursionError, ValueError):
        raise buffer.fail("it is nested too deep, or a number in it is too long.") from None


def count_levels(value: object) -> int:
    """Return how deep a JSON value is nested: 0 for a text or number."""
    deepest, waiting = 0, [(value, 0)]
    while waiting:
        one, level = waiting.pop()
        inner = one.values() if isinstance(one, dict) else one if isinstance(one, list) else None
        if inner is not None:
            deepest = max(deepest, level + 1)
            waiting += [(part, level + 1) for part in inner if isinstance(part, (dict, list))]
    return deepest
