"""Names and numbers: the details that must survive from what was said to what is remembered. Pure."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_SENTENCE = re.compile(r"[.!?…\n\"“”。！？]+\s*")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


def details_of(text: str) -> set[str]:
    """The numbers of a text and, in lower case, the words that are names by their capital letter.

    The first word of a sentence has a capital anyway, and `I` is nobody's name: neither counts.
    """
    words = [word for sentence in _SENTENCE.split(text) for word in _WORD.findall(sentence)[1:]]
    return set(_NUMBER.findall(text)) | {word.casefold() for word in words if _is_name(word)}


def kept(told: str, remembered: str) -> tuple[int, int]:
    """(details of `told` that `remembered` still says, details of `told`)."""
    wanted = details_of(told)
    said = set(_NUMBER.findall(remembered)) | {word.casefold() for word in _WORD.findall(remembered)}
    return len(wanted & said), len(wanted)


def _is_name(word: str) -> bool:
    return len(word) > 1 and word[0].isupper() and not word.startswith(("I'", "I’"))
