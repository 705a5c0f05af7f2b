"""Read what a text says of its speaker's states: which it names, which are new, and what is over. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from memories.text import MONTH_NAMES, STOP_WORDS, WEEKDAY_NAMES, stem_word
from memories.writing.changes.state_tables import LONGEST, TABLES, Patterns, Topic, split_clauses

#: Topics of which a new state ends the one before it although no word says that it is new.
_EXCLUSIVE: Final = frozenset(
    {"reply_length", "reply_language", "reply_emoji", "reply_units", "marital", "favourite"}
)
#: Topics of requests, which name neither their speaker nor the user.
REQUESTED: Final = frozenset({"reply_length", "reply_language", "reply_emoji", "reply_units"})
#: Words that name no thing: "the lessons" of "I stopped the Finnish lessons".
_GENERIC: Final = frozenset(
    map(
        stem_word,
        re.findall(
            r"\w+",
            "lesson class course shift subscription membership habit session job work role thing stuff time"
            " day week month year today yesterday account app entirely completely good altogether ago one"
            " daily place 公司 单位 学校 东西 事情 时间 活动 会议",
        ),
    )
)
_PAST: Final = re.compile(
    r"(?:i|we) (?:\w+ly )?(?!need|feed|speed|exceed|breed|indeed)(?:\w{2,}ed|went|saw|bought|met|had"
    r"|did|took|made|was|were"
    r"|gave|came|ran|flew|drove|ate|drank|got|spent|heard|read about|lost|won|fell|caught|sent|told|said)\b"
    r"|(?:yesterday|last (?:night|week|month|year))\b"
    r"|昨天|前天|上周|上个?月|去年|那天|曾经|以前|[^，]{1,8}过[^，]{0,8}了$"
)
#: Characters of a stem of which the last may be another in the word.
_STEM: Final = 3
_WORD: Final = re.compile(r"[a-z-]+")
#: A beginning that corrects, if the rest repeats another text with another value.
_ACTUALLY: Final = re.compile(
    r"(?:the user (?:said|mentioned): “|用户(?:说|提到)：“)?(?:actually\b|in fact\b|其实)", re.IGNORECASE
)
#: Words by which a text speaks of its speaker, or of the user.
_PERSONS: Final = frozenset({"i", "we", "my", "our", "me", "us", "user", "im"})
#: The name that a text may begin with; see `_PARTING` for what it may say of its person.
_STRANGER: Final = re.compile(r"[A-Z][a-z]+")
#: "I started" is a change of job only with one of these words.
_STARTED: Final = frozenset({"started", "start"})
_JOB: Final = frozenset({"as", "job", "role", "position", "post", "work", "working", "apprenticeship"})
_PARTING: Final = frozenset({"divorce", "separation", "no"})
_GONE: Final = frozenset(
    {"died", "away", "out", "gone", "missing", "conked", "folded", "disbanded", "closed", "shut"}
)
_OWN: Final = re.compile(r"\b(?:i|we|my|our|me|us)\b")
#: What is no part of the name of a thing: "that", "lessons".
_MEASURED: Final = re.compile(r"^(?:我的?|那[个只家]|这[个只家]|一[个只家])|(?:的?工作|课|这[个只]|的)$")
#: When a Chinese clause says that it happened.
_WHEN: Final = re.compile(
    r"(?:[上这]个?(?:周|星期|礼拜|月)末?|[昨今前]天|[今去前]年|最近|前几天|前阵子|后来|终于|[本年]月?初?)+(?=我)"
)
CONTENT: Final = re.compile(r"[a-z0-9][a-z0-9'.+#-]*[a-z0-9+#]|[a-z0-9]")
HAN: Final = re.compile(r"[\u4e00-\u9fff]+")
VALUES: Final = re.compile(r"\d+(?:[:.]\d+)*|[零一二三四五六七八九十两]+(?=[楼年点号月岁个班级层])")
_EMPTY_HAN: Final = re.compile(r"[我你他她它的了是在有不这那就都也和跟与吗呢吧啊很太要会说把被给]")
WEEKDAYS: Final = frozenset(map(stem_word, WEEKDAY_NAMES))
DATES: Final = WEEKDAYS | frozenset(map(stem_word, MONTH_NAMES))
_TIMES: Final = re.compile(
    rf"\b(?:{'|'.join(WEEKDAY_NAMES)})s?\b|\b\d{{1,2}}(?:[:.]\d\d)? ?(?:[ap]\.?m\b|o'clock)"
    r"|\b\d{1,2}[:.]\d\d\b|(?:周|星期|礼拜)[一二三四五六日天]|[\d一二三四五六七八九十两]{1,3}点(?:半|[\d一二三四五]刻)?"
)
#: Words that say that something is at another time now.
_MOVED: Final = re.compile(
    r"\b(?:now|moved|moves|changed|shifted|switched|instead|rescheduled|has|have|been|these days"
    r"|from now on|every|each)\b"
    r"|现在|如今|改|换|挪|调|到|成|了|每|以后|今后"
)
_TAIL: Final = re.compile(
    r" (?:at|in|on|over|this|today|yesterday|because|since|so|as|after|before|last|when|for|and|to|due"
    r"|until|of mine)\b.*"
)


@dataclass(frozen=True, slots=True)
class StateReading:
    """The states and changes of state that a text mentions.

    Attributes:
        states: The topics of which it says what is so, with the thing that it names for `own`.
        changes: The topics of which it says that something is newly so or over.
        over: The things that it says are over; gone, parted and tired likewise. An empty thing is unnamed.
        words: The stems of its content words; for Chinese, pairs of characters.
        turned: Whether a word says that something is otherwise now.
        times: The weekdays and times of day that it names.
        lasts: Whether it says what is so, and not what happened.
    """

    text: str
    clauses: tuple[str, ...]
    chinese: bool
    states: frozenset[str]
    changes: frozenset[str]
    over: tuple[frozenset[str], ...]
    gone: tuple[frozenset[str], ...]
    parted: tuple[frozenset[str], ...]
    tired: tuple[frozenset[str], ...]
    moved: tuple[frozenset[str], ...]
    words: frozenset[str]
    lasts: bool
    marked: bool
    also: bool
    opinion: bool
    taste: bool
    dislike: bool
    corrects: bool
    kin: str
    own: bool
    turned: bool
    times: frozenset[str]

    @property
    def may_change(self) -> bool:
        """Return whether the text may change what another one says."""
        return bool(
            self.changes or self.over or self.gone or self.parted or self.tired or self.moved or self.corrects
            or (self.marked and (self.states or self.taste or self.dislike or TABLES.only.search(self.text)))
            or (self.marked and self.times)
            or self.turned
            or any(is_exclusive(topic) for topic in self.states)
        )  # fmt: skip


def may_tell_of_change(text: str) -> bool:
    """Return whether a text may end or correct others; cheap for the many that cannot."""
    return len(text) <= LONGEST and _has_hint(text) and read_states(text).may_change


def _has_hint(text: str) -> bool:
    if not text.isascii() and TABLES.hint_chinese.search(text):
        return True
    words = frozenset(_WORD.findall(text.lower()))
    hints = words & TABLES.hint_words
    if not hints or (hints <= _STARTED and words.isdisjoint(_JOB)):
        return False
    if not words.isdisjoint(_PERSONS) or not words.isdisjoint(_GONE) or _TIMES.search(text.lower()):
        return True
    first = _STRANGER.match(text)
    return first is None or first.group().lower() in TABLES.hint_words or not words.isdisjoint(_PARTING)


def get_search_words(text: str) -> frozenset[str]:
    """Return substrings in lower case. Every text that this one may end or correct has one of them."""
    one = read_states(text)
    found: set[str] = set()
    for things in (*one.over, *one.gone, *one.parted, *one.tired, *one.moved):
        found |= things
    for topic in one.changes | {topic for topic in one.states if one.marked or is_exclusive(topic)}:
        found.update(TABLES.hints.get(topic.partition(":")[0], ()))
        found.add(topic.partition(":")[2])
    if one.parted:
        found.update(TABLES.hints["marital"])
    if one.corrects:
        found |= list_units(one)
    if one.marked or one.turned:
        found |= one.words
    # A stem need not occur in the word itself: "studi" is that of "study".
    stems = (word[:-1] if len(word) > _STEM and word[-1] in "ie" else word for word in found)
    return frozenset(word for word in stems if len(word) > 1 or HAN.match(word))


@lru_cache(maxsize=4096)
def read_states(text: str) -> StateReading:
    """Read what a text says of states. Only its first characters count."""
    clauses = tuple(split_clauses(text))
    whole = ", ".join(clauses)
    chinese = HAN.search(whole) is not None

    def things(name: str) -> tuple[frozenset[str], ...]:
        return tuple(_things_of(clauses, TABLES.phrases[name]))

    flags = {
        name: TABLES.words[name].occurs_in(whole)
        for name in ("marked", "also", "opinion", "taste", "dislike")
    }
    states = frozenset(_topics(clauses, state=True))
    return StateReading(
        text=whole, clauses=clauses, chinese=chinese,
        states=states,
        changes=frozenset(_topics(clauses, state=False)),
        over=things("over"), gone=things("gone"), parted=things("parted"), tired=things("tired"),
        moved=things("moved"),
        words=list_words(whole),
        lasts=not any(map(is_past, clauses[:1])),
        corrects=_ACTUALLY.match(text) is not None
        or any(TABLES.words["correction"].match(clause) for clause in clauses),
        kin=_find_kin(clauses),
        times=list_times(whole),
        turned=TABLES.words["turned"].occurs_in(text[:LONGEST].lower()),
        own=chinese or not states.isdisjoint(REQUESTED) or any(map(_is_own, clauses[:2])),
        **flags,
    )  # fmt: skip


def is_past(clause: str) -> bool:
    """Return whether a clause tells what happened."""
    return _PAST.match(clause) is not None


def _is_own(clause: str) -> bool:
    """Return whether a clause names its speaker, or says without a subject what they did: "Dropped yoga"."""
    if _OWN.search(clause):
        return True
    changes = (TABLES.phrases["over"], *(topic.change for topic in TABLES.topics))
    return any(patterns.match(clause) for patterns in changes)


def _find_kin(clauses: Sequence[str]) -> str:
    """Return the relative that the first clause is about, if any."""
    found = TABLES.words["kin"].match(clauses[0]) if clauses else None
    return next((group for group in found.groups() if group), "") if found else ""


def is_exclusive(topic: str) -> bool:
    return topic.partition(":")[0] in _EXCLUSIVE


def _topics(clauses: Sequence[str], *, state: bool) -> Iterator[str]:
    for clause in (_WHEN.sub("", clause, count=1) for clause in clauses):
        for topic in TABLES.topics:
            found = (topic.state if state else topic.change).match(clause)
            if found:
                yield _name_topic(topic, found)


def _name_topic(topic: Topic, found: re.Match[str]) -> str:
    groups = found.groupdict()
    thing = groups.get("of") or groups.get("of2")
    return f"{topic.name}:{thing}" if thing else topic.name


def _things_of(clauses: Sequence[str], patterns: Patterns) -> Iterator[frozenset[str]]:
    for clause in (_WHEN.sub("", clause, count=1) for clause in clauses):
        found = patterns.match(clause)
        if found:
            groups = found.groupdict()
            yield list_things(groups.get("of") or groups.get("of2") or "")


def list_things(named: str) -> frozenset[str]:
    """Return the stems, or the Chinese words, of a named thing."""
    if HAN.search(named):
        thing = _MEASURED.sub("", named.strip("《》「」“” ")) or named
        return frozenset(part for part in thing.split("的") if part) - _GENERIC
    words = list_words(_TAIL.sub("", f" {named}").strip())
    return words - _GENERIC


def list_words(text: str) -> frozenset[str]:
    words = {
        stem_word(word)
        for word in CONTENT.findall(text)
        if word not in STOP_WORDS and (len(word) > 1 or word.isdigit())
    }
    for run in HAN.findall(_EMPTY_HAN.sub(" ", text)):
        words.update(run[place : place + 2] for place in range(len(run) - 1))
    return frozenset(words)


def list_times(text: str) -> frozenset[str]:
    """Return the weekdays and the times of day of a text."""
    return frozenset(found.group() for found in _TIMES.finditer(text))


def list_timed(one: StateReading) -> frozenset[str]:
    """Return what a text says beside weekdays, times, and words of change: the stems or the characters."""
    text = _MOVED.sub(" ", _TIMES.sub(" ", one.text))
    han = frozenset("".join(HAN.findall(_EMPTY_HAN.sub("", text))))
    return han | list_words(re.sub(r"[\u4e00-\u9fff]", " ", text))


def list_units(one: StateReading) -> frozenset[str]:
    """Return the content words, or the Chinese characters, without values and words of correction."""
    text = VALUES.sub(" ", one.text)
    han = frozenset(_EMPTY_HAN.sub("", "".join(HAN.findall(text))))
    return han | (list_words(re.sub(r"[\u4e00-\u9fff]", " ", text)) - DATES)
