"""Streams that stay open until somebody ends them: how many there may be, and their end with the server.

The server waits for open answers when it stops. A stream without an end of its own would hold it up.
"""

from __future__ import annotations

import threading
import weakref
from collections import Counter
from collections.abc import Callable

from memsite.errors import TooManyRequests, Unavailable

#: Seconds after which there may be room for another stream.
_RETRY_AFTER = 30


class StreamPlace:
    """The place that one open stream takes. Give it back with `release`, which may be called again.

    Attributes:
        end: Ends the stream soon; called in the event loop. The stream sets it.
    """

    def __init__(self, streams: OpenStreams, holder: str) -> None:
        self._streams = streams
        self._holder = holder
        self._is_taken = True
        self.end: Callable[[], None] | None = None

    def release(self) -> None:
        """Make room for another stream."""
        if self._is_taken:
            self._is_taken = False
            self._streams.remove(self, self._holder)

    def __del__(self) -> None:
        self.release()  # of a stream whose client was gone before its first piece


class OpenStreams:
    """The open streams of this process. Used by the event loop and by the threads of views."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a place may be collected while this thread holds the lock
        self._by_holder: Counter[str] = Counter()
        self._places: dict[int, Callable[[], StreamPlace | None]] = {}
        self._is_ending = False

    def __len__(self) -> int:
        return self._by_holder.total()

    def take_place(self, holder: str, *, most_of_holder: int, most: int) -> StreamPlace:
        """Return a place for one more stream.

        Args:
            holder: A name for whose stream it is: of a key, or of a person.
            most_of_holder: Streams that a holder may have open in this process.
            most: Streams that may be open in this process.

        Raises:
            TooManyRequests: If the holder has as many.
            Unavailable: If the process has as many, or is about to end.
        """
        with self._lock:
            if self._is_ending or len(self) >= most:
                raise Unavailable("This server has as many open streams as it can serve; try again later.")
            if self._by_holder[holder] >= most_of_holder:
                message = f"{most_of_holder} streams of yours are open already; close one first."
                raise TooManyRequests(message, _RETRY_AFTER)
            self._by_holder[holder] += 1
            place = StreamPlace(self, holder)
            self._places[id(place)] = weakref.ref(place)
            return place

    def remove(self, place: StreamPlace, holder: str) -> None:
        """Take note that a stream has ended."""
        with self._lock:
            self._places.pop(id(place), None)
            self._by_holder[holder] -= 1
            if self._by_holder[holder] <= 0:
                del self._by_holder[holder]

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
