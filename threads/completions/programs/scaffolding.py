"""Tell a person's words from what a program writes around them. Pure.

What stands around them in the same message differs from request to request (retrieved documents, reminders of
a format), so that it is cut off before a message is stored or compared. A message that a program wrote from
beginning to end stays in the thread, and is not to be remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from threads.completions.programs.marks import (
    APPENDED,
    EXAMPLES,
    MESSAGES,
    WRAPPERS,
    WRITTEN_CALL,
    WRITTEN_CALLS,
    Appended,
    MessageMark,
    Wrapper,
)

_HEAD: Final = 400  # characters in which a text's beginning is looked for
_READ: Final = 200_000  # characters of a text that are looked through for a mark
_MOST_APPENDED: Final = 10  # texts of one kind


def cut_scaffolding(text: str) -> str:
    """Return a person's own words, without what a program writes before and after them in a message.

    If nothing is left, the text stays as it is.
    """
    head = " ".join(text[:_HEAD].lower().split())
    for wrapper in WRAPPERS:
        if head.startswith(wrapper.beginning):
            text = _unwrap(text, wrapper)
    for appended in APPENDED:
        for _ in range(_MOST_APPENDED):
            kept = _cut_end(text, appended)
            if kept == text:
                break
            text = kept
    return text


def is_scaffolding(text: str) -> bool:
    """Return whether a program wrote a message from beginning to end."""
    head, tail = text[:_HEAD].lower().lstrip(), text[-_HEAD:].lower().rstrip()
    return any(
        head.startswith(one.beginnings) and tail.endswith(one.ends) and _has_mark(text, one)
        for one in MESSAGES
    )


def find_written_calls(text: str) -> list[tuple[str, str]]:
    """Return id and name of the calls of tools that a program sends as the text of an answer."""
    return WRITTEN_CALL.findall(text[:_READ]) if text.startswith(WRITTEN_CALLS) else []


def find_last_example(texts: Sequence[str]) -> int:
    """Return the place of the message that ends a program's examples, which come first; −1 for none."""
    ends = (place for place, text in enumerate(texts) if text[:_HEAD].lower().lstrip().startswith(EXAMPLES))
    return max(ends, default=-1)


def _unwrap(text: str, wrapper: Wrapper) -> str:
    split = text.partition if text.startswith(wrapper.end) else text.rpartition
    _, end, question = split(wrapper.end)
    question = question.strip()
    for quote in wrapper.quotes:
        question = question.removeprefix(quote).removesuffix(quote)
    return question.strip() or text if end else text


def _cut_end(text: str, appended: Appended) -> str:
    place = text.rfind(appended.beginning)
    rest = text[place + len(appended.beginning) :].strip()
    if place > 0 and rest.startswith(appended.then) and rest.endswith(appended.end):
        return text[:place].rstrip() or text
    return text


def _has_mark(text: str, one: MessageMark) -> bool:
    return not one.mark or one.mark in text[:_READ].lower()
