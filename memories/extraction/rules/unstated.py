"""Recognise texts that state nothing: questions, greetings, thanks, and sentences that try a program out."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Final

from memories.extraction.chinese import find_chinese_statement
from memories.extraction.english import find_english_statement
from memories.extraction.prose import Clause, Frame, extract_own_prose, split_sentences, strip_marks
from memories.extraction.rules.clause_reader import list_own_sentences
from memories.extraction.tables import read_table
from memories.extraction.talk import find_role

#: Characters. A longer sentence is no greeting and no test.
LONGEST: Final = 100
#: Characters of the text that is read.
_MOST_READ: Final = 4_000
_TABLE: Final = read_table(
    Path(__file__).with_name("unstated.toml"), ("phrases", "tests", "phrases_zh", "tests_zh")
)
_BETWEEN: Final = r"[\s,，.。!！?？~～…、;；:：'’\"\-–—*()（）]"
_ENGLISH: Final = re.compile(
    rf"(?:(?>(?:{_TABLE.longest_of('phrases')}|{_TABLE.longest_of('tests')}|\d{{1,4}})(?:{_BETWEEN}++|$))){{1,8}}",
    re.IGNORECASE,
)
_CHINESE: Final = re.compile(
    rf"(?:(?>(?:{_TABLE.longest_of('phrases_zh')}|{_TABLE.longest_of('tests_zh')}|\d{{1,4}})"
    rf"[呀啊哦啦哈呢哟了嘛哇]?{_BETWEEN}*+)){{1,8}}",
    re.IGNORECASE,
)
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_KEYBOARD: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "qazwsxedc", "1234567890")
#: Letters that lie side by side on a keyboard; fewer may be a word.
_LEAST_KEYS: Final = 3


class Unstated(StrEnum):
    """Why a text states nothing."""

    QUESTION = "question"
    SMALL_TALK = "small talk"


def read_unstated(text: str) -> Unstated | None:
    """Return why a text states nothing; None if it states something, or may do so.

    It states nothing if each of its sentences only asks, greets, thanks or tries the program out. A text that
    asks for something to be done ("write …") may state something.
    """
    prose = extract_own_prose(text[:_MOST_READ])
    written = [sentence for line in prose.lines for sentence in split_sentences(line)]
    if not written or len(text) > _MOST_READ:
        return None
    if all(map(is_small_talk, written)):
        return Unstated.SMALL_TALK
    read = [one for one in list_own_sentences(prose) if not is_small_talk(one.text)]
    asks = read and all(_only_asks(clause) for one in read for clause in one.clauses)
    return Unstated.QUESTION if asks else None


def _only_asks(clause: Clause) -> bool:
    """Return whether a clause is a question that states nothing: no request to remember, no "as a vegan"."""
    if clause.frame is not Frame.QUESTION or find_role(clause.text):
        return False
    find = find_chinese_statement if clause.chinese else find_english_statement
    return not clause.requested or find(clause) is None


def is_small_talk(sentence: str) -> bool:
    """Return whether a sentence is nothing but greetings, thanks, answers of one word, or a test."""
    bare = strip_marks(sentence)
    if not bare or len(bare) > LONGEST:
        return False
    if _HAN.search(bare):
        return _CHINESE.fullmatch(bare) is not None
    return _ENGLISH.fullmatch(bare) is not None or all(map(_is_typed_at_random, bare.lower().split()))


def _is_typed_at_random(word: str) -> bool:
    """Return whether a word is one key or a run of neighbouring keys, repeated: "aaaa", "asdfasdf"."""
    if len(word) < _LEAST_KEYS:
        return False
    if len(set(word)) == 1:
        return True
    for length in range(_LEAST_KEYS, len(word) + 1):
        if len(word) % length == 0 and word[:length] * (len(word) // length) == word:
            return any(word[:length] in row for row in _KEYBOARD)
    return False
