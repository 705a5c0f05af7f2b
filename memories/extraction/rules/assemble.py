"""Turn findings into candidates: resolve dates, collect names and sources, restore quotations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from memories.extraction.prose import USER, ExtractedStatement, Prose
from memories.extraction.rules.sensitive import is_sensitive
from memories.text import (
    CHINESE_RULES,
    ENGLISH_RULES,
    MOST,
    NUMBER_WORDS,
    Lean,
    Mention,
    Moment,
    annotate_times,
    find_names,
    find_time_mentions,
    parse_chinese_number,
    shift_months,
)
from memories.values import Candidate, Layer, Utterance, Writer

_MOST_SURE: Final = 0.9
#: Confidence of corrections and of what the user asked to remember; both are stated with care.
_INSISTED: Final = 0.85
_LASTING = re.compile(
    r"\bfor (?:about |over |almost |more than |nearly |the (?:last|past) )?(?P<count>\d{1,2}|one|two|three"
    r"|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|fifteen|twenty|a|an) (?P<unit>years?|months?)\b|(?:已经|有)?(?P<cn>\d{1,2}"
    r"|[一二两三四五六七八九十]{1,4})(?:个)?(?P<cnunit>年|月)(?:多)?了",
    re.IGNORECASE,
)
_VERSIONED = re.compile(r"(?P<tool>[A-Za-z][\w.+#-]*(?: [A-Za-z][\w.+#-]*)?) v?(?P<version>\d+(?:\.\d+)*)")
#: Characters. A longer sentence is not one statement.
LONGEST: Final = 2000


def build_candidate(
    statement: ExtractedStatement, prose: Prose, utterance: Utterance, *, chinese: bool
) -> Candidate | None:
    """Build the candidate of a finding.

    Args:
        statement: Result of a rule.
        prose: The message that the finding comes from.
        utterance: Source of the candidate.
        chinese: Whether the clause is Chinese.

    Returns:
        None if the sentence is empty or longer than LONGEST.
    """
    now = Moment(utterance.at, Lean.AHEAD if statement.ahead else Lean.PAST)
    rules = CHINESE_RULES if chinese else ENGLISH_RULES
    content = prose.unmask(statement.content)
    # For events and plans it is clear which May "in May" means. A birthday or a rule recurs every year.
    placed = statement.ahead or statement.dated
    times = [time for time in find_time_mentions(content, now, rules) if placed or not time.bare]
    names = _entities_in(content, (statement.name,))
    content = annotate_times(content, times, chinese=chinese)
    if not re.search(r"\w", content) or len(content) > LONGEST:
        return None
    subject, predicate, thing, single = _triple(statement, prose.unmask(statement.object, bare=True).strip())
    return Candidate(
        content=content,
        layer=Layer.SEMANTIC,
        kind=statement.kind,
        confidence=round(_confidence(statement), 2),
        subject=subject,
        predicate=predicate,
        object=thing,
        single_valued=single,
        entities=tuple(dict.fromkeys((*((thing,) if predicate in _NAMING else ()), *names))),
        speaker=utterance.speaker,
        session=utterance.session,
        occurred_at=utterance.at,
        valid_from=_valid_from(statement, content, times, utterance.at),
        sources=(utterance.reference,),
        sensitive=is_sensitive(content, predicate),
        written_by=Writer.RULES,
        metadata={"correction": True} if statement.correction else {},
    )


_NAMING: Final = frozenset(
    {"named", "lives_in", "works_at", "uses", "born_in", "comes_from", "worked_at", "married_to"}
)


def _triple(statement: ExtractedStatement, thing: str) -> tuple[str, str, str, bool]:
    """Return subject, predicate, object and whether the predicate is single-valued.

    A tool with a version and nothing else becomes the single-valued current version of that tool.
    """
    if not (statement.predicate and thing):
        return statement.subject, "", "", False
    versioned = _VERSIONED.fullmatch(thing)
    if statement.predicate == "uses" and statement.subject == USER and versioned:
        return versioned.group("tool"), "current_version", versioned.group("version"), True
    return statement.subject, statement.predicate, thing, statement.single_valued


def _confidence(statement: ExtractedStatement) -> float:
    if statement.correction or statement.requested:
        return min(max(statement.confidence + 0.1, _INSISTED), _MOST_SURE)
    return min(statement.confidence, _MOST_SURE)


def _valid_from(
    statement: ExtractedStatement, content: str, times: Sequence[Mention], at: datetime
) -> datetime:
    """Return when the statement became true: the time it mentions, else the time of the message.

    A plan is valid from the time of the message.
    """
    if statement.ahead:
        return at
    since = [time.span.start for time in times if time.span.start <= at]
    if since:
        return since[0]
    lasting = _LASTING.search(content)
    if not lasting:
        return at
    chinese = lasting.group("cn")
    unit = lasting.group("unit") or lasting.group("cnunit")
    try:
        count = parse_chinese_number(chinese) if chinese else _count(lasting.group("count"))
        return shift_months(at, -count * (1 if unit.lower().startswith(("month", "月")) else 12))
    except ValueError:  # 十十年, or before the first year of the calendar
        return at


def _count(text: str) -> int:
    return int(text) if text.isdigit() else NUMBER_WORDS[text.lower()]


def _entities_in(sentence: str, named: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names in a sentence, without repeats, at most twelve.

    Args:
        sentence: The sentence.
        named: Names that a rule has found already; they come first.
    """
    found = [name for name in named if name]
    found += [name for name in find_names(sentence) if not any(name in earlier for earlier in found)]
    return tuple(dict.fromkeys(found))[:MOST]
