"""Check the items of a model's answer against their evidence.

Parts that the evidence does not support are dropped. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from memories.extraction.model.claims import find_unsupported_claims, is_supported, may_be_same_time
from memories.extraction.model.schema import Item
from memories.extraction.model.user_statements import UserStatements, collect_statements, list_corrections
from memories.extraction.prose import USER, is_chinese
from memories.extraction.rules import read_unstated
from memories.text import (
    CHINESE_RULES,
    ENGLISH_RULES,
    Cue,
    Lean,
    Moment,
    Span,
    Unit,
    annotate_times,
    find_cues,
    find_time_mentions,
    make_name_key,
    unify,
)
from memories.values import ONE_VALUE_PROPOSED, Candidate, Kind, Layer, Utterance, Writer
from memsite.values import MessageRole

MOST_ENTITIES: Final = 12
_SNAKE = re.compile(r"[\s\-]+")
#: Precision of an ISO date by its length: year, month, else day or finer.
_UNITS: Final = {4: Unit.YEAR, 7: Unit.MONTH}


#: A memory that only says that something was asked.
_TELLS_OF_QUESTION: Final = re.compile(
    r"(?:the )?user (?:(?:has|just|also) )?(?:ask(?:s|ed)?(?! (?:to|for|that|not)\b)|is asking"
    r"|wonder(?:s|ed)?|inquire[sd]?|(?:wants?|wanted|would like) to (?:know|find out)(?! how to\b)"
    r"|is (?:wondering|curious))\b"
    r"|用户(?:刚才?|也|又|正)?(?:想知道|询问|在问|想问|好奇|问(?![题诊卷])(?:了|到)?)",
    re.IGNORECASE,
)


class Invalid(Exception):
    """An item failed a check. The message names the check and never repeats the item."""


@dataclass(frozen=True, slots=True)
class EvidenceSource:
    """A message that an item may cite.

    Attributes:
        utterance: The message.
        fresh: Whether the message is part of this window, not of the earlier context.
    """

    utterance: Utterance
    fresh: bool


def check_item(item: Item, sources: Mapping[str, EvidenceSource]) -> Candidate:
    """Build the candidate of an item, as far as its evidence supports it.

    The cited messages must exist, and one by the user must be fresh. Every number, name and date and most
    content words must occur in the cited messages of the user. An unsupported triple, name or time is
    dropped. A question, or what only says that something was asked, is no memory.

    Raises:
        Invalid: If the item fails a check.
    """
    if read_unstated(item.content) is not None or _TELLS_OF_QUESTION.match(item.content):
        raise Invalid("question")
    cited = _cited(item.evidence, sources)
    statements = collect_statements(cited, item.kind)
    newest = cited[-1]
    unfounded = find_unsupported_claims(item.content, statements, newest.at)
    if unfounded:
        raise Invalid(unfounded)
    subject, predicate, thing = _triple(item, statements)
    valid_from, valid_until = _period(item, statements, newest)
    return Candidate(
        content=_dated(item.content, newest, ahead=item.kind == Kind.GOAL),
        layer=Layer.SEMANTIC,
        kind=item.kind,
        importance=item.importance,
        confidence=item.confidence,
        subject=subject,
        predicate=predicate,
        object=thing,
        entities=tuple(dict.fromkeys(name for name in item.entities if is_supported(name, statements)))[
            :MOST_ENTITIES
        ],
        speaker=newest.speaker,
        session=newest.session,
        occurred_at=newest.at,
        valid_from=valid_from,
        valid_until=valid_until,
        sensitive=item.sensitive,
        sources=tuple(one.reference for one in cited),
        written_by=Writer.MODEL,
        metadata=_notes(item, cited, has_triple=bool(predicate)),
    )


def _notes(item: Item, cited: Sequence[Utterance], *, has_triple: bool) -> dict[str, bool]:
    """Return metadata for the write path. A model may only propose that a predicate is single-valued."""
    notes = {
        "correction": _puts_right(item.content, cited),
        ONE_VALUE_PROPOSED: item.single_valued and has_triple,
    }
    return {name: True for name, holds in notes.items() if holds}


def _puts_right(content: str, cited: Sequence[Utterance]) -> bool:
    """Return whether the content comes from a sentence that corrects ("no, it is …")."""
    return any(
        not find_unsupported_claims(content, correction, cited[-1].at)
        for correction in list_corrections(cited)
    )


def _cited(ids: Sequence[str], sources: Mapping[str, EvidenceSource]) -> list[Utterance]:
    """Return the cited messages of the user, oldest first."""
    wanted = {one.strip() for one in ids}
    if not wanted <= sources.keys():
        raise Invalid("evidence")
    cited = [
        source
        for key, source in sources.items()
        if key in wanted and source.utterance.role == MessageRole.USER
    ]
    if not any(source.fresh for source in cited):
        raise Invalid("speaker")
    return [source.utterance for source in cited]


def _triple(item: Item, statements: UserStatements) -> tuple[str, str, str]:
    """Return subject, predicate and object; all empty if the messages do not name both ends."""
    subject = USER if make_name_key(item.subject) == USER else item.subject
    whole = bool(subject and item.predicate and item.object)
    if item.kind == Kind.ENTITY:
        if not (subject and (subject == USER or is_supported(subject, statements))):
            raise Invalid("subject")
    elif item.kind == Kind.RELATION and not whole:
        raise Invalid("triple")
    borne_out = (subject == USER or is_supported(subject, statements)) and is_supported(
        item.object, statements
    )
    if whole and borne_out and not (item.single_valued and _tells_of_stay(item.object, statements)):
        return subject, _SNAKE.sub("_", item.predicate.strip().lower()), item.object
    if item.kind == Kind.RELATION:
        raise Invalid("triple")
    return (subject if item.kind == Kind.ENTITY else USER), "", ""


def _tells_of_stay(thing: str, statements: UserStatements) -> bool:
    """Return whether what names a thing tells of a stay or state that ends ("in Rome for two weeks").

    It is no value of something that has one value at a time: who is in Rome for two weeks still lives in
    Berlin.
    """
    return any(
        find_cues(unify(sentence)) & Cue.TEMPORARY
        for sentence in statements.sentences
        if thing.casefold() in sentence.casefold()
    )


def _period(
    item: Item, statements: UserStatements, newest: Utterance
) -> tuple[datetime | None, datetime | None]:
    """Return start and end of validity, each None unless the messages mention that time."""
    begins = _is_supported(item.valid_from, statements, newest.at)
    ends = _is_supported(item.valid_until, statements, newest.at)
    if begins is not None and ends is not None and ends <= begins:
        ends = None
    return begins, ends


def _is_supported(written: str | None, statements: UserStatements, at: datetime) -> datetime | None:
    span = _parsed(written, at)
    if span is None or not any(may_be_same_time(span, one) for one in statements.spans):
        return None
    return span.start


def _parsed(written: str | None, at: datetime) -> Span | None:
    text = (written or "").strip()
    whole = text + {4: "-01-01", 7: "-01"}.get(len(text), "")
    try:
        moment = datetime.fromisoformat(whole)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=at.tzinfo or UTC)
    return Span(moment, _UNITS.get(len(text), Unit.DAY))


def _dated(content: str, newest: Utterance, *, ahead: bool) -> str:
    """Add the dates to relative times, so that the sentence can be read later."""
    chinese = is_chinese(content)
    now = Moment(newest.at, Lean.AHEAD if ahead else Lean.PAST)
    rules = CHINESE_RULES if chinese else ENGLISH_RULES
    times = [one for one in find_time_mentions(content, now, rules) if one.relative and not one.bare]
    return annotate_times(content, times, chinese=chinese)
