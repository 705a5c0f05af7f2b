"""Find names and numbers: the details that memories must preserve from messages. Pure."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_SENTENCE = re.compile(r"[.!?…\n\"“”。！？]+\s*")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


def find_details(text: str) -> set[str]:
    """Return the numbers of a text and, in lower case, its names, recognised by their capital letter.

    The first word of a sentence and `I` have a capital letter anyway, so they do not count.
    """
    words = [word for sentence in _SENTENCE.split(text) for word in _WORD.findall(sentence)[1:]]
    return set(_NUMBER.findall(text)) | {word.casefold() for word in words if _is_name(word)}


def find_kept_details(source: str, remembered: str) -> tuple[int, int]:
    """Return (details of `source` that `remembered` still contains, details of `source`)."""
    wanted = find_details(source)
    words = set(_NUMBER.findall(remembered)) | {word.casefold() for word in _WORD.findall(remembered)}
    return len(wanted & words), len(wanted)


def _is_name(word: str) -> bool:
    return len(word) > 1 and word[0].isupper() and not word.startswith(("I'", "I’"))
