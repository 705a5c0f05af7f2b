"""Find what a memory states about names: relations between them, and which two are the same.

The input is the triple and the text of the memory. Only plain statements count; questions, negations,
hypotheses and wishes state no relation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from memories.text.naming.keys import OWNER, make_name_key
from memories.text.naming.name_search import LETTER, LONGEST, find_names
from memories.text.naming.patterns import (
    ALIASES,
    ALIASES_EN,
    CANONICAL,
    IN_PARENTHESES,
    MARK,
    NOT_PLAIN,
    OWNER_PATTERNS,
    POSSESSED,
    RELATIONS,
    RELATIONS_EN,
    SENTENCES,
)
from memories.text.normalisation import in_form


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Predicate that says that two names are one entity.
SAME: Final = "also_known_as"
#: Predicates of triples that mean the same.
NAMING: Final = _words(
    "named is_named called is_called name has_name nickname nicknamed alias aka known_as also_known_as"
    " full_name first_name acronym abbreviation 名字 姓名 叫 名叫 别名 昵称 外号 绰号 小名 简称 又叫"
    " 又名 英文名 全名"
)
LONGEST_PREDICATE: Final = 64
_MOST_RELATIONS: Final = 12
_TOUCHES = re.compile(rf"{LETTER}|[⟦⟧]")


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """A relation between two names."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class StatementReading:
    """The names and relations of a memory.

    Attributes:
        names: All names of the memory, each key once.
        relations: Relations between these names.
    """

    names: tuple[str, ...]
    relations: tuple[StatedRelation, ...]


@lru_cache(maxsize=4096)  # a memory is read twice: for its terms and for its graph
def read_statement(
    content: str,
    *,
    subject: str = "",
    predicate: str = "",
    thing: str = "",
    named: tuple[str, ...] = (),
    statement: bool = True,
) -> StatementReading:
    """Return what a memory with this text and triple states. Takes about 50 µs for a sentence.

    Args:
        content: Text of the memory.
        subject: Subject of the triple.
        predicate: Predicate of the triple.
        thing: Object of the triple.
        named: Further names that its writer gave.
        statement: Whether the text is a statement. From any other text, such as a message, only the names are
            read.
    """
    if not content.isascii():
        content = in_form("NFKC", content)
    entity = _possessed(subject)[2] or subject
    given = [name for name in (entity, thing, *named) if name and make_name_key(name)]
    spotted = find_names(content)
    stated = list(_of_triple(subject, predicate, thing)) if subject else []
    if statement:
        markable = [name for name in (*given, *spotted) if not _possessed(name)[0]]
        stated += (one for one in _of_text(content, markable) if not _is_of_relative(one, subject, thing))
    relations = list(dict.fromkeys(one for one in stated if _has_two_ends(one)))[:_MOST_RELATIONS]
    names: dict[str, str] = {}
    for name in (*given, *spotted, *(end for one in relations for end in (one.subject, one.object))):
        names.setdefault(make_name_key(name), name)
    names.pop("", None)
    return StatementReading(tuple(names.values()), tuple(relations))


def _is_of_relative(one: StatedRelation, subject: str, thing: str) -> bool:
    """Return whether the triple says of the owner's relative or thing what a pattern says of the owner."""
    return bool(_possessed(subject)[0]) and (one.subject, one.object) == (OWNER, thing)


def _has_two_ends(one: StatedRelation) -> bool:
    ends = {make_name_key(one.subject), make_name_key(one.object)}
    return len(ends) == 2 and "" not in ends  # noqa: PLR2004 - two ends that differ


def _of_triple(subject: str, predicate: str, thing: str) -> Iterator[StatedRelation]:
    owner, noun, name = _possessed(subject)
    relation = _predicate(predicate)
    if owner and relation in NAMING and thing and not name:
        # A role is no alias: tomorrow the manager may be somebody else, and the two are different people.
        yield StatedRelation(owner, noun, thing)
        yield StatedRelation(subject, "named", thing)
        return
    entity = name or subject
    if owner:
        yield StatedRelation(owner, noun, entity)
    if entity and relation and thing:
        yield StatedRelation(entity, SAME if relation in NAMING else relation, thing)


