"""When the breaker opens, and for how long."""

from __future__ import annotations

from typing import Final

#: Calls in a row that failed in a way that may pass, each after its own retries. Five of them have cost
#: people over a minute of waiting already; fewer would open on one bad moment of a busy server.
FAILURES_TO_OPEN: Final = 5
#: Seconds without a call, doubled each time the call that tries fails too.
PAUSE: Final = 30
PAUSE_MAX: Final = 300
#: Characters of a model's name that are kept.
NAME_LENGTH: Final = 200
