"""Parse server-sent events, as the HTML standard (section 9.2) describes them."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ServerSentEvent:
    """An event, or a number alone (then `name` is empty)."""

    name: str
    data: str
    id: str | None
    retry: float | None


@dataclass
class EventParser:
    """Parses a stream piece by piece; the pieces may be cut anywhere."""

    _rest: str = ""
    _name: str = ""
    _data: list[str] = field(default_factory=list)
    _id: str | None = None
    _retry: float | None = None

    def __post_init__(self) -> None:
        self._decoder = getincrementaldecoder("utf-8")(errors="replace")

    def feed(self, piece: bytes) -> Iterator[ServerSentEvent]:
        """Yield the events that end in this piece."""
        self._rest += self._decoder.decode(piece)
        while True:
            line, end, rest = self._rest.partition("\n")
            if not end:
                return
            self._rest = rest
            event = self._take(line.removesuffix("\r"))
            if event is not None:
                yield event

    def _take(self, line: str) -> ServerSentEvent | None:
        if not line:
            return self._finish()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._name = value
        elif name == "data":
            self._data.append(value)
        elif name == "id":
            self._id = value
        elif name == "retry" and value.isdecimal():
            self._retry = int(value) / 1000
        return None

    def _finish(self) -> ServerSentEvent | None:
        has_content = self._data or self._id is not None or self._retry is not None
        event = ServerSentEvent(self._name, "\n".join(self._data), self._id, self._retry)
        self._name, self._data, self._id, self._retry = "", [], None, None
        return event if has_content else None
