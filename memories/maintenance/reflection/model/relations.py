"""Inference by relations: two links in a row make a third.

If A is in B and B is in C, then A is in C; who lives in B lives in C. Nothing else is inferred, because what
merely seems likely is a guess. What a model infers must follow in the same way.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from memories.maintenance.reflection.conf import SENTENCE_CHARACTERS
from memories.maintenance.reflection.sources import get_content_terms
from memories.models import Memory
from memories.text import list_terms, make_name_key, normalise

#: The relations, each with its sentence in English and Chinese.
_DESCRIPTIONS: Final = {
    "located_in": ("{subject} is located in {object}.", "{subject}位于{object}。"),
    "part_of": ("{subject} is part of {object}.", "{subject}是{object}的一部分。"),
    "belongs_to": ("{subject} belongs to {object}.", "{subject}属于{object}。"),
    "depends_on": ("{subject} depends on {object}.", "{subject}依赖{object}。"),
    "older_than": ("{subject} is older than {object}.", "{subject}比{object}大。"),
    "comes_before": ("{subject} comes before {object}.", "{subject}在{object}之前。"),
    "lives_in": ("{subject} lives in {object}.", "{subject}住在{object}。"),
    "born_in": ("{subject} was born in {object}.", "{subject}出生于{object}。"),
    "works_at": ("{subject} works at {object}.", "{subject}在{object}工作。"),
    "works_in": ("{subject} works in {object}.", "{subject}在{object}工作。"),
}
#: The relation that follows from one relation and the next.
_FOLLOWS: Final = {
    **{(name, name): name for name in ("located_in", "part_of", "belongs_to", "depends_on", "older_than")},
    ("comes_before", "comes_before"): "comes_before",
    ("part_of", "located_in"): "located_in",
    ("lives_in", "located_in"): "lives_in",
    ("lives_in", "part_of"): "lives_in",
    ("born_in", "located_in"): "born_in",
    ("works_in", "located_in"): "works_in",
    ("works_at", "located_in"): "works_in",
    ("works_at", "part_of"): "works_at",
    ("works_at", "belongs_to"): "works_at",
}
#: Other spellings of these relations in triples.
_ALIASES: Final = {
    "located_in": "located_in", "is_located_in": "located_in", "is_in": "located_in", "lies_in": "located_in",
    "位于": "located_in", "坐落于": "located_in", "part_of": "part_of", "is_part_of": "part_of",
    "属于": "belongs_to", "belongs_to": "belongs_to", "depends_on": "depends_on", "依赖": "depends_on",
    "依赖于": "depends_on", "older_than": "older_than", "is_older_than": "older_than",
    "before": "comes_before", "comes_before": "comes_before", "precedes": "comes_before",
    "lives_in": "lives_in", "resides_in": "lives_in", "住在": "lives_in", "born_in": "born_in",
    "出生于": "born_in", "works_at": "works_at", "works_for": "works_at", "works_in": "works_in",
}  # fmt: skip
_NAME: Final = r"(?:[Tt]he user|(?:[Tt]he )?[A-Z][\w'’.-]*(?: (?:of |the |de )?[A-Z0-9][\w'’.-]*)*)"
_CN: Final = r"[\u4e00-\u9fffA-Za-z0-9]{1,12}?"
_SENTENCES: Final = (
    (
        re.compile(rf"^(?P<s>{_NAME}) (?:is|are|lies) (?:located |situated )?in (?P<o>{_NAME})\.?$"),
        "located_in",
    ),
    (re.compile(rf"^(?P<s>{_NAME}) is (?:a )?part of (?P<o>{_NAME})\.?$"), "part_of"),
    (re.compile(rf"^(?P<s>{_NAME}) belongs to (?P<o>{_NAME})\.?$"), "belongs_to"),
    (re.compile(rf"^(?P<s>{_NAME}) depends on (?P<o>{_NAME})\.?$"), "depends_on"),
    (re.compile(rf"^(?P<s>{_NAME}) is older than (?P<o>{_NAME})\.?$"), "older_than"),
    (re.compile(rf"^(?P<s>{_NAME}) (?:lives|resides|is living) in (?P<o>{_NAME})\.?$"), "lives_in"),
    (re.compile(rf"^(?P<s>{_NAME}) was born in (?P<o>{_NAME})\.?$"), "born_in"),
    (re.compile(rf"^(?P<s>{_NAME}) works (?:at|for) (?P<o>{_NAME})\.?$"), "works_at"),
    (re.compile(rf"^(?P<s>{_NAME}) works in (?P<o>{_NAME})\.?$"), "works_in"),
    (re.compile(rf"^(?P<s>{_CN})(?:住在|居住在)(?P<o>{_CN})[。.]?$"), "lives_in"),
    (re.compile(rf"^(?P<s>{_CN})出生[于在](?P<o>{_CN})[。.]?$"), "born_in"),
    (re.compile(rf"^(?P<s>{_CN})(?:位于|坐落于|坐落在)(?P<o>{_CN})[。.]?$"), "located_in"),
    (re.compile(rf"^(?P<s>{_CN})是(?P<o>{_CN})的一部分[。.]?$"), "part_of"),
    (re.compile(rf"^(?P<s>{_CN})属于(?P<o>{_CN})[。.]?$"), "belongs_to"),
    (re.compile(rf"^(?P<s>{_CN})依赖于?(?P<o>{_CN})[。.]?$"), "depends_on"),
)
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Link:
    """A relation that one memory states."""

    subject: str
    relation: str
    object: str
    memory: Memory


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A relation that two memories imply."""

    content: str
    subject: str
    relation: str
    object: str
    evidence: tuple[Memory, Memory]


