"""Decide from two texts whether the newer one ends, or corrects, what the older one states.

"I cycle to work these days" ends "I take the bus to work", because a person has one way to work; "I gave up
the piano" ends "I'm learning the piano on Mondays"; "No wait, it's on 5 May" corrects "The exam is on 4 May".
Only clear words count: a memory that ended wrongly is worse than an old one beside a new one. The words are
data, in `states.toml`. Pure.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Final

from memories.text import STOP_WORDS, stem_word
from memories.writing.changes.readings import (
    CONTENT,
    DATES,
    HAN,
    REQUESTED,
    VALUES,
    WEEKDAYS,
    StateReading,
    is_exclusive,
    list_things,
    list_timed,
    list_units,
    read_states,
)
from memories.writing.changes.relations import is_limited
from memories.writing.changes.state_tables import TABLES
from memories.writing.changes.subjects import ends_subject


class Change(StrEnum):
    """The effect of a newer text on an older one."""

    NONE = ""
    ENDS = "ends"
    CORRECTS = "corrects"


_HELD: Final = re.compile(
    r"\b(?:have|has|got|keep|keeps|own|owns|my|our|use|uses|using|drive|drives|ride|rides)\b"
    r"|\b(?:in|on|with) an?\b|\bmember\b|在上|在学|参加|养|有|叫|我家|我的|用|开|骑"
)
_PARTNER: Final = re.compile(
    r"\b(?:girlfriend|boyfriend|partner|wife|husband|fianc[eé]e?|spouse|dating|seeing|engaged|married"
    r"|going out)\b"
    r"|女朋友|男朋友|女友|男友|老婆|老公|妻子|丈夫|对象|未婚[妻夫]|恋爱|异地恋|订婚|结婚|在一起"
)
#: Least number of characters of a word that distinguishes two kinds of a thing.
_SHORTEST: Final = 3
#: Least number of characters of a stem of which other words are made.
_LONG_STEM: Final = 4
#: The share of the words of the older text that a correction repeats.
_REPEATED: Final = 0.4
#: The common beginning of a statement and its correction: a subject and a verb or place.
_FRAME: Final = re.compile(
    r"\w+ (?:is|are|was|were|lives?|works?|starts?|comes?|has|have|am|in|at|on)(?: (?:in|at|on|the|an?"
    r"|for))? "
    r"|.[在是叫住姓]|..有"
)


#: A clause that names something of the speaker's.
_CALLED: Final = re.compile(
    r"(?:(?:my|our|the) )?(?P<of>[a-z][a-z ]{1,30}?)(?:'s)? (?:name is|is called|is named|are called) "
    r"(?P<name>[^,]{1,40})"
    r"|(?:我们?的?)?(?P<of2>[^，的是叫姓我]{1,8}?)的?(?:名字)?(?:其实|应该)?(?:姓|名叫|叫做?)(?P<name2>[^，]{1,12})"
)
#: A clause of which the subject is a thing that has a time.
_PLACED: Final = re.compile(r"(?:my|our|the) [a-z ]{2,30}? (?:is|are|starts?|moved|has moved|have moved)\b")
#: Whose a thing is, at the beginning of a clause.
_WHOSE: Final = re.compile(r"^(?:my |our |the |我们?的?)")


def find_change(newer: str, older: str) -> Change:
    """Return whether the newer text ends or corrects the statement of the older one."""
    new, old = read_states(newer), read_states(older)
    if new.text == old.text or not new.may_change:
        return Change.NONE
    if new.corrects and _corrects(new, old):
        return Change.CORRECTS
    if _ends_gone(new, old) or _ends_couple(new, old):
        return Change.ENDS
    alike = new.kin == old.kin and old.own
    rules = (_ends_topic, _ends_thing, _ends_taste, _takes_place, _reschedules, ends_subject)
    return Change.ENDS if alike and any(ends(new, old) for ends in rules) else Change.NONE


def gives_up(newer: str, older: str) -> bool:
    """Return whether the newer text says in so many words that what the older one names is over."""
    new, old = read_states(newer), read_states(older)
    return bool(new.over) and new.kin == old.kin and old.own and _ends_thing(new, old)


def _names(old: StateReading, things: frozenset[str]) -> bool:
    """Return whether a text names all of the things."""
    if not things:
        return False
    return all((one in old.text) if HAN.match(one) else _has_word(old, one) for one in things)


def _has_word(old: StateReading, stem: str) -> bool:
    """Return whether a text has a word of this stem, or one made from a long stem: "smoker" of "smok"."""
    if stem in old.words:
        return True
    return len(stem) >= _LONG_STEM and any(word in {f"{stem}er", f"{stem}ing"} for word in old.words)


def _is_new(new: StateReading) -> bool:
    return new.marked and not new.also


def _ends_topic(new: StateReading, old: StateReading) -> bool:
    stated = old.states | old.changes
    if not old.lasts and not old.changes:
        return False
    if "marital" in stated and "marital" in (new.states | new.changes):
        return _status(new) != _status(old) and bool(_status(new) and _status(old))
    if new.changes & stated - {"marital"}:
        return not (new.also and not new.changes & old.states)
    shared = new.states & stated - {"marital"}
    if any(map(is_exclusive, shared)):
        alike = shared.isdisjoint(REQUESTED) or is_limited(new.text) == is_limited(old.text)
        return alike and not new.also
    return bool(shared) and _is_new(new)


@lru_cache(maxsize=512)
def _status_of(text: str) -> str:
    order = ("single", "divorced", "engaged", "married", "dating")  # "no girlfriend" names one, too
    return next((name for name in order if TABLES.words[name].occurs_in(text)), "")


def _status(one: StateReading) -> str:
    topic = next(topic for topic in TABLES.topics if topic.name == "marital")
    own = [clause for clause in one.clauses if topic.state.match(clause) or topic.change.match(clause)]
    return next((status for clause in own if (status := _status_of(clause))), "")


def _ends_gone(new: StateReading, old: StateReading) -> bool:
    if old.opinion or not old.lasts or old.gone:
        return False
    return _HELD.search(old.text) is not None and any(_names(old, things) for things in new.gone)


def _ends_thing(new: StateReading, old: StateReading) -> bool:
    if old.opinion or not old.lasts:
        return False
    if old.over and not (old.marked or old.changes):
        return False
    held = not (old.taste or old.dislike)
    return held and any(_names(old, things) and things not in old.over for things in new.over)


def _ends_couple(new: StateReading, old: StateReading) -> bool:
    if not new.parted or old.parted or _PARTNER.search(old.text) is None:
        return False
    return any(not things or _names(old, things) for things in new.parted)


def _ends_taste(new: StateReading, old: StateReading) -> bool:
    if not (old.taste or old.dislike):
        return False
    if any(_names(old, things) for things in new.tired):
        return old.taste
    if not _is_new(new):
        return False
    if (new.dislike or new.taste) and new.dislike != old.dislike:
        return bool(_liked(new) & _liked(old))
    if TABLES.only.search(new.text) and old.taste:
        return bool(new.words & old.words)
    return TABLES.words["firm"].occurs_in(new.text) and _contrast(new, old)


_LIKED: Final = re.compile(
    r"\b(?:like|likes|love|loves|enjoy|enjoys|adore|adores|stand|bear|hate|hates|dislike|dislikes|eat|drink)"
    r" (?:the |some |a |to )?(?P<of>[a-z' -]{2,40}?)(?= (?:now|any ?more|these|since|at|in|on|when|but"
    r"|because)|[,.]|$)"
    r"|(?:喜欢(?:上了?)?|爱(?:上了?)?|讨厌|受不了|不吃|不喝|吃不惯)(?:吃|喝|看|听|玩)?(?P<of2>[^，了]{1,8})"
)


def _liked(one: StateReading) -> frozenset[str]:
    found = (next(group for group in match.groups() if group) for match in _LIKED.finditer(one.text))
    return frozenset(" ".join(sorted(list_things(thing.removesuffix(" now")))) for thing in found) - {""}


def _contrast(new: StateReading, old: StateReading) -> bool:
    """Return whether the two name different sorts of one thing: "light roasts" and "a dark roast"."""
    mine, theirs = (_sorts(one) for one in (new, old))
    return any(head in theirs and not (sorts & theirs[head]) for head, sorts in mine.items())


def _sorts(one: StateReading) -> dict[str, set[str]]:
    """Return the words before each noun of a text: dark, of "a dark roast"."""
    found: dict[str, set[str]] = {}
    for how, head in pairwise(CONTENT.findall(one.text)):
        if min(len(how), len(head)) >= _SHORTEST and not {how, head} & STOP_WORDS:
            found.setdefault(stem_word(head), set()).add(stem_word(how))
    return found


def _takes_place(new: StateReading, old: StateReading) -> bool:
    """Return whether the newer text names a replacement for the older one's thing, for one purpose."""
    if not old.lasts or old.opinion or new.also:
        return False
    if any(_names(old, things) for things in new.moved):
        return True
    if is_limited(new.text) or is_limited(old.text):
        return False
    return any(
        moved.search(new.text) and named.search(old.text) and not moved.search(old.text)
        for moved, named in TABLES.alternatives
    )


