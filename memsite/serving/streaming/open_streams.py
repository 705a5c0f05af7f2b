"""Streams that stay open until somebody ends them: how many there may be, and their end with the server.

The server waits for open answers when it stops. A stream without an end of its own would hold it up.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable

from memsite.errors import Unavailable


class StreamPlace:
    """The place that one open stream takes. Give it back with `release`, which may be called again.

    Attributes:
        end: Ends the stream soon; called in the event loop. The stream sets it.
    """

    def __init__(self, streams: OpenStreams) -> None:
        self._streams = streams
        self._is_taken = True
        self.end: Callable[[], None] | None = None

    def release(self) -> None:
        """Make room for another stream."""
        if self._is_taken:
            self._is_taken = False
            self._streams.remove(self)

    def __del__(self) -> None:
        self.release()  # of a stream whose client was gone before its first piece


class OpenStreams:
    """The open streams of this process. Used by the event loop and by the threads of views."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a place may be collected while this thread holds the lock
        self._places: dict[int, Callable[[], StreamPlace | None]] = {}
        self._is_ending = False

    def __len__(self) -> int:
        return len(self._places)

    def take_place(self, most: int) -> StreamPlace:
        """Return a place for one more stream.

        Args:
            most: Streams that may be open in this process.

        Raises:
            Unavailable: If as many are open, or the process is about to end.
        """
        with self._lock:
            if self._is_ending or len(self) >= most:
                raise Unavailable("This server has as many open streams as it can serve; try again later.")
            place = StreamPlace(self)
            self._places[id(place)] = weakref.ref(place)
            return place

    def remove(self, place: StreamPlace) -> None:
        """Record that a stream has ended."""
        with self._lock:
            self._places.pop(id(place), None)

    def end_all(self) -> None:
        """End every open stream and admit no new one. Call in the event loop when the server stops."""
        with self._lock:
            self._is_ending = True
            open_places = [place for one in self._places.values() if (place := one()) is not None]
        for place in open_places:
            if place.end is not None:
                place.end()


#: The open streams of this process.
open_streams = OpenStreams()
