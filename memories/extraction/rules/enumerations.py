"""Split a statement that enumerates several things into one statement for each."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from memories.extraction.prose import ExtractedStatement
from memories.extraction.tables import read_table

#: Characters. A longer statement is no plain enumeration.
LONGEST: Final = 300
_MOST_ITEMS: Final = 10
#: Predicates of which each thing is true by itself.
_SEVERAL: Final = frozenset(
    {"likes", "dislikes", "prefers", "avoids", "consumes", "uses", "owns", "has", "plays", "speaks"}
    | {"allergic_to", "has_condition"}
)
_DENYING: Final = frozenset({"avoids", "dislikes"})
_TABLE: Final = read_table(
    Path(__file__).with_suffix(".toml"), ("determiners", "others", "adjectives", "pairs")
)
#: What one says that is preferred to another thing is not an enumeration.
_COMPARED: Final = re.compile(
    r"\b(?:over|than|rather|instead|to)\b|而不是|胜过|优于|多于|不如|大于", re.IGNORECASE
)
_WORD: Final = rf"(?!(?:{_TABLE.any_of('others')})\b)\w[\w'.+#-]*"
_ITEM: Final = re.compile(
    rf"(?:(?P<determiner>{_TABLE.any_of('determiners')})\s)?(?P<thing>{_WORD}(?:\s{_WORD}){{0,3}})",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"\s*,\s*(?:(?:and|or|nor|&)\s+)?|\s+(?:and|or|nor|&)\s+", re.IGNORECASE)
_CHOICE: Final = re.compile(r"\b(?:or|nor)\b", re.IGNORECASE)
_JOINED: Final = re.compile(r"\b(?:and|or|nor)\b|&", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"^(?:an?|the|some)\s", re.IGNORECASE)
_ADJECTIVE: Final = re.compile(_TABLE.any_of("adjectives"), re.IGNORECASE)
_PAIR: Final = re.compile(_TABLE.any_of("pairs"), re.IGNORECASE)
_BETWEEN_ZH: Final = re.compile(
    r"\s*、\s*(?:以及|还有|和)?\s*|\s*(?:以及|(?<![温柔平缓饱调共暖祥随谦总附])和(?![平服牛弦尚田谐风睦声气蔼善解好])"
    r"|(?<!参)与(?!其|会))\s*|\s*(?P<either>或者?)\s*"
)
_ITEM_ZH: Final = re.compile(r"(?!.*(?:一下|而|但|因为|如果|叫|时候|所以|一起))[\w.+#\- ]{1,12}")
_TAIL_ZH: Final = re.compile(r"\s?(?:、|以及|和|与|或)[^，,。；;!！?？（）()：:]{1,60}(?=。|$)")


def split_enumeration(statement: ExtractedStatement, *, chinese: bool) -> list[ExtractedStatement]:
    """Return a statement for each thing that a statement enumerates, else the statement itself.

    "A dog and two cats" are two things. Fixed pairs ("mac and cheese"), and words that may go with one noun
    ("red and white wine"), are not split.
    """
    whole = [statement]
    content, thing = statement.content, statement.object
    start = content.find(thing) if thing else -1
    may_be = statement.predicate in _SEVERAL and not statement.single_valued and not statement.correction
    if not may_be or start < 0 or len(content) > LONGEST:
        return whole
    phrase = _find_phrase_zh(content, thing) if chinese else content[start:].rstrip(".! ")
    denies = statement.predicate in _DENYING
    items = _list_items_zh(phrase, denies=denies) if chinese else _list_items(phrase, denies=denies)
    if not 1 < len(items) <= _MOST_ITEMS or (statement.predicate == "prefers" and _COMPARED.search(phrase)):
        return whole
    before, after = content[:start], content[start + len(phrase) :]
    keeps_number = statement.predicate in {"has", "owns"}
    return [
        replace(
            statement,
            content=f"{before}{item}{after}",
            object=item if chinese or keeps_number else _ARTICLE.sub("", item),
        )
        for item in items
    ]


def _list_items(phrase: str, *, denies: bool) -> list[str]:
    """Return the things of an English enumeration; none if it may be something else."""
    if _PAIR.fullmatch(phrase):
        return []
    marks = list(_BETWEEN.finditer(phrase))
    if not marks or not _JOINED.search(marks[-1].group()):
        return []
    if not denies and any(_CHOICE.search(mark.group()) for mark in marks):
        return []
    texts = _cut(phrase, marks)
    read = [_ITEM.fullmatch(text) for text in texts]
    found = [one for one in read if one]
    if len(found) < len(texts) or _share_noun(found) or _names_first(found):
        return []
    return texts


def _share_noun(items: list[re.Match[str]]) -> bool:
    """Return whether the first words may go with the noun of the last: "a black and white cat"."""
    *first, last = items
    article = any((one["determiner"] or "").lower() in {"a", "an", "the"} for one in first)
    if article and not last["determiner"] and not last["thing"].endswith("s"):
        return True
    return " " in last["thing"] and all(_ADJECTIVE.fullmatch(one["thing"]) for one in first)


def _names_first(items: list[re.Match[str]]) -> bool:
    """Return whether the things after the first are its names: "two brothers, Sven and Lars"."""
    first, *others = items
    return bool(first["determiner"]) and all(
        one["thing"][0].isupper() and not one["determiner"] for one in others
    )


def _find_phrase_zh(content: str, thing: str) -> str:
    """Return the object of a Chinese statement with what the object leaves out of an enumeration."""
    start = content.find(thing)
    more = _TAIL_ZH.match(content, start + len(thing))
    return thing + more.group() if more else thing


def _list_items_zh(phrase: str, *, denies: bool) -> list[str]:
    """Return the things of a Chinese enumeration; none if it may be something else."""
    marks = list(_BETWEEN_ZH.finditer(phrase))
    if not marks or (not denies and any(mark["either"] for mark in marks)):
        return []
    texts = _cut(phrase, marks)
    if not all(_ITEM_ZH.fullmatch(text) for text in texts):
        return []
    # "简洁的回答和例子": what stands before 的 may belong to all.
    return [] if "的" in texts[0] and "的" not in texts[-1] else texts


def _cut(phrase: str, marks: list[re.Match[str]]) -> list[str]:
    ends = [0, *(mark.end() for mark in marks)]
    starts = [*(mark.start() for mark in marks), len(phrase)]
    return [phrase[begin:end].strip() for begin, end in zip(ends, starts, strict=True)]
