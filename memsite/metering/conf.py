"""Numbers of the circuit breaker: when it opens, and for how long."""

from __future__ import annotations

from typing import Final

#: Failures in a row that may pass, each counted after its own retries. Five of them have already cost people
#: over a minute of waiting; a lower number would open the breaker on one bad moment of a busy server.
FAILURES_TO_OPEN: Final = 5
#: Seconds without calls; doubled each time the trial call fails, too.
PAUSE: Final = 30
PAUSE_MAX: Final = 300
#: Most characters of a model's name that are stored.
NAME_LENGTH: Final = 200
