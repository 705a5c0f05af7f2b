"""Read the items of a JSON file one after the other, so that memory holds one item at a time.

A file is an array of items, one object, or objects one after the other, as JSON Lines are.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import IO, Any, Final

from memsite.errors import InvalidInput
from porting.conf import LONGEST_ITEM

_READ: Final = 1 << 20  # bytes
_BLANK: Final = " \t\r\n"
_ENCODINGS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def _discard_constant(_name: str) -> None:
    """Read NaN and Infinity as null."""


_decoder: Final = json.JSONDecoder(parse_constant=_discard_constant)


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
    """Yield the items of a JSON file.

    Args:
        stream: The file.
        name: Its name, for messages.

    Raises:
        InvalidInput: If it is not JSON, ends too early, or one item has more than 50 million characters.
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
            if len(buffer.text) - buffer.place > LONGEST_ITEM:
                raise buffer.fail("one conversation in it is too long.") from None
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