def conclude(memories: Sequence[Memory]) -> list[Conclusion]:
    """Return the relations that follow from two memories and that none states, in order.

    A circular relation implies nothing, because one of its links must be wrong.
    """
    links = [link for memory in memories if (link := _link(memory)) is not None]
    stated = {_ends(link.relation, link.subject, link.object) for link in links}
    by_subject: dict[str, list[Link]] = defaultdict(list)
    for link in links:
        by_subject[make_name_key(link.subject)].append(link)
    found: dict[tuple[str, str, str], Conclusion] = {}
    for first in links:
        for second in by_subject[make_name_key(first.object)]:
            relation = _FOLLOWS.get((first.relation, second.relation))
            if relation is None or first.memory == second.memory:
                continue
            ends = _ends(relation, first.subject, second.object)
            if ends in stated or (ends[0], ends[2], ends[1]) in stated or ends[1] == ends[2]:
                continue
            found.setdefault(ends, _conclusion(relation, first, second))
    return list(found.values())


def follows(content: str, evidence: Sequence[Memory]) -> bool:
    """Return whether a text states a relation that follows from links in a row, one of each memory."""
    wanted = next(_read(content, _SENTENCES), None)
    links = [link for memory in evidence if (link := _link(memory)) is not None]
    if wanted is None or len(links) != len(evidence):
        return False
    implied = {_ends(link.relation, link.subject, link.object) for link in links}
    for _ in links:
        implied |= {
            (relation, first[1], second[2])
            for first in implied
            for second in implied
            if first[2] == second[1] and (relation := _FOLLOWS.get((first[0], second[0])))
        }
    return _ends(wanted[1], wanted[0], wanted[2]) in implied


def are_linked(evidence: Sequence[Memory]) -> bool:
    """Return whether each of the memories shares something with another, besides what both are about.

    "The user prefers short answers" and "The user lives near Garda" share only the user, so nothing follows
    from both.
    """
    terms = [get_content_terms(memory.content) - _subject_terms(memory) for memory in evidence]
    subjects = [_subject_terms(memory) for memory in evidence]
    joined = {
        place
        for one, other in combinations(range(len(evidence)), 2)
        if terms[one] & terms[other] or terms[one] & subjects[other] or subjects[one] & terms[other]
        for place in (one, other)
    }
    return len(joined) == len(evidence)


def _subject_terms(memory: Memory) -> frozenset[str]:
    """Return the terms of what a memory is about: the subject of its triple, else its first content word."""
    if memory.subject:
        return get_content_terms(memory.subject)
    content = get_content_terms(memory.content)
    return frozenset([term for term in list_terms(memory.content) if term in content][:1])


def _ends(relation: str, subject: str, thing: str) -> tuple[str, str, str]:
    return relation, make_name_key(subject), make_name_key(thing)


def _link(memory: Memory) -> Link | None:
    relation = _ALIASES.get(memory.predicate.strip().lower().replace(" ", "_"))
    if relation and memory.subject and memory.object:
        return Link(memory.subject, relation, memory.object, memory)
    if len(memory.content) > SENTENCE_CHARACTERS:
        return None
    found = next(_read(memory.content, _SENTENCES), None)
    return Link(found[0], found[1], found[2], memory) if found else None


def _read(text: str, sentences: Iterable[tuple[re.Pattern[str], str]]) -> Iterator[tuple[str, str, str]]:
    """Yield subject, relation and object of a sentence."""
    for pattern, relation in sentences:
        match = pattern.match(text.strip())
        if match:
            yield match["s"], relation, match["o"].rstrip(".")


def _conclusion(relation: str, first: Link, second: Link) -> Conclusion:
    chinese = bool(_CHINESE.search(first.subject + second.object))
    subject = first.subject
    if normalise(subject) in {"user", "the user", "用户"}:
        subject = "用户" if chinese else "The user"
    content = _DESCRIPTIONS[relation][chinese].format(subject=subject, object=second.object)
    return Conclusion(content, first.subject, relation, second.object, (first.memory, second.memory))
