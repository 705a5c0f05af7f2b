"""Answer a message of the user: store it, assemble the context, stream and store the answer."""

from threads.replies import chat
from threads.replies.chat import Begun, Delta, Ended, Piece, Wish

__all__ = [
    "Begun",
    "Delta",
    "Ended",
    "Piece",
    "Wish",
    "chat",
]
