"""Answer a message of the user: store it, assemble the context, stream and store the answer."""

from threads.replies.pieces import Begun, Delta, Ended, Piece, ReplyOptions
from threads.replies.replying import ask_question, regenerate_reply, stop_replies
from threads.replies.running import hand_over
from threads.replies.storing import end_lost

__all__ = [
    "Begun",
    "Delta",
    "Ended",
    "Piece",
    "ReplyOptions",
    "ask_question",
    "end_lost",
    "hand_over",
    "regenerate_reply",
    "stop_replies",
]