def _reschedules(new: StateReading, old: StateReading) -> bool:
    """Return whether the newer text names another time, and nothing else, for what the older one tells."""
    if not (_is_new(new) and old.lasts) or old.opinion or not (new.times and old.times):
        return False
    mine = list_timed(new)
    enough = len(mine) > 1 or (bool(mine) and _PLACED.match(new.clauses[0]) is not None)
    return new.times.isdisjoint(old.times) and enough and mine <= list_timed(old)


def measure_repetition(newer: str, older: str) -> float:
    """Return the share of the older text's content, without its values, that the newer one repeats."""
    mine, theirs = (list_units(read_states(text)) for text in (newer, older))
    return len(mine & theirs) / len(theirs) if theirs else 0.0


def _corrects(new: StateReading, old: StateReading) -> bool:
    """Return whether a correction repeats enough of the other text and names another value in its place."""
    if old.corrects and new.words == old.words:
        return False
    mine, theirs = list_units(new), list_units(old)
    if _names_otherwise(new, old):
        return True
    if not theirs or len(mine & theirs) < _REPEATED * len(theirs):
        return False
    return _has_other_value(new, old) or _names_the_wrong(new, old) or _begins_alike(new, old)


def _names_otherwise(new: StateReading, old: StateReading) -> bool:
    """Return whether both name one thing or person of the speaker's, by different names."""
    mine, theirs = (_names_given(one) for one in (new, old))
    return any(thing in theirs and theirs[thing] != name for thing, name in mine.items())


