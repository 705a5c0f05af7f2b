"""The options of a reply and the pieces it consists of, whichever protocol sends them."""

from __future__ import annotations

from dataclasses import dataclass

from threads.conf import DEFAULT_MAX_TOKENS
from threads.context import Context
from threads.models import Message, Reply


@dataclass(frozen=True, slots=True)
class ReplyOptions:
    """Options of a reply.

    Attributes:
        max_tokens: Limit of the context.
        max_output_tokens: Limit of the answer; None for no limit.
    """

    max_tokens: int = DEFAULT_MAX_TOKENS
    max_output_tokens: int | None = None
    temperature: float = 0.7


@dataclass(frozen=True, slots=True)
class Begun:
    """The question is stored and the context is assembled.

    Attributes:
        context: None if the question had an answer already.
    """

    reply: Reply
    question: Message
    context: Context | None


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The reply has ended.

    Attributes:
        answer: None if nothing was produced.
    """

    reply: Reply
    answer: Message | None


Piece = Begun | Delta | Ended
