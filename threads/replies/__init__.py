"""Answer a message of the user: store it, assemble the context, stream and store the answer."""

from threads.replies import replying
from threads.replies.pieces import Begun, Delta, Ended, Piece, ReplyOptions
from threads.replies.running import hand_over
from threads.replies.storing import end_lost

__all__ = [
    "Begun",
    "Delta",
    "Ended",
    "Piece",
    "ReplyOptions",
    "end_lost",
    "hand_over",
    "replying",
]
