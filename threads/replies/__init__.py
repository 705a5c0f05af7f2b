"""Answer a message of the user: store it, assemble the context, stream and store the answer."""

from threads.replies.detaching import DetachedReply
from threads.replies.following import (
    FollowedReply,
    ThreadLook,
    load_open_reply,
    look_at_thread,
    mark_followed,
)
from threads.replies.pieces import Begun, Delta, Ended, Piece, ReplyOptions
from threads.replies.replying import (
    OpenedReply,
    ask_question,
    open_reply,
    regenerate_reply,
    reopen_reply,
    stop_replies,
)
from threads.replies.running import hand_over, keep_running
from threads.replies.storing import ProducedAnswer, end_lost, store_answer_patiently

__all__ = [
    "Begun",
    "Delta",
    "DetachedReply",
    "Ended",
    "FollowedReply",
    "OpenedReply",
    "Piece",
    "ProducedAnswer",
    "ReplyOptions",
    "ThreadLook",
    "ask_question",
    "end_lost",
    "hand_over",
    "keep_running",
    "load_open_reply",
    "look_at_thread",
    "mark_followed",
    "open_reply",
    "regenerate_reply",
    "reopen_reply",
    "stop_replies",
    "store_answer_patiently",
]
