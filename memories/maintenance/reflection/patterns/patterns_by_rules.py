"""Find patterns with rules: what the user likes, uses, avoids or does regularly."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from memories.conf import REFLECTION
from memories.extraction import is_chinese
from memories.maintenance.reflection.conf import LEAST_DAYS, MOST_PATTERNS, SENTENCE_CHARACTERS
from memories.maintenance.reflection.patterns import stances_chinese, stances_english
from memories.maintenance.reflection.patterns.pattern_text import (
    choose_manner,
    render_pattern,
    render_weekday,
)
from memories.maintenance.reflection.patterns.stance import Stance
from memories.maintenance.reflection.proposals import ProposedMemory, make_reference
from memories.maintenance.reflection.sources import (
    Origins,
    compute_confidence,
    compute_strength,
    count_occurrences,
    get_content_terms,
    is_pattern,
    split_facts,
)
from memories.models import Memory
from memories.values import AbstractionLevel, Candidate, Kind, Layer, Writer


def find_stances(text: str, names: frozenset[str]) -> list[Stance]:
    """Return the stances of the owner in the sentences of a memory.

    Questions, hypotheses and sentences about anybody else give none.

    Args:
        text: Text of the memory.
        names: Names of the owner, in lower case.
    """
    found: list[Stance] = []
    for fact in split_facts(text):
        sentence = " ".join(fact.split())
        if len(sentence) > SENTENCE_CHARACTERS:
            continue
        reader = stances_chinese if is_chinese(sentence) else stances_english
        found += reader.read_stances(sentence, names)
    return found


Key = tuple[tuple[str, ...], str, bool]
_DEEPER_FROM: Final = 4  # occurrences from which a pattern counts as more than shallow
#: Words that identify the category of a pattern. The first category with a match applies.
_CATEGORIES: Final[dict[str, re.Pattern[str]]] = {
    "coding_style": re.compile(
        r"\b(?:cod(?:e|es|ing)|tabs?|spaces?|indent\w*|type hints?|tests?|functions?|comments?|naming"
        r"|commits?|refactor\w*|lint\w*|pull requests?)\b|代码|缩进|制表符|注释|测试|函数|变量|提交|重构",
        re.IGNORECASE,
    ),
    "communication": re.compile(
        r"\b(?:answers?|repl(?:y|ies)|explanations?|tone|emails?|messages?|bullet points|summary|summaries"
        r"|emojis?|meetings?|calls?)\b|回答|回复|解释|语气|邮件|消息|会议|开会|总结|表情",
        re.IGNORECASE,
    ),
    "tool_usage": re.compile(r"\buses?\b|常用|不用", re.IGNORECASE),
}


@dataclass(slots=True)
class _Matter:
    """The stances on one thing, positive and negative, with their memories."""

    general: bool
    stances: dict[bool, list[Stance]] = field(default_factory=lambda: defaultdict(list))
    memories: dict[bool, dict[UUID, Memory]] = field(default_factory=lambda: defaultdict(dict))


def find_patterns(
    memories: Sequence[Memory],
    episodes: Sequence[Memory],
    origins: Origins,
    *,
    names: frozenset[str],
    active: Mapping[str, str],
) -> list[ProposedMemory]:
    """Find patterns in at least two memories with confidence 0.8 or more, most frequent first, at most 20.

    Args:
        memories: Memories to search.
        episodes: Events, for habits of a weekday.
        origins: Source references of each memory.
        names: Names of the owner.
        active: Content of known patterns by key, so that a pattern found again keeps its wording.
    """
    found = [
        finding
        for key, matter in _matters(memories, names).items()
        if (finding := _pattern(key, matter, origins, active)) is not None
    ]
    found += _weekdays(episodes)
    found.sort(key=lambda finding: (-finding.occurrences, -len(finding.candidate.content)))
    return _without_repetitions(found)[:MOST_PATTERNS]


def _matters(memories: Sequence[Memory], names: frozenset[str]) -> dict[Key, _Matter]:
    matters: dict[Key, _Matter] = {}
    for memory in memories:
        for stance in find_stances(memory.content, names):
            _note(matters, (stance.key, stance.when, False), stance, memory)
            if stance.general and not stance.when:
                _note(matters, (stance.general, "", True), stance, memory)
    return {key: _with_fuller(key, matters) for key in matters}


def _with_fuller(key: Key, matters: Mapping[Key, _Matter]) -> _Matter:
    """Add more specific stances to a matter.

    "Python with type hints" also counts for "Python", and "running on Mondays with Bob" for "running on
    Mondays".
    """
    words, when, general = key
    if when:
        others = [other for other in matters if other[1] == when and set(other[0]) >= set(words)]
    else:
        others = [key, (words, "", False)] if general else [key]
    joined = _Matter(general=general)
    for matter in (matters[other] for other in dict.fromkeys(others) if other in matters):
        for positive in (True, False):
            joined.stances[positive] += matter.stances[positive]
            joined.memories[positive] |= matter.memories[positive]
    return joined


def _note(matters: dict[Key, _Matter], key: Key, stance: Stance, memory: Memory) -> None:
    matter = matters.setdefault(key, _Matter(general=key[2]))
    matter.stances[stance.positive].append(stance)
    matter.memories[stance.positive][memory.pk] = memory


def _pattern(key: Key, matter: _Matter, origins: Origins, active: Mapping[str, str]) -> ProposedMemory | None:
    positive = len(matter.memories[True]) >= len(matter.memories[False])
    evidence = list(matter.memories[positive].values())
    contrary = [
        row for row in matter.memories[not positive].values() if row.pk not in matter.memories[positive]
    ]
    shown, against = count_occurrences(evidence, origins), count_occurrences(contrary, origins)
    sure = compute_confidence(shown, against)
    if not is_pattern(shown, sure):
        return None
    stances = matter.stances[positive]
    name = "|".join([" ".join(key[0]), key[1], "for" if positive else "against"])
    content = active.get(name) or render_pattern(stances, general=matter.general)
    deeper = matter.general or shown >= _DEEPER_FROM
    return _finding(
        content,
        Kind.PREFERENCE if choose_manner(stances) in {"prefer", "like", "want"} else Kind.HABIT,
        evidence,
        shown,
        sure,
        level=AbstractionLevel.INTERMEDIATE if deeper else AbstractionLevel.SHALLOW,
        name=name,
    )


def _weekdays(episodes: Sequence[Memory]) -> list[ProposedMemory]:
    """Return events that recur on a weekday: on at least three days and at least four times out of five."""
    by_words: dict[frozenset[str], list[Memory]] = defaultdict(list)
    for episode in episodes:
        first = next(iter(split_facts(episode.content)), "")
        terms = frozenset(term for term in get_content_terms(first) if not term.isdigit())
        if episode.occurred_at is not None and terms:
            by_words[terms].append(episode)
    return [finding for rows in by_words.values() if (finding := _weekday(rows)) is not None]


def _weekday(episodes: Sequence[Memory]) -> ProposedMemory | None:
    at = {row.pk: row.occurred_at for row in episodes if row.occurred_at is not None}
    weekday, _ = Counter(moment.weekday() for moment in at.values()).most_common(1)[0]
    evidence = [row for row in episodes if at[row.pk].weekday() == weekday]
    days = {at[row.pk].date() for row in evidence}
    sure = compute_confidence(len(days), len({moment.date() for moment in at.values()}) - len(days))
    if len(days) < LEAST_DAYS or sure < REFLECTION.pattern_confidence:
        return None
    shortest = min((split_facts(row.content)[0] for row in evidence), key=lambda text: (len(text), text))
    content = render_weekday(shortest, weekday, chinese=is_chinese(shortest))
    return _finding(content, Kind.HABIT, evidence, len(days), sure, level=AbstractionLevel.SHALLOW, name="")


def _finding(
    content: str,
    kind: Kind,
    evidence: Sequence[Memory],
    shown: int,
    sure: float,
    *,
    level: AbstractionLevel,
    name: str,
) -> ProposedMemory:
    ids = sorted(row.pk for row in evidence)
    return ProposedMemory(
        Candidate(
            content=content,
            layer=Layer.PROCEDURAL,
            kind=kind,
            category=choose_category(content, evidence),
            confidence=sure,
            strength=compute_strength(shown, sure),
            abstraction_level=level,
            sensitive=any(row.sensitive for row in evidence),
            sources=tuple(make_reference(memory_id) for memory_id in ids),
            derived_from=tuple(str(memory_id) for memory_id in ids),
            written_by=Writer.REFLECTION,
            metadata={"pattern": name} if name else {},
        ),
        occurrences=shown,
    )


def choose_category(content: str, evidence: Sequence[Memory]) -> str:
    """Return the most frequent category of the evidence, else one chosen by the words.

    These are coding_style, communication, tool_usage and workflow.
    """
    given = Counter(row.category for row in evidence if row.category)
    if given:
        return max(sorted(given), key=lambda category: given[category])
    fitting = (name for name, pattern in _CATEGORIES.items() if pattern.search(content))
    return next(fitting, "workflow")


def _without_repetitions(found: Sequence[ProposedMemory]) -> list[ProposedMemory]:
    """Keep the most detailed of findings on one thing with the same evidence, and one of equal wordings."""
    kept: list[ProposedMemory] = []
    for finding in found:
        evidence = set(finding.candidate.derived_from)
        terms = get_content_terms(finding.candidate.content)
        repeated = any(
            evidence <= set(other.candidate.derived_from)
            and terms & get_content_terms(other.candidate.content)
            and (
                evidence == set(other.candidate.derived_from)
                or terms == get_content_terms(other.candidate.content)
            )
            for other in kept
        )
        if not repeated:
            kept.append(finding)
    return kept
