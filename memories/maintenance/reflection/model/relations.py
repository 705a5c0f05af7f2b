"""Inference with rules: transitive relations.

If A is in B and B is in C, then A is in C. The rules infer nothing else, because anything that merely seems
likely is a guess.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memories.maintenance.reflection.conf import SENTENCE_CHARACTERS
from memories.models import Memory
from memories.text import normalise

#: Transitive relations, each with its sentence in English and Chinese.
_TOLD: Final = {
    "located_in": ("{subject} is located in {object}.", "{subject}位于{object}。"),
    "part_of": ("{subject} is part of {object}.", "{subject}是{object}的一部分。"),
    "belongs_to": ("{subject} belongs to {object}.", "{subject}属于{object}。"),
    "depends_on": ("{subject} depends on {object}.", "{subject}依赖{object}。"),
    "older_than": ("{subject} is older than {object}.", "{subject}比{object}大。"),
    "comes_before": ("{subject} comes before {object}.", "{subject}在{object}之前。"),
}
#: Other spellings of these relations in triples.
_ALIASES: Final = {
    "located_in": "located_in", "is_located_in": "located_in", "is_in": "located_in", "lies_in": "located_in",
    "位于": "located_in", "坐落于": "located_in", "part_of": "part_of", "is_part_of": "part_of",
    "属于": "belongs_to", "belongs_to": "belongs_to", "depends_on": "depends_on", "依赖": "depends_on",
    "依赖于": "depends_on", "older_than": "older_than", "is_older_than": "older_than",
    "before": "comes_before", "comes_before": "comes_before", "precedes": "comes_before",
}  # fmt: skip
_NAME: Final = r"(?:[Tt]he )?[A-Z][\w'’.-]*(?: (?:of |the |de )?[A-Z0-9][\w'’.-]*)*"
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
    by_subject: dict[tuple[str, str], list[Link]] = defaultdict(list)
    for link in links:
        by_subject[link.relation, normalise(link.subject)].append(link)
    found: dict[tuple[str, str, str], Conclusion] = {}
    for first in links:
        for second in by_subject[first.relation, normalise(first.object)]:
            ends = _ends(first.relation, first.subject, second.object)
            backwards = (ends[0], ends[2], ends[1])
            if ends in stated or backwards in stated or ends[1] == ends[2] or first.memory == second.memory:
                continue
            found.setdefault(ends, _conclusion(first, second))
    return list(found.values())


def _ends(relation: str, subject: str, thing: str) -> tuple[str, str, str]:
    return relation, normalise(subject), normalise(thing)


def _link(memory: Memory) -> Link | None:
    relation = _ALIASES.get(memory.predicate.strip().lower().replace(" ", "_"))
    if relation and memory.subject and memory.object:
        return Link(memory.subject, relation, memory.object, memory)
    if len(memory.content) > SENTENCE_CHARACTERS:
        return None
    return next(_read(memory, _SENTENCES), None)


def _read(memory: Memory, sentences: Iterable[tuple[re.Pattern[str], str]]) -> Iterator[Link]:
    for pattern, relation in sentences:
        match = pattern.match(memory.content.strip())
        if match:
            yield Link(match["s"], relation, match["o"].rstrip("."), memory)


def _conclusion(first: Link, second: Link) -> Conclusion:
    chinese = bool(_CHINESE.search(first.subject + second.object))
    content = _TOLD[first.relation][chinese].format(subject=first.subject, object=second.object)
    return Conclusion(content, first.subject, first.relation, second.object, (first.memory, second.memory))
