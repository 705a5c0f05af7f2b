"""Split lines of prose into sentences, in any language that marks their ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

# Possessive runs (`++`) from their start: otherwise a long run would be scanned again from each mark.
_END = re.compile(
    r"[。！？；]++[”’」』)）]*|(?<![!?])[!?]++[)\]]*(?=\s|$|[^\x00-\x7f])|\.{1,3}[)\]]*(?=\s|$)"
    r"|\.(?=[A-Z][a-z']*\s)|(?<!…)…++(?=\s|$)|;(?=\s|$)"
    r"|(?<=[\U0001f300-\U0001faff\u2600-\u27bf])\s+(?=[A-Z\u4e00-\u9fff])"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Mt|vs|approx|dept|no|fig|e\.g|i\.e|cf|al|Jan|Feb|Mar|Apr|Jun"
    r"|Jul|Aug|Sept?|Oct"
    r"|Nov|Dec|[A-Za-z]|[A-Z]\.[A-Z])$"
)
_MAY_END: Final = re.compile(r"(?:^|[\s(])(?:a\.m|p\.m|etc|Inc|Ltd|Co|Corp|U\.S|U\.K|U\.S\.A)$")
_STARTS_ANEW = re.compile(r"\s+(?:I|I'm|My|We|Our|He|She|It|They|The|You|What|How|Can|Please)\b")
_CJK = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z']+")
_ENOUGH: Final = 10_000  # characters tell the language of a text
_ENGLISH_SUBJECT = re.compile(r"(?:\W*+\w++[, ]++){0,4}?(?:I|I'm|I've|I'd|my|we|our)\s", re.IGNORECASE)


def split_sentences(line: str) -> Iterator[str]:
    """Yield the sentences of one line with their closing marks, none empty."""
    start = 0
    for end in _END.finditer(line):
        if end.group()[0] == "." and _is_abbreviated(line, start, end):
            continue
        sentence = line[start : end.end()].strip()
        if sentence:
            yield sentence
        start = end.end()
    rest = line[start:].strip()
    if rest:
        yield rest


def _is_abbreviated(line: str, start: int, end: re.Match[str]) -> bool:
    before = line[max(start, end.start() - 12) : end.start()]
    if _MAY_END.search(before):
        return end.end() < len(line) and not _STARTS_ANEW.match(line, end.end())
    # "Plan B." ends a sentence; "J. Smith" does not.
    return (
        end.end() < len(line) and _ABBREVIATION.search(before) is not None and not re.search(r"\bI$", before)
    )


def is_chinese(text: str) -> bool:
    """Return whether the Chinese rules apply: Chinese characters outside an English clause."""
    text = text[:_ENOUGH]
    characters = len(_CJK.findall(text))
    if not characters:
        return False
    words = len(_LATIN_WORD.findall(text))
    return not (_ENGLISH_SUBJECT.match(text) and words * 2 > characters)
