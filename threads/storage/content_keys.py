"""A key for what a message says, by which a history that a client sends again is recognised. Pure.

What a client sends again differs in small things: white space, the form of Unicode, the model's reasoning,
which some programs strip. The key is equal for all of these.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from memsite.values import MessageRole
from threads.prompt import remove_fenced

#: Where `state` holds the hashes of a message's pictures and files, which its text only names.
ATTACHMENTS: Final = "attachments"
_REASONING: Final = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
    ('<details type="reasoning"', "</details>"),
)
_LONE_END: Final = "</think>"
_STOP: Final = "</code>"


def compute_content_key(
    role: str,
    content: str,
    *,
    tool_calls: Sequence[Mapping[str, Any]] | None = None,
    tool_call_id: str = "",
    state: Mapping[str, Any] | None = None,
) -> UUID | None:
    """Return a 128-bit hash of what a message says; None for a system message.

    Of a message with tool calls, it is that of the ids of the calls.
    """
    if role == MessageRole.SYSTEM:
        return None
    calls = sorted(str(call.get("id", "")) for call in tool_calls or ())
    text = "" if calls else normalise_content(content)
    attached = (state or {}).get(ATTACHMENTS)
    images = [str(one) for one in attached] if isinstance(attached, list) else []
    parts = [role, tool_call_id, text, *calls, *images]
    joined = "\x1f".join(parts).encode("utf-8", "surrogatepass")
    return UUID(bytes=hashlib.blake2b(joined, digest_size=16).digest())


def normalise_content(text: str) -> str:
    """Return a text without reasoning and our own block of memories, in NFC, with single spaces.

    smolagents puts the end mark back at which it had the server stop: that is left out, too.
    """
    plain = " ".join(unicodedata.normalize("NFC", remove_fenced(cut_reasoning(text))).split())
    return plain.removesuffix(_STOP).rstrip()


def cut_reasoning(text: str) -> str:
    """Return a text without what a model wrote between marks of reasoning.

    What has no end mark stays. Some models leave out the first mark: then all before the end mark is cut.
    """
    for opening, closing in _REASONING:
        if closing in text:
            text = _cut_between(text, opening, closing)
    return text


def _cut_between(text: str, opening: str, closing: str) -> str:
    kept: list[str] = []
    place = 0
    if closing == _LONE_END and opening not in text[: text.index(closing)]:
        place = text.index(closing) + len(closing)
    while (start := text.find(opening, place)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[place:start])
        place = end + len(closing)
    return "".join([*kept, text[place:]]).strip()
