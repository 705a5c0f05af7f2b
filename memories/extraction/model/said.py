"""The content of the messages against which a memory is checked: terms, numbers, dates. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memories.extraction.chinese import dates as dates_chinese
from memories.extraction.english import dates as dates_english
from memories.extraction.prose import Frame, Lean, Mention, Moment, Prose, Span, day, mentions, own_prose
from memories.extraction.rules import own_sentences
from memories.text import piece_terms, pieces, unify
from memories.values import Utterance

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
    for word, value in dates_english.NUMBERS.items()
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
_TENTATIVE: Final = frozenset({"goal", "preference", "context", "project"})
_ASKING: Final = _TENTATIVE | {"skill"}


@dataclass(frozen=True, slots=True)
class Said:
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


def said_in(utterances: Iterable[Utterance], kind: str) -> Said:
    """Collect what the messages say that can support a memory of this kind."""
    return _said(
        (text, utterance.at) for utterance in utterances for text in own_texts(utterance.content, kind)
    )


def corrections_in(utterances: Iterable[Utterance]) -> list[Said]:
    """Return the correcting sentences of the messages, each by itself."""
    return [
        _said([(prose.unmask(sentence.text), utterance.at)])
        for utterance in utterances
        for prose in [own_prose(utterance.content)]
        for sentence in own_sentences(prose)
        if any(clause.correction for clause in sentence.clauses)
    ]


def _said(told: Iterable[tuple[str, datetime]]) -> Said:
    """Collect terms, numbers and times of sentences, each given with its time."""
    pairs = list(told)
    texts = tuple(text for text, _ in pairs)
    spans = [day(at) for at in dict.fromkeys(at for _, at in pairs)]
    return Said(
        sentences=texts,
        terms=frozenset(term for text in texts for term in terms_in(text)),
        numbers=frozenset(number for text in texts for number in numbers_in(text)),
        spans=(*spans, *(mention.span for text, at in pairs for mention in times_in(text, at))),
    )


def own_texts(content: str, kind: str) -> list[str]:
    """Return the user's own sentences that can support a memory of this kind, as written.

    A question supports wishes and plans, and what it says about the user's own ("my daughter"). A hypothesis
    supports wishes and plans only.
    """
    prose = own_prose(content)
    short = Prose(prose.lines, tuple(quote if len(quote) <= _MOST_QUOTED else "" for quote in prose.quotes))
    kept = []
    for sentence in own_sentences(prose):
        frames = {Frame.STATEMENT if clause.asked else clause.frame for clause in sentence.clauses}
        if _may_rest_on(frames - {Frame.QUOTATION}, sentence.text, kind):
            kept.append(short.unmask(sentence.text))
    return kept


def _may_rest_on(frames: set[Frame], text: str, kind: str) -> bool:
    if frames & {Frame.STATEMENT, Frame.REPORTED, Frame.COMMAND}:
        return True
    if Frame.QUESTION in frames:
        return kind in _ASKING or _OWN.search(text) is not None
    return kind in _TENTATIVE


def terms_in(text: str) -> Iterable[str]:
    """Yield every term of a text, function words included."""
    for piece in pieces(unify(text)):
        yield piece.lower()
        yield from piece_terms(piece)


def numbers_in(text: str) -> set[str]:
    """Return the numbers of a text in plain digits: 3,200 equals 3200; "two" and 两 are 2."""
    found = {_plain(match) for match in _DIGITS.findall(text)}
    found |= {str(_NUMBER_WORDS[word]) for word in _WORD.findall(text.lower()) if word in _NUMBER_WORDS}
    for match in _NUMERAL.finditer(text):
        if match.group() == "一" or _NO_NUMERAL.match(text, match.start()):
            continue
        try:
            found.add(str(dates_chinese.number(match.group())))
        except (ValueError, KeyError):
            found.add(match.group())  # 百, 千, 万 stay as written
    return found


def _plain(number: str) -> str:
    without = re.sub(r",(?=\d{3}(?!\d))", "", number)
    return without.lstrip("0") or "0"


def times_in(text: str, at: datetime) -> list[Mention]:
    """Return the time expressions of a text in both languages and both readings of bare dates."""
    return [
        mention
        for rules in (dates_english.RULES, dates_chinese.RULES)
        for lean in (Lean.PAST, Lean.AHEAD)
        for mention in mentions(text, Moment(at, lean), rules)
    ]


def without(text: str, cut: Sequence[Mention]) -> str:
    """Replace the given parts of a text with blanks."""
    characters = list(text)
    for mention in cut:
        characters[mention.start : mention.end] = " " * (mention.end - mention.start)
    return "".join(characters)
