"""Check that a sentence claims no more than was said, by its numbers, names, dates and content words. Pure.

The check does not understand the text: a false claim made of the right words passes, and a free paraphrase
may fail. A failure therefore costs only one item, and what passes consists of the user's own words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from memories.extraction.english import words
from memories.extraction.model.user_statements import (
    UserStatements,
    blank_out,
    find_numbers,
    find_times,
    list_terms,
)
from memories.text import (
    STOP_WORDS,
    Span,
    Unit,
    is_unspaced,
    list_piece_terms,
    split_pieces,
    stem_word,
    unify,
)

#: More than MORE_THAN of all content words must have been said, and at least LEAST_SHARE_OF_PART of those of
#: each part.
MORE_THAN: Final = 0.5
LEAST_SHARE_OF_PART: Final = 0.3
#: How many days two time expressions may differ, by the coarser unit of the two.
_TOLERANCE: Final = {
    Unit.DAY: 1, Unit.WEEKDAY: 1, Unit.WEEKEND: 1, Unit.WEEK: 8, Unit.MONTH: 31, Unit.SEASON: 95,
    Unit.YEAR: 366,
}  # fmt: skip

#: Words that belong to the form of a memory, not to its content.
_FORM: Final = frozenset(
    stem_word(word)
    for word in words(
        "user person name named called call live lives living lived reside based work works working"
        " worked job profession occupation employed like likes love loves enjoy enjoys prefer prefers"
        " preference want wants wish hope use uses using used own owns owned keep keeps plan plans"
        " planning goal aim aims intend learn learned learnt lesson know knows currently now previously"
        " formerly recently usually often always never currently hate hates dislike dislikes avoid avoids"
        " able skill skilled experience experienced project building build relation relationship fact"
        " favourite favorite move moved new since become became get got go goes going went do does make"
        " makes made feel feels think thinks consider remember mention mentioned state stated say said"
        " tell told ask asked request requested expect include includes including also both especially"
        " particularly another well thing things something time born grew come comes originally family"
        " daughter's son's longer anymore instead rather need needs try trying tries interested interest"
        " someone people help helps answer answers reply response responses assistant should must correct"
        " correction updated update actually serve serves run runs running diet follow follows pet hobby"
        " role position age old city country town place tool team version"
    )
)
_FORM_CHINESE: Final = re.compile(
    r"用户|使用者|本人|名字|姓名|喜欢|喜爱|热爱|爱好|偏好|偏爱|更爱|讨厌|不喜欢|厌恶|居住|住在|现住|目前|现在|当前"
    r"|使用|正在|打算|计划|希望|想要|目标|工作|职业|从事|担任|就职|任职|任教|拥有|养了|养着|学会|教训|经验|认为|觉得"
    r"|表示|提到|要求|需要|应该|已经|曾经|以前|之前|后来|名叫|叫做|名为|叫|称为|位于|属于|来自|出生|搬到|搬家|搬去|改为"
    r"|进行|开发|项目|负责|一名|一位|一个|一只|一款|一家|通常|经常|每次|总是|从不|不再|习惯|倾向|能够|擅长|掌握|家人|关系"
    r"|回答|回复|答复|助手|被?称呼?为?"
)
_PART = re.compile(
    r",(?!\d)|[;，；。：:()（）]|\b(?:and|but|who|which|because|while)\b|并且|而且|但是?|以及|同时"
)
_NAMELIKE = re.compile(r"[A-ZÀ-ÖØ-Þ]|\d|.[A-Z_@/#+]")
_NUMBER = re.compile(r"[\d.,:/%-]+")
_CLITIC = re.compile(r"['’]\w{1,2}$")
_SENTENCE_START = re.compile(r"(?:^|[.!?。！？:：]\s*|[\"“(]\s*)$")
_PLAIN_CAPITALS: Final = words("I User The A An My Lesson Goal Project Preference Fact OK")

_NOT: Final = re.compile(
    r"n't\b|\b(?:not|no|never|cannot|neither|nor|none|nothing|nobody)\b|[不没別]|别(?![的人])|(?<![是])非(?!常)|未(?!来)",
    re.IGNORECASE,
)
_REMINDER: Final = re.compile(
    r"\b(?:do not|don['’]t|never) (?:ever )?forget\b|(?:别|不要|勿)忘", re.IGNORECASE
)
_AGAINST: Final = re.compile(
    r"\b(?:dislik|hat(?:e|es|ed|ing)\b|detest|loath|avoid|without|stop|quit|left|leav|gave up"
    r"|giv(?:e|ing) up|former"
    r"|used to|moved (?:from|out|away|on)|sold|cancel|drop|switch|instead|rather|over|except|only"
    r"|unless|allerg|intoleran|vegan"
    r"|vegetarian|sick of|tired of|fed up|free|lack|fail|problem|broke|down|trouble|hard|bad|worse|worst"
    r"|annoy|too|barely|hardly|rarely|seldom|skip|refus|reject|ban|forb|wrong|against|out|unable|end|over|rid"
    r"|awful|terribl|horribl|disgust|anymore|longer|less)"
    r"|讨厌|恨|烦|戒|反感|受不了|厌恶|忍|离|辞|搬|过敏|停|退|换|卖|取消|曾|以前|原来|改|禁|拒|免|少|差|难|失|错|勿|避|怕|无",
    re.IGNORECASE,
)
_CONTRAST: Final = re.compile(
    r"\b(?:prefer|rather|instead|only|after|before|but|except|over|former|used to|wants? to|free"
    r"|avoid|without)"
    r"|更|只|改|换|宁|以后|之后|以前|之前|曾|想|希望|避|无|戒",
    re.IGNORECASE,
)


def find_unsupported_claims(content: str, statements: UserStatements, at: datetime) -> str:
    """Return what a sentence claims beyond what was said.

    Args:
        content: The sentence.
        statements: What the user said.
        at: Time of the message, from which relative times are counted.

    Returns:
        `date`, `number`, `name`, `words` or `denial`; empty if everything was said.
    """
    times = find_times(content, at)
    plain = content.casefold()
    for mention in times:
        written = plain[mention.start : mention.end].strip()
        names = any(may_be_same_time(mention.span, span) for span in statements.spans)
        if not names and not any(written in text.casefold() for text in statements.sentences):
            return "date"
    rest = blank_out(content, times)
    years = {str(span.start.year) for span in statements.spans}
    if find_numbers(rest) - statements.numbers - years:
        return "number"
    if any(not _was_stated(name, statements) for name in find_claimed_names(rest)):
        return "name"
    if not _made_of(rest, statements):
        return "words"
    return "denial" if _denies(content, statements.sentences) else ""


def may_be_same_time(one: Span, other: Span) -> bool:
    """Return whether two spans may be the same time, given the coarser unit of the two."""
    tolerance = max(_TOLERANCE[one.unit], _TOLERANCE[other.unit])
    return abs((one.start - other.start).days) <= tolerance


def find_claimed_names(text: str) -> list[str]:
    """Return the pieces of a text that look like names or identifiers.

    The first word of a sentence does not count.
    """
    clean = unify(text)
    found: list[str] = []
    place = 0
    for piece in split_pieces(clean):
        start = clean.index(piece, place)
        place = start + len(piece)
        if is_unspaced(piece) or not _NAMELIKE.match(piece) or _NUMBER.fullmatch(piece):
            continue
        plain = piece[1:].islower() or len(piece) == 1
        if _CLITIC.sub("", piece) in _PLAIN_CAPITALS or (plain and _SENTENCE_START.search(clean[:start])):
            continue
        found.append(piece)
    return found


def is_supported(name: str, statements: UserStatements) -> bool:
    """Return whether every term of a subject or object was said."""
    terms = [term for piece in split_pieces(unify(name)) for term in list_piece_terms(piece)]
    form = {term for term in terms if term in _FORM}
    return bool(terms) and all(term in statements.terms for term in terms if term not in form)


def _was_stated(piece: str, statements: UserStatements) -> bool:
    if piece.lower() in statements.terms:
        return True
    terms = list_piece_terms(piece)
    return bool(terms) and all(term in statements.terms for term in terms)


def _made_of(text: str, statements: UserStatements) -> bool:
    counted = [_counted(part, statements) for part in _PART.split(text) if part]
    found, total = sum(part[0] for part in counted), sum(part[1] for part in counted)
    if not total:
        return find_numbers(text) != set() or find_claimed_names(text) != []
    if found <= MORE_THAN * total:
        return False
    return all(part_found >= LEAST_SHARE_OF_PART * part_total for part_found, part_total in counted)


def _counted(text: str, statements: UserStatements) -> tuple[int, int]:
    """Return the number of content words that were said, and of all content words.

    Chinese text is counted in characters and pairs of characters.
    """
    found = total = 0
    names = set(find_claimed_names(text))
    for piece in split_pieces(unify(text)):
        for word in _content_words(piece, named=piece in names):
            total += 1
            found += word in statements.terms
    return found, total


def _content_words(piece: str, *, named: bool = False) -> Sequence[str]:
    """Return the content words of a piece. A form word counts only as part of a name (the language Go)."""
    if is_unspaced(piece):
        parts = _FORM_CHINESE.sub(" ", piece).split()
        return [term for part in parts for term in list_piece_terms(part)]
    if _NUMBER.fullmatch(piece):
        return []  # checked as numbers
    terms = [term for term in list_piece_terms(piece) if term not in STOP_WORDS]
    if not named:
        terms = [term for term in terms if term not in _FORM]
    return terms[-1:]  # the whole of a compound comes last; a word counts once


def _denies(content: str, sentences: Sequence[str]) -> bool:
    """Return whether the sentence negates what nobody negated, or affirms the very words of a negation."""
    sentences = [_REMINDER.sub("", text) for text in sentences]
    if _NOT.search(content):
        return not any(_NOT.search(text) or _AGAINST.search(text) for text in sentences)
    if _AGAINST.search(content) or _CONTRAST.search(content):
        return False
    words_of = {word for piece in split_pieces(unify(content)) for word in _content_words(piece)}
    parts = [part for text in sentences for part in _PART.split(text) if part]
    holding = [part for part in parts if words_of <= set(list_terms(part))]
    return bool(words_of and holding) and all(
        len(_NOT.findall(part)) % 2 and not _twice(part) for part in holding
    )


def _twice(text: str) -> bool:
    """Return whether another word reverses a negation: "can't live without", 不得不."""
    return _AGAINST.search(text) is not None