@lru_cache(maxsize=4096)
def _possessed(subject: str) -> tuple[str, str, str]:
    """Split "user's sister Anna" into user, sister, Anna; empty strings if there is no possessive."""
    if not subject:
        return "", "", ""
    for shape in POSSESSED:
        found = shape.fullmatch(subject)
        if found:
            return found["owner"], _predicate(found["noun"]), (found["name"] or "").strip()
    return "", "", ""


def _of_text(content: str, names: list[str]) -> Iterator[StatedRelation]:
    plain = {name for name in names if make_name_key(name) != OWNER and not MARK.search(name)}
    longest_first = sorted(plain, key=len, reverse=True)
    for sentence in SENTENCES.split(content[:LONGEST]):
        marked, numbered_names = _marked(sentence, longest_first)
        if marked.count("⟦") > 1 and not NOT_PLAIN.search(sentence):  # every pattern has two names
            english = sentence.isascii()
            same = list(_aliases(marked, numbered_names, ALIASES_EN if english else ALIASES))
            yield from same
            related = _relations(marked, numbered_names, RELATIONS_EN if english else RELATIONS)
            yield from (one for one in related if not _among(one, same))


def _among(one: StatedRelation, others: list[StatedRelation]) -> bool:
    return any({one.subject, one.object} == {other.subject, other.object} for other in others)


def _marked(sentence: str, names: list[str]) -> tuple[str, list[str]]:
    """Replace names by ⟦number⟧, and return the sentence and the names by number. Number 0 is the owner.

    `names` must be sorted by length, longest first.
    """
    numbered_names = [OWNER]
    if not sentence.isascii():
        sentence = MARK.sub("", sentence)
    for name in names:
        marked = _replaced(sentence, name, f"⟦{len(numbered_names)}⟧") if name in sentence else sentence
        if marked != sentence:
            sentence = marked
            numbered_names.append(name)
    for roots, pattern, mark in OWNER_PATTERNS:
        for root in roots:
            if root in sentence:
                sentence = pattern.sub(mark, sentence)
                break
    return sentence, numbered_names


def _replaced(sentence: str, name: str, mark: str) -> str:
    """Replace every whole occurrence of a name by a mark.

    Without regular expressions: compiling one for each name took most of the time.
    """
    parts, begin = [], 0
    while (at := sentence.find(name, begin)) >= 0:
        end = at + len(name)
        whole = not name.isascii() or not (
            _TOUCHES.match(sentence[at - 1 : at]) or _TOUCHES.match(sentence[end : end + 1])
        )
        parts += [sentence[begin:at], mark if whole else name]
        begin = end
    return "".join([*parts, sentence[begin:]])


def _aliases(marked: str, names: list[str], shapes: Sequence[re.Pattern[str]]) -> Iterator[StatedRelation]:
    for shape in shapes:
        for found in shape.finditer(marked):
            yield StatedRelation(names[int(found["a"])], SAME, names[int(found["b"])])
    for found in IN_PARENTHESES.finditer(marked):
        whole, short = names[int(found["a"])], names[int(found["b"])]
        if _is_acronym(short, whole):
            yield StatedRelation(whole, SAME, short)


def _is_acronym(short: str, whole: str) -> bool:
    """Return whether a name is the acronym of another, such as MS of Memory Service.

    For a Chinese name, any Latin capitals in the parentheses after it count.
    """
    if not (short.isascii() and short.isupper() and len(short) > 1):
        return False
    initials = "".join(word[0] for word in re.split(r"[\s-]+", whole) if word[0].isupper())
    return short.upper() == initials.upper() or not whole.isascii()


def _relations(
    marked: str, names: list[str], shapes: Sequence[tuple[re.Pattern[str], bool]]
) -> Iterator[StatedRelation]:
    for shape, turned in shapes:
        for found in shape.finditer(marked):
            ends = names[int(found["a"])], names[int(found["b"])]
            predicate = _predicate(found["p"])
            if predicate and predicate not in NAMING:
                yield StatedRelation(ends[turned], predicate, ends[not turned])


@lru_cache(maxsize=4096)
def _predicate(text: str) -> str:
    words = re.sub(r"\s+", "_", text.strip().lower()).removesuffix("了").removesuffix("_the")
    return CANONICAL.get(words, words)[:LONGEST_PREDICATE]
