"""How calls are described, and how a blocking and an asynchronous client carry them out.

A call is described once. A *flow* is a generator that yields the steps of a call (send a request, wait, read
the next piece of an answer) and receives the outcome of each. `drivers` runs any flow on `httpx`: one driver
with `httpx.Client`, one with `httpx.AsyncClient`. Retries, resumed streams and parsing are in the flows.
"""

from memsite.wire.calls import Answer, Call, call_as, call_as_either, call_for_page, without_nones
from memsite.wire.drivers import AsyncDriver, BlockingDriver
from memsite.wire.flows import (
    Close,
    Emit,
    Emits,
    Flow,
    NextPiece,
    Open,
    Pause,
    Policy,
    Send,
    download,
    emit_value,
    perform,
)
from memsite.wire.operations import Awaited, Blocking, Mode, Resource, operation, steps, stream
from memsite.wire.sse import EventParser, ServerSentEvent

__all__ = [
    "Answer",
    "AsyncDriver",
    "Awaited",
    "Blocking",
    "BlockingDriver",
    "Call",
    "Close",
    "Emit",
    "Emits",
    "EventParser",
    "Flow",
    "Mode",
    "NextPiece",
    "Open",
    "Pause",
    "Policy",
    "Resource",
    "Send",
    "ServerSentEvent",
    "call_as",
    "call_as_either",
    "call_for_page",
    "download",
    "emit_value",
    "operation",
    "perform",
    "steps",
    "stream",
    "without_nones",
]
