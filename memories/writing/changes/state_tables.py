"""The patterns of `states.toml`, and how a text is split into the clauses that they read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memories.text import WEEKDAY_NAMES
from memories.writing.changes.relations import TOOLS

#: Characters of a text that are read. A longer text is no statement of a state.
LONGEST: Final = 400
_MACROS: Final = {
    "{i}": "(?:i|we)",
    "{be}": "(?:am|is|are)",
    "{have}": "(?:have|has)",
    "{some}": r"(?:[\w-]+ ){0,3}?",
    "{language}": (
        "(?:english|chinese|mandarin|cantonese|french|german|spanish|italian|japanese|korean|portuguese|russian"
        "|dutch|arabic|hindi|polish|turkish|swedish|welsh|irish|greek|czech|danish|norwegian|finnish|hungarian"
        "|ukrainian|vietnamese|thai|hebrew"
        "|中文|汉语|普通话|粤语|(?:英|日|法|德|韩|俄|西班牙|葡萄牙|意大利|阿拉伯)[文语])"
    ),
}
_WRITTEN_OUT: Final = (
    (re.compile(r"[’`]"), "'"),
    # The dates that extraction adds.
    (re.compile(r" ?\((?:week of )?\d{1,2} [a-z]+ \d{4}\)|（\d{4}年[\d月日那周初中底]*）"), ""),
    # The frame in which extraction quotes what it cannot rephrase.
    (re.compile(r"^(?:the user (?:said|mentioned|asked): [“\"]|用户(?:说|提到|要求)：“)"), ""),
    (re.compile(r"\bthe user's (?:team|family)\b"), "we"),
    (re.compile(r"\bthe user's\b"), "my"),
    (re.compile(r"\bthe user(?:'ve)?\b|\bim\b"), "i"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"\b(i|we|they)'ve\b"), r"\1 have"),
    (re.compile(r"\bwe're\b"), "we are"),
    (re.compile(r"\bcan't\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\b(do|does|did|is|are|was|were|have|has)n't\b"), r"\1 not"),
    (re.compile(r"\b(i|we)'(?:ll|d)\b"), r"\1 would"),
    (re.compile(r"\bit's\b"), "it is"),
    (re.compile(r"用户的?|咱们?|俺们?|本人"), "我"),
)
_SPLIT: Final = re.compile(
    r"[.;!?。；！？\n:：]+(?:\s|$|(?<=[。；！？：]))|[,，、](?: (?:so|and|but|then|because|as) )?|[—–]"
)
_LEAD: Final = re.compile(
    r"(?:(?:so|and|but|well|now|ok|okay|oh|actually|currently|these days|nowadays|as of (?:today"
    r"|this \w+)|ngl"
    r"|honestly|anyway|btw|also|since \w+|last \w+|this \w+|today|yesterday|recently|funny thing"
    r"|by the way|hey"
    r"|from now on|in future|i think) )+"
)


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns of one meaning, each list for the clauses of one language."""

    english: tuple[re.Pattern[str], ...]
    chinese: tuple[re.Pattern[str], ...]

    def match(self, clause: str) -> re.Match[str] | None:
        """Return the first match at the beginning of a clause."""
        for pattern in self.english if clause.isascii() else (*self.chinese, *self.english):
            found = pattern.match(clause)
            if found:
                return found
        return None

    def occurs_in(self, text: str) -> bool:
        """Return whether one of the patterns occurs anywhere in a text."""
        patterns = self.english if text.isascii() else (*self.chinese, *self.english)
        return any(pattern.search(text) for pattern in patterns)


@dataclass(frozen=True, slots=True)
class Topic:
    """Something of which a person has one state at a time."""

    name: str
    state: Patterns
    change: Patterns


@dataclass(frozen=True, slots=True)
class StateTables:
    """All patterns.

    Attributes:
        phrases: What is over, by how it ended.
        words: Words of a whole text.
        hint_words: Every English text that may end another has one of these words.
        hint_chinese: Matches every Chinese text that may end another.
        hints: Substrings of the texts that state something of a topic.
        alternatives: For tools of one sort, how a text moves to one of them, and how it names one.
        only: Words by which a new choice excludes others.
        common: Words that are too common to say what a text is about.
    """

    topics: tuple[Topic, ...]
    phrases: Mapping[str, Patterns]
    words: Mapping[str, Patterns]
    hint_words: frozenset[str]
    hint_chinese: re.Pattern[str]
    hints: Mapping[str, tuple[str, ...]]
    alternatives: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
    only: re.Pattern[str]
    common: frozenset[str]


def split_clauses(text: str) -> list[str]:
    """Return the clauses of a text in lower case, in the first person, without leading adverbs."""
    lower = text[:LONGEST].lower()
    for pattern, written in _WRITTEN_OUT:
        lower = pattern.sub(written, lower)
    pieces = (piece.strip(" \t\"'“”()（）.!?。！？") for piece in _SPLIT.split(lower))
    return [
        bare
        for piece in pieces
        if piece and (bare := _LEAD.sub("", piece, count=1) if _LEAD.match(piece) else piece)
    ]


def _compile(pattern: str) -> re.Pattern[str]:
    for macro, written in _MACROS.items():
        pattern = pattern.replace(macro, written)
    return re.compile(pattern)


def _compile_all(patterns: Sequence[str]) -> Patterns:
    english = tuple(_compile(one) for one in patterns if one.isascii())  # a macro may add Chinese to it
    return Patterns(english, tuple(_compile(one) for one in patterns if not one.isascii()))


def _compile_hint(words: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern of these words that looks first for their first characters."""
    first = "".join(sorted({word[0] for word in words}))
    return re.compile(f"(?=[{first}])(?:{'|'.join(words)})")


def _compile_tools(names: frozenset[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    written = "|".join(
        re.escape(name) for name in sorted(names - frozenset(WEEKDAY_NAMES), key=len, reverse=True)
    )
    moving = (
        r"\b(?:moved|switched|migrated|changed|converted|gone over|went over|swapped"
        r"|transferred)\b[^,]{0,40}?\b(?:to|onto) "
        r"(?:[\w-]{1,20} ){0,2}?|[换迁搬改转切][^，,]{0,10}?"
    )
    named = rf"(?<![a-z\d])(?:{written})(?![a-z\d])"
    return re.compile(f"(?:{moving}){named}"), re.compile(named)


def load_tables(path: Path) -> StateTables:
    """Read and check the tables."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    topics = [
        Topic(name, _compile_all(entry["state"]), _compile_all(entry["change"]))
        for name, entry in (*table["topic"].items(), ("own", table["own"]), ("favourite", table["favourite"]))
    ]
    over = table["over"]
    phrases = {
        "over": _compile_all(over["ended"]),
        **{name: _compile_all(over[name]) for name in ("gone", "parted", "tired", "moved")},
    }
    return StateTables(
        tuple(topics), phrases,
        {name: _compile_all(patterns) for name, patterns in table["words"].items()},
        frozenset(table["hint_words"].split(", ")),
        _compile_hint(table["hint_chinese"].split(", ")),
        {name: tuple(words.split(", ")) for name, words in table["hints"].items()},
        tuple(map(_compile_tools, TOOLS)),
        re.compile(table["only"]),
        frozenset(table["common"].split()),
    )  # fmt: skip


TABLES: Final = load_tables(Path(__file__).with_name("states.toml"))
