"""The content of the messages against which a memory is checked: terms, numbers, dates. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memories.extraction.prose import Frame, Prose, extract_own_prose
from memories.extraction.rules import list_own_sentences
from memories.text import (
    CHINESE_RULES,
    ENGLISH_RULES,
    NUMBER_WORDS,
    Lean,
    Mention,
    Moment,
    Span,
    day_span,
    find_time_mentions,
    list_piece_terms,
    parse_chinese_number,
    split_pieces,
    unify,
)
from memories.values import Kind, Utterance

#: Characters. A longer quotation is somebody's text, a shorter one a name or a word in quotation marks.
_MOST_QUOTED: Final = 80
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_NUMERAL = re.compile(r"[零〇一二两三四五六七八九十百千万]+(?=[^\W\d_])")
_NO_NUMERAL = re.compile(
    r"一(?:起|般|些|直|样|下|旦|定|切|共|向|边|面|点|会|家|种|个|次|路|身|致|贯|味|再|时|律)|十分|万一|三明治"
    r"|千万|百分|七上八下|四川|三亚|五常|八卦|九寨|万分|万能|统一|唯一|二维|百度|百合|千禧|四季|五官|十字"
)
_NUMBER_WORDS: Final = {
    word: value
    for word, value in NUMBER_WORDS.items()
    if word not in {"a", "an", "one"} and " " not in word
} | {
    "thirteen": 13, "fourteen": 14, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
    "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
    "thousand": 1000, "million": 1_000_000, "twice": 2,
}  # fmt: skip
_WORD = re.compile(r"[A-Za-z]+")
_OWN: Final = re.compile(
    r"\b(?:my|our|mine|ours|I'm|I am|I've|I have|we're|we have)\b|我的|我家|我们|咱|我是|我有", re.IGNORECASE
)
_TENTATIVE: Final = frozenset({Kind.GOAL, Kind.PREFERENCE, Kind.CONTEXT, Kind.PROJECT})
_ASKING: Final = _TENTATIVE | {Kind.SKILL}


@dataclass(frozen=True, slots=True)
class UserStatements:
    """The user's own sentences.

    Attributes:
        terms: Terms as in the search index.
        numbers: Numbers in plain digits, number words included.
        spans: Times that the sentences mention, and the days of the messages.
    """

    sentences: tuple[str, ...]
    terms: frozenset[str]
    numbers: frozenset[str]
    spans: tuple[Span, ...]


def collect_statements(utterances: Iterable[Utterance], kind: Kind) -> UserStatements:
    """Collect what the messages say that can support a memory of this kind."""
    return _collect(
        (text, utterance.at)
        for utterance in utterances
        for text in list_statement_texts(utterance.content, kind)
    )


def list_corrections(utterances: Iterable[Utterance]) -> list[UserStatements]:
    """Return the correcting sentences of the messages, each by itself."""
    return [
        _collect([(prose.unmask(sentence.text), utterance.at)])
        for utterance in utterances
        for prose in [extract_own_prose(utterance.content)]
        for sentence in list_own_sentences(prose)
        if any(clause.correction for clause in sentence.clauses)
    ]


def _collect(statements: Iterable[tuple[str, datetime]]) -> UserStatements:
    """Collect terms, numbers and times of sentences, each given with its time."""
    pairs = list(statements)
    texts = tuple(text for text, _ in pairs)
    spans = [day_span(at) for at in dict.fromkeys(at for _, at in pairs)]
    return UserStatements(
        sentences=texts,
        terms=frozenset(term for text in texts for term in list_terms(text)),
        numbers=frozenset(number for text in texts for number in find_numbers(text)),
        spans=(*spans, *(mention.span for text, at in pairs for mention in find_times(text, at))),
    )


def list_statement_texts(content: str, kind: Kind) -> list[str]:
    """Return the user's own sentences that can support a memory of this kind, as written.

    A question supports wishes and plans, and what it says about the user's own ("my daughter"). A hypothesis
    supports wishes and plans only.
    """
    prose = extract_own_prose(content)
    short = Prose(prose.lines, tuple(quote if len(quote) <= _MOST_QUOTED else "" for quote in prose.quotes))
    kept = []
    for sentence in list_own_sentences(prose):
        frames = {Frame.STATEMENT if clause.requested else clause.frame for clause in sentence.clauses}
        if _may_rest_on(frames - {Frame.QUOTATION}, sentence.text, kind):
            kept.append(short.unmask(sentence.text))
    return kept


def _may_rest_on(frames: set[Frame], text: str, kind: Kind) -> bool:
    if frames & {Frame.STATEMENT, Frame.REPORTED, Frame.COMMAND}:
        return True
    if Frame.QUESTION in frames:
        return kind in _ASKING or _OWN.search(text) is not None
    return kind in _TENTATIVE


def list_terms(text: str) -> Iterable[str]:
    """Yield every term of a text, function words included."""
    for piece in split_pieces(unify(text)):
        yield piece.lower()
        yield from list_piece_terms(piece)


def find_numbers(text: str) -> set[str]:
    """Return the numbers of a text in plain digits: 3,200 equals 3200; "two" and 两 are 2."""
    found = {_plain(match) for match in _DIGITS.findall(text)}
    found |= {str(_NUMBER_WORDS[word]) for word in _WORD.findall(text.lower()) if word in _NUMBER_WORDS}
    for match in _NUMERAL.finditer(text):
        if match.group() == "一" or _NO_NUMERAL.match(text, match.start()):
            continue
        try:
            found.add(str(parse_chinese_number(match.group())))
        except (ValueError, KeyError):
            found.add(match.group())  # 百, 千, 万 stay as written
    return found


def _plain(number: str) -> str:
    without = re.sub(r",(?=\d{3}(?!\d))", "", number)
    return without.lstrip("0") or "0"


def find_times(text: str, at: datetime) -> list[Mention]:
    """Return the time expressions of a text in both languages and both readings of bare dates."""
    return [
        mention
        for rules in (ENGLISH_RULES, CHINESE_RULES)
        for lean in (Lean.PAST, Lean.AHEAD)
        for mention in find_time_mentions(text, Moment(at, lean), rules)
    ]


def blank_out(text: str, cut: Sequence[Mention]) -> str:
    """Replace the given parts of a text with blanks."""
    characters = list(text)
    for mention in cut:
        characters[mention.start : mention.end] = " " * (mention.end - mention.start)
    return "".join(characters)
