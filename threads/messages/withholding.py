"""Mark messages whose writer asks that they are not remembered, before anything is learnt from them."""

from __future__ import annotations

import re
from typing import Final
from uuid import UUID

from memsite.values import MessageRole
from threads.messages.removal import set_do_not_remember
from threads.models import Message
from threads.storage import list_spoken_before, list_unlearnt_messages

#: What may precede a request: the beginning of the text, a mark, or a word that opens a clause.
_OPENERS: Final = (
    r"(?:^\s{0,99}+|[.!?;,:\n—–…(\[{\"'“‘*_>-]\s{0,9}+"
    r"|\b(?:please|pls|but|and|so|ok|okay|oh|hey|well|actually|also|just)\s{1,9}+)(?:(?:please|pls)\s{1,9}+)?"
)
#: What may follow it.
_ENDS: Final = (
    r"(?=\s{0,9}(?:$|[.!?,;:)\]}\"'”’*_…\n]|please\b|anywhere\b|in (?:your |the |my )?memory\b)|\s{10})"
)
_CHINESE_ENDS: Final = r"(?=\s{0,9}(?:$|[。！!，,；;”」）)…\n]|哦|吧|啊)|\s{10})"
#: A request about this very thing ("I don't remember that day" is no request).
_ASKS: Final = re.compile(
    rf"{_OPENERS}(?:do not|don['’‘]?t|never)\s{{1,9}}+"
    r"(?:keep|remember|store|save|record|memori[sz]e)\s{1,9}+"
    r"(?:(?:this|that)(?: one| message| conversation)?|it|any of (?:this|that)"
    rf"|(?:what|that) I (?:just )?(?:said|told you|wrote)(?: this| that| it)?){_ENDS}"
    rf"|{_OPENERS}forget (?:what|everything) I (?:just )?(?:said|told you|wrote){_ENDS}"
    r"|\b(?:this|that|it) is off the record\b"
    r"|(?:请勿|不要|不用|别)(?:帮我|再)?(?:记住|记录|记下来?|保存|存下来|记)(?:这个|这条|这句话?|这件事|这些|它|了)?"
    rf"{_CHINESE_ENDS}"
    r"|(?:请勿|不要|不用|别)(?:再)?把(?:这个|这条|这句话?|这件事|这些|它|我刚才说的)(?:记住|记录下?来?|记下来?|保存|存下来|存起来)"
    rf"{_CHINESE_ENDS}"
    rf"|(?:^|[。！!，,；;\n]|请|帮我)\s{{0,9}}+(?:忘掉|忘记)我?刚[才刚]?[说讲写]的(?:话|内容)?{_CHINESE_ENDS}",
    re.IGNORECASE,
)
#: Every request contains one of these, in lower case.
_ROOTS: Final = (
    "keep",
    "remember",
    "store",
    "save",
    "record",
    "memori",
    "forget",
    "记",
    "保存",
    "存下来",
    "存起来",
    "忘",
)
#: Characters read at once, so that other threads run meanwhile, and the most that a request takes.
_PART: Final = 16_384
_LONGEST_REQUEST: Final = 128
#: Characters of a long message that are searched, at its beginning and at its end.
_SEARCHED: Final = 65_536
#: A longer message, blanks apart, has content of its own.
_LONGEST_BARE: Final = 1_000
#: A message with at least this many letters besides the request has content of its own.
_OWN_LETTERS: Final = 12
#: Number of earlier messages searched for what the request refers to.
_BACK: Final = 4


def asks_to_withhold(text: str) -> bool:
    """Return whether a text asks not to remember it, or what was said just before.

    Of a long text, only the beginning and the end are searched: a request that stands amid what was pasted
    is not the writer's.
    """
    if len(text) > 2 * _SEARCHED:
        return asks_to_withhold(text[:_SEARCHED]) or asks_to_withhold(text[-_SEARCHED:])
    for start in range(0, len(text), _PART):
        end = start + _PART
        lower = text[start : end + _LONGEST_REQUEST].lower()
        if any(root in lower for root in _ROOTS):
            found = _ASKS.search(text, start, end + _LONGEST_REQUEST)
            if found and found.start() < end:
                return True
    return False


def mark_withheld(thread_id: UUID, *, owner: UUID) -> int:
    """Mark messages as not to be remembered where a waiting message asks for it. Return how many.

    A request with content of its own refers to its own message. A bare request also refers to the messages
    before it, back to the last user message. Replies to either are marked too, because they may repeat it.
    Memories learnt from these messages alone are forgotten. Idempotent.
    """
    wanted: list[UUID] = []
    for message in list_unlearnt_messages(thread_id, owner=owner).select_related("parent"):
        is_request = message.role == MessageRole.USER and asks_to_withhold(message.content)
        if is_request or _answers_request(message):
            wanted.append(message.pk)
        if is_request and _only_asks(message.content):
            wanted += _find_last_spoken(message)
    for message_id in dict.fromkeys(wanted):
        set_do_not_remember(thread_id, message_id, do_not_remember=True, owner=owner)
    return len(set(wanted))


def _answers_request(message: Message) -> bool:
    parent = message.parent if message.role == MessageRole.ASSISTANT else None
    return parent is not None and parent.role == MessageRole.USER and asks_to_withhold(parent.content)


def _only_asks(text: str) -> bool:
    words = " ".join(text.split())
    return len(words) <= _LONGEST_BARE and len(re.findall(r"\w", _ASKS.sub(" ", text))) < _OWN_LETTERS


def _find_last_spoken(message: Message) -> list[UUID]:
    """Return the last user message before this one, and the replies to it."""
    found: list[UUID] = []
    for earlier in reversed(list_spoken_before(message, _BACK)):
        found.append(earlier.pk)
        if earlier.role == MessageRole.USER:
            return found
    return []
