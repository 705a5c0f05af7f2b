"""Messages whose writer says that they are not to be kept: marked before anything is learnt from them."""

from __future__ import annotations

import re
from typing import Final
from uuid import UUID

from threads.messages.removal import set_do_not_remember
from threads.models import Message
from threads.storage import said_before, unlearnt

#: What asks: at the beginning of a clause, and of this very thing ("I don't remember that day" asks nothing).
_ASKS: Final = re.compile(
    r"(?:^|[.!?;,:\n—-]\s*|\b(?:please|but|and|so)\s+)(?:please\s+)?(?:do not|don['’]t|never)\s+"
    r"(?:keep|remember|store|save|record|memori[sz]e)\s+(?:this|that|it|any of (?:this|that))"
    r"(?=\s*(?:$|[.!?,;:)\n]|please\b|anywhere\b))"
    r"|\b(?:this|that|it) is off the record\b"
    r"|(?:请勿|不要|不用|别)(?:帮我|再)?(?:记住|记录|记下来?|保存|存下来|记)(?:这个|这条|这句话?|这件事|这些|它|了)?"
    r"(?=\s*(?:$|[。！!，,；;\n]|哦|吧|啊))",
    re.IGNORECASE,
)
#: Letters beside the request from which on the message says something of its own.
_OWN_LETTERS: Final = 12
#: Messages looked back over for what the request is about.
_BACK: Final = 4


def asks_to_withhold(text: str) -> bool:
    """Whether a message asks that it, or what was said just before, is not kept."""
    return _ASKS.search(text) is not None


def withhold(thread_id: UUID, *, owner: UUID) -> int:
    """Mark what its writer asked not to keep among the messages that wait to be learnt from; how many.

    A message that asks and says more is meant itself; one that only asks means what was said before it, back
    to the last message of the user. Replies to either are marked too, for they may repeat it. What was learnt
    from these alone is forgotten. Safe to run twice.
    """
    wanted: list[UUID] = []
    for message in unlearnt(thread_id, owner=owner).select_related("parent"):
        asked = message.role == "user" and asks_to_withhold(message.content)
        if asked or _answers_request(message):
            wanted.append(message.pk)
        if asked and _only_asks(message.content):
            wanted += _said_last(message)
    for message_id in dict.fromkeys(wanted):
        set_do_not_remember(thread_id, message_id, wish=True, owner=owner)
    return len(set(wanted))


def _answers_request(message: Message) -> bool:
    parent = message.parent if message.role == "assistant" else None
    return parent is not None and parent.role == "user" and asks_to_withhold(parent.content)


def _only_asks(text: str) -> bool:
    return len(re.findall(r"\w", _ASKS.sub(" ", text))) < _OWN_LETTERS


def _said_last(message: Message) -> list[UUID]:
    """The last message of the user before this one, and the replies to it."""
    found: list[UUID] = []
    for earlier in reversed(said_before(message, _BACK)):
        found.append(earlier.pk)
        if earlier.role == "user":
            return found
    return []
