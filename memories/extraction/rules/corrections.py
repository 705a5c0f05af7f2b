"""Corrections that name only the new value ("it's 16, not 15"): find the statement that they correct."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memories.extraction.prose import Clause, Frame
from memories.extraction.rules.sensitive import is_sensitive
from memories.text import MONTH_NAMES, WEEKDAY_NAMES, match_any
from memories.values import Candidate, Utterance

_VALUE: Final = r"[^,，;；。!！]{1,60}?"
_ENGLISH = re.compile(
    r"(?:(?:no|nope|sorry|wait|actually|I (?:meant|mean)|it(?:'s| is| was)|that(?:'s| is| was)|make that"
    r"|should be|it should be|it must be)[,:]?\s+)*"
    rf"(?:(?P<new>{_VALUE}),?\s+(?:and |but )?(?:not|rather than|instead of)\s+(?P<old>{_VALUE})"
    rf"|not\s+(?P<old2>{_VALUE}),?\s+(?:but|it(?:'s| is))\s+(?P<new2>{_VALUE}))[.!]*",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    rf"(?:应该|其实|准确说)?(?:不是|并非)(?P<old>{_VALUE})[，,]?\s*(?:而)?(?:应该)?是(?P<new>{_VALUE})[。！]*"
    rf"|(?:应该)?是(?P<new2>{_VALUE})[，,]?\s*(?:而)?不是(?P<old2>{_VALUE})[。！]*"
)
_OF_BEFORE: Final = r"(?:earlier|before|yesterday|last time|just now|sorry|oops|wait|no|actually|when|so)"
#: "I said Monday but I meant Tuesday".
_RESTATED = re.compile(
    rf"(?:{_OF_BEFORE}[,.]?\s+){{0,3}}I(?: just)? (?:said|wrote|told you|put|typed)"
    r"(?: that| it(?:'s| was| is))?"
    r"(?: earlier| before| yesterday| last time)?\s+(?P<old>[^,;.!?]{1,80}?),?\s+(?:but |and |when |though )?"
    r"(?:I (?:really |actually |of course |should have )?(?:meant|mean|said)(?: to say)?"
    r"|(?:but )?it(?:'s| is| was) (?:actually|really)|(?:but )?actually it(?:'s| is))\s+"
    r"(?P<new>(?!it\b|that\b|this\b|every)[^,;.!?]{1,80})[.!]*"
    r"|(?:我)?(?:之前|刚才|刚刚|上次|昨天|前面|先前){1,2}(?:我)?(?:[跟和对给]你)?(?:说|写|讲)(?:的)?(?:是|过)?"
    r"(?P<old2>[^，,。？?]{1,30})[，,](?:但是?)?(?:其实|实际上|应该|正确的)(?:是|在|应该是)(?P<new2>[^，,。？?]{1,30})[。！]*",
    re.IGNORECASE,
)
_NEW_ONLY = re.compile(
    r"(?:it(?:'s| is)|that(?:'s| is)|I (?:meant|mean)|make that|it should be"
    rf"|should be)\s+(?P<new>{_VALUE})[.!]*"
    rf"|(?:应该是|我(?:是|想)说的?是?|我说的是|我(?:的)?意思是|我指的是|是)(?P<new2>{_VALUE})[。！]*",
    re.IGNORECASE,
)
_MEANT = re.compile(r"(?:I meant|make that)\b|我(?:是|想)说|我说的是|我(?:的)?意思是|我指的是", re.IGNORECASE)
#: A Chinese value that replaces another one is a name, not a sentence.
_NO_NAME = re.compile(r"[你我他她它这那不没了吗呢吧的]|什么|怎么|为")
_MONTH: Final = match_any(MONTH_NAMES)
#: Types of values that may replace each other, the most specific first. The patterns have no groups, because
#: matches are counted.
_SORTS: Final = (
    rf"(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?: \d{{4}})?",
    rf"{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?",
    match_any(WEEKDAY_NAMES),
    r"(?:下?周|星期|礼拜)[一二三四五六日天](?:上午|下午|晚上|早上)?",
    r"(?:\d{1,4}年)?\d{1,2}月\d{1,2}[日号]",
    r"v?\d+(?:[.:,]\d+)*",
    r"(?:\d+|[一二三四五六七八九十百两]+)(?:岁|个|只|年|月|点|块|元|万|号)",
)
_LONGEST_VALUE: Final = 30
#: Characters of a clause that names two values. A longer clause corrects in other words.
LONGEST: Final = 200
_BARE = re.compile(rf"({'|'.join(_SORTS)})[.。!！]*", re.IGNORECASE)
_CONFIDENCE: Final = 0.85


def restates(sentence: str) -> bool:
    """Return whether a sentence says both what its speaker said before and what they meant."""
    return len(sentence) <= LONGEST and _RESTATED.fullmatch(sentence.strip()) is not None


def find_restatement(sentence: str, learnt: Sequence[Candidate], utterance: Utterance) -> Candidate | None:
    """Return the corrected form of a candidate after "I said Monday but I meant Tuesday".

    Args:
        sentence: A sentence that `restates`.
        learnt: Candidates found so far in the conversation.
        utterance: Utterance of the sentence.
    """
    match = _RESTATED.fullmatch(sentence.strip())
    if match is None:
        return None
    old, new = ((match.group(name) or match.group(f"{name}2")).strip() for name in ("old", "new"))
    return _replaced(re.escape(old), new, learnt, utterance)


def find_correction(
    clause: Clause, learnt: Sequence[Candidate], before: Sequence[Utterance], utterance: Utterance
) -> Candidate | None:
    """Return the corrected form of the last candidate that a clause refers to.

    Args:
        clause: The correcting clause.
        learnt: Candidates found so far in the conversation.
        before: Earlier utterances.
        utterance: Utterance of the clause.

    Returns:
        None if the clause corrects nothing.
    """
    text = clause.text.strip()
    if len(text) > LONGEST or clause.frame is not Frame.STATEMENT:
        return None
    if not (clause.correction or _MEANT.match(text)):
        return None
    pair = (_CHINESE if clause.chinese else _ENGLISH).fullmatch(text)
    if pair:
        old = (pair.group("old") or pair.group("old2")).strip()
        new = (pair.group("new") or pair.group("new2")).strip()
        return _replaced(re.escape(old), new, learnt, utterance)
    only = _NEW_ONLY.fullmatch(text) or _BARE.fullmatch(text)
    if (
        only
        and learnt
        and before
        and learnt[-1].sources[0] in {one.reference for one in [*before[-2:], utterance]}
    ):
        new = next(value for value in only.groups() if value).strip()
        return _of_the_same_sort(new, learnt[-1:], utterance)
    return None


def _of_the_same_sort(new: str, learnt: Sequence[Candidate], utterance: Utterance) -> Candidate | None:
    """Replace the only date, number or object of the last candidate with the new value of the same type."""
    for sort in _SORTS:
        if (
            re.fullmatch(sort, new, re.IGNORECASE)
            and len(re.findall(sort, learnt[-1].content, re.IGNORECASE)) == 1
        ):
            return _replaced(sort, new, learnt, utterance)
    last = learnt[-1].object
    short = len(new) <= (_LONGEST_VALUE if new.isascii() else len(last) + 4) and not _NO_NAME.search(new)
    return (
        _replaced(re.escape(last), new, learnt, utterance)
        if short and last and new[:1].isupper() == last[:1].isupper()
        else None
    )


def _replaced(old: str, new: str, learnt: Sequence[Candidate], utterance: Utterance) -> Candidate | None:
    bounded = re.search(r"[A-Za-z0-9]", old) and old.isascii()
    mentioned = re.compile(rf"(?<!\w){old}(?!\w)" if bounded else old, re.IGNORECASE)
    for candidate in reversed(learnt):
        if not mentioned.search(candidate.content):
            continue
        return replace(
            candidate,
            content=mentioned.sub(lambda _: new, candidate.content),
            entities=tuple(mentioned.sub(lambda _: new, name) for name in candidate.entities),
            object=mentioned.sub(lambda _: new, candidate.object),
            confidence=_CONFIDENCE,
            speaker=utterance.speaker,
            session=utterance.session,
            occurred_at=utterance.at,
            valid_from=utterance.at,
            sensitive=candidate.sensitive or is_sensitive(new),
            sources=(utterance.reference,),
            metadata={"correction": True},
        )
    return None