def _names_given(one: StateReading) -> dict[str, str]:
    """Return the names that a text gives to things: "my dentist is called Dr Hall"."""
    found = (match for clause in one.clauses if (match := _CALLED.fullmatch(clause)))
    return {(match["of"] or match["of2"]): (match["name"] or match["name2"]) for match in found}


def _values_of(one: StateReading) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for value in VALUES.findall(one.text):
        found.setdefault("number", set()).add(value)
    for word in one.words & DATES:
        found.setdefault("weekday" if word in WEEKDAYS else "month", set()).add(word)
    return found


def _has_other_value(new: StateReading, old: StateReading) -> bool:
    mine, theirs = _values_of(new), _values_of(old)
    return any(sort in theirs and bool(mine[sort] - theirs[sort]) for sort in mine)


def _names_the_wrong(new: StateReading, old: StateReading) -> bool:
    """Return whether the correction names what was wrong: "not Bath", "ibuprofen is fine"."""
    wrong = TABLES.words["wrong"]
    found = (match for pattern in (*wrong.english, *wrong.chinese) for match in pattern.finditer(new.text))
    return any(_names(old, list_things(match.group(1))) for match in found)


def _begins_alike(new: StateReading, old: StateReading) -> bool:
    """Return whether a clause of the correction begins as the other text does, and ends otherwise."""
    theirs = _WHOSE.sub("", old.clauses[0].replace("是在", "在").replace("今年", ""))
    for clause in new.clauses:
        mine = _WHOSE.sub("", clause.replace("是在", "在"))
        end = next(
            (n for n, (x, y) in enumerate(zip(mine, theirs, strict=False)) if x != y),
            min(len(mine), len(theirs)),
        )
        same = mine[:end]
        if _FRAME.search(same if HAN.search(same) else same.rpartition(" ")[0] + " "):
            return True
    return False
