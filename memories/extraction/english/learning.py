"""Find what an English clause states about its speaker."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from memories.extraction.english.attributes import DETAIL, find_belonging, find_thing_attribute
from memories.extraction.english.clauses import asks
from memories.extraction.english.goals import find_goal
from memories.extraction.english.grammar import (
    NAME,
    Predicate,
    Subject,
    SubjectKind,
    Tense,
    find_head_phrase,
    get_base_form,
    is_deictic,
    lexicon,
    read_predicate,
    read_subject,
)
from memories.extraction.english.rendering import (
    may_be_retold,
    quote_text,
    retell,
    sentence,
    swap_persons,
    tidy,
)
from memories.extraction.english.rules import RULES, Rule
from memories.extraction.english.sayings import add_unsaid_subject, experience, find_directive, find_lesson
from memories.extraction.english.states import PAST_STATES, STATES
from memories.extraction.prose import USER, Clause, ExtractedStatement, Frame
from memories.values import Kind

_OF_THE_MOMENT = re.compile(
    r"\b(?:right now|at the moment|today|tonight|this (?:morning|afternoon|evening|second|minute)|just now"
    r"|for now|as we speak"
    r"|at the airport|on my way)\b",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"\b(?:every|each|once an?|twice an?|(?:\w+|\d+) times an?|on (?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)days?|on weekends|weekends"
    r"|daily|weekly|in the (?:mornings?|evenings?)|before (?:work|bed|breakfast)|after work|for a living"
    r"|whenever)\b",
    re.IGNORECASE,
)
# Steps of a task and its problems, worded like habits.
_TROUBLE = re.compile(
    r"\b(?:errors?|exceptions?|timeouts?|bugs?|warnings?|crash(?:es)?|404|500|loops?"
    r"|functions?|this|these)\b",
    re.IGNORECASE,
)
_MENTAL: Final = lexicon.words(
    "think guess mean suppose feel hope wish want know see understand agree "
    "disagree say tell wonder appreciate apologise"
    " apologize bet doubt believe remember thank promise swear assume imagine notice hear seem look sound "
    "need"
)
_NAME_ALONE = re.compile(rf"(?P<o>{NAME})(?=$|[,.!]|\s+(?:and|from|by the way|here)\b)")
_EVENTS: Final = frozenset({Kind.FACT, Kind.PROJECT, Kind.SKILL})
#: A sentence with fewer words is not worth keeping.
_FEWEST_WORDS: Final = 3
#: "I'm not allergic to anything" denies everything: it has no object.
_NOTHING = re.compile(r"any(?:thing|one|body)?\b", re.IGNORECASE)
_FOR_GOOD: Final = frozenset({"born_in", "born_on", "grew_up_in", "diagnosed_with"})
_ONE_OF_A_KIND: Final = lexicon.words(
    "wife husband mother mom mum mama dad father partner spouse "
    "girlfriend boyfriend boss manager landlord hubby"
)
#: The predicates of what a person used to do.
_OVER: Final = {
    "likes": "used_to_like",
    "prefers": "used_to_prefer",
    "uses": "used_to_use",
    "consumes": "used_to_consume",
    "owns": "used_to_have",
    "has": "used_to_have",
    "drives": "used_to_have",
    "plays": "used_to_play",
    "learning": "used_to_study",
    "studies": "used_to_study",
    "works_as": "used_to_be",
    "is": "used_to_be",
    "is_a": "used_to_be",
}
#: "I gave up drinking coffee" says the same as "I don't drink coffee any more".
_GIVEN_UP: Final = frozenset({"stop", "quit", "give"})
_GIVEN_UP_DOING = re.compile(r"(?:up )?(?P<verb>[a-z]+ing) (?P<rest>\S.*)", re.IGNORECASE)
_TELLING: Final = frozenset({Tense.PRESENT, Tense.CAN})


def find_english_statement(clause: Clause) -> ExtractedStatement | None:
    """Return the one finding of a clause, or None."""
    text = tidy(clause.text)
    found = find_directive(text) if clause.frame in {Frame.STATEMENT, Frame.COMMAND} else None
    if found is None and clause.frame is Frame.STATEMENT:
        found = find_lesson(text) or _stated(text, clause.prefix) or experience(text, clause.prefix)
    if (
        found is None
        and clause.requested
        and clause.frame in {Frame.STATEMENT, Frame.QUESTION, Frame.COMMAND, Frame.HYPOTHETICAL}
        and not asks(text)
    ):
        found = _find_reminder(text)
    return found


def _stated(text: str, prefix: str) -> ExtractedStatement | None:
    text = add_unsaid_subject(text)
    read = read_subject(text)
    if read is None:
        return None
    subject, words = read
    predicate = read_predicate(words)
    if predicate is None or predicate.hedged or predicate.tense is Tense.OTHER:
        return None
    found = (
        find_thing_attribute(subject, predicate)
        if subject.kind is SubjectKind.THING
        else _find_person_statement(subject, predicate, prefix)
    )
    if found is None:
        return None
    rendered = retell(subject, predicate, prefix) if may_be_retold(subject, predicate) else quote_text(text)
    return replace(found, content=found.content or rendered)


def _find_person_statement(subject: Subject, predicate: Predicate, prefix: str) -> ExtractedStatement | None:
    if _fleeting(predicate, prefix):
        return None
    if subject.kind is SubjectKind.GROUP and predicate.tense is Tense.CAN and not predicate.negated:
        return None
    found = _by_state(predicate) if predicate.verb == "be" else _by_verb(predicate)
    if predicate.tense is Tense.WOULD and "rather" in predicate.adverbs and predicate.verb:
        found = ExtractedStatement(
            "",
            Kind.PREFERENCE,
            USER,
            "prefers",
            find_head_phrase(f"{predicate.verb} {predicate.complement}", ""),
        )
    if found is None and predicate.verb == "be":
        found = _named(subject, predicate)
    if found is None and subject.kind is not SubjectKind.PERSON:
        found = find_goal(predicate)
    if found is None:
        found = _by_habit(subject, predicate, prefix)
    return _of(subject, found) if found else None


def _fleeting(predicate: Predicate, prefix: str) -> bool:
    if predicate.tense in {Tense.PAST, Tense.PERFECT, Tense.FUTURE}:
        return False
    return bool(_OF_THE_MOMENT.search(predicate.complement) or _OF_THE_MOMENT.search(prefix))


def _of(subject: Subject, found: ExtractedStatement) -> ExtractedStatement:
    if subject.kind is not SubjectKind.PERSON:
        return found
    owner = f"{USER}'s {subject.noun}{' ' + subject.name if subject.name else ''}"
    alone = bool(subject.name) or subject.noun in _ONE_OF_A_KIND
    return replace(
        found, subject=owner, kind=Kind.FACT, name=subject.name, single_valued=found.single_valued and alone
    )


def _by_verb(predicate: Predicate) -> ExtractedStatement | None:
    for rule in RULES.get(predicate.verb, ()):
        if predicate.tense in rule.tenses:
            found = _given_up(predicate) or _fitting(rule, predicate)
            if found:
                return found
    return _once_so(predicate) if predicate.tense is Tense.USED_TO and not predicate.negated else None


def _given_up(predicate: Predicate) -> ExtractedStatement | None:
    """Return what no longer is so, by the rules of the verb that a person gave up."""
    doing = _GIVEN_UP_DOING.match(predicate.complement) if predicate.verb in _GIVEN_UP else None
    if doing is None or predicate.negated:
        return None
    verb = get_base_form(doing.group("verb").lower())
    found = _by_verb(
        replace(predicate, verb=verb, complement=doing.group("rest"), tense=Tense.PRESENT, negated=True)
    )
    return replace(found, dated=True) if found and found.predicate else None


def _once_so(predicate: Predicate) -> ExtractedStatement | None:
    """Return what used to be so, by the rules of what is so."""
    found = _by_verb(replace(predicate, tense=Tense.PRESENT))
    if found is None or found.predicate not in _OVER:
        return None
    return replace(found, kind=Kind.FACT, predicate=_OVER[found.predicate], single_valued=False)


def _by_state(predicate: Predicate) -> ExtractedStatement | None:
    if predicate.tense not in {Tense.BE, Tense.BEEN, Tense.WAS, Tense.USED_TO}:
        return None
    over = predicate.tense in {Tense.WAS, Tense.USED_TO}
    for rule in STATES:
        found = _fitting(rule, predicate)
        if found and (predicate.tense is not Tense.WAS or rule.predicate in PAST_STATES):
            return (
                replace(found, predicate=_over(found, predicate), single_valued=False)
                if over and rule.predicate not in _FOR_GOOD
                else found
            )
    return None


def _over(found: ExtractedStatement, predicate: Predicate) -> str:
    """Return the predicate of a state that is over. "I was a nurse" leaves open whether it is."""
    if predicate.tense is not Tense.USED_TO or predicate.negated:
        return ""
    return _OVER.get(found.predicate, "")


def _fitting(rule: Rule, predicate: Predicate) -> ExtractedStatement | None:
    shape = rule.complement.match(predicate.complement)
    if shape is None or (predicate.negated and rule.negated is None):
        return None
    object_phrase = shape.groupdict().get("o") or ""
    if predicate.negated and _NOTHING.match(object_phrase):
        return ExtractedStatement("", rule.kind, USER, confidence=rule.confidence)
    if (
        rule.kind != Kind.LESSON
        and not object_phrase.startswith("how to ")
        and is_deictic(object_phrase or predicate.complement)
    ):
        return None
    relation = rule.negated or "" if predicate.negated else rule.predicate
    thing = swap_persons(find_head_phrase(object_phrase, relation)) if relation else ""
    single = (
        rule.single
        and bool(thing)
        and not predicate.negated
        and not re.match(r"(?:an?|some|my|our|their|different|various)\s", thing, re.IGNORECASE)
    )
    kind = Kind.FACT if predicate.negated and rule.kind == Kind.SKILL else rule.kind
    return ExtractedStatement(
        "",
        kind,
        USER,
        relation if thing else "",
        thing,
        single,
        rule.confidence,
        ahead=rule.kind == Kind.GOAL,
        dated=rule.kind in _EVENTS and predicate.tense in {Tense.PAST, Tense.PERFECT},
    )


def _named(subject: Subject, predicate: Predicate) -> ExtractedStatement | None:
    shape = _NAME_ALONE.match(predicate.complement)
    if shape is None or predicate.negated or predicate.adverbs or subject.kind is SubjectKind.GROUP:
        return None
    return ExtractedStatement("", Kind.FACT, predicate="named", object=shape.group("o"), single_valued=True)


def _by_habit(subject: Subject, predicate: Predicate, prefix: str) -> ExtractedStatement | None:
    """Return a habit or lasting state for any verb in the simple present.

    Clauses about the conversation itself give None.
    """
    complement = predicate.complement
    named = complement.removeprefix("any ") if predicate.negated else complement
    if is_deictic(named) or not complement:
        return None
    if predicate.verb == "have":
        regular = predicate.habitual and predicate.tense is Tense.PRESENT
        return find_belonging(subject, predicate) or (
            ExtractedStatement("", Kind.FACT, confidence=0.7) if regular else None
        )
    if predicate.tense not in _TELLING or predicate.verb == "be" or predicate.verb in _MENTAL:
        return None
    habitual = predicate.habitual or bool(_HABIT.search(f"{prefix} {complement}"))
    if not _tells(subject, predicate, habitual=habitual):
        return None
    return ExtractedStatement("", Kind.FACT, confidence=0.75 if habitual else 0.65)


def _tells(subject: Subject, predicate: Predicate, *, habitual: bool) -> bool:
    """Return whether a clause with an unknown verb is about the user and not about the task or the moment."""
    verb = predicate.verb
    if not habitual and (predicate.tense is Tense.CAN or verb in lexicon.FLEETING_VERBS):
        return False
    vague = not habitual or predicate.adverbs & {"never", "always"}
    if subject.kind is SubjectKind.GROUP and vague and not DETAIL.search(predicate.complement):
        return False
    plain = verb.replace("-", "").isalpha() and verb.islower() and not verb.endswith("ing")
    return plain and not _TROUBLE.search(predicate.complement)


def _find_reminder(text: str) -> ExtractedStatement | None:
    """Return a sentence that the user asked to remember and no rule matches."""
    if len(text.split()) < _FEWEST_WORDS:
        return None
    if text.lower().startswith("to ") and not re.search(r"\byour(?:self)?\b", text):
        return ExtractedStatement(
            quote_text(text[3:], "asked to be reminded to"), Kind.GOAL, confidence=0.8, ahead=True
        )
    read = read_subject(text)
    predicate = read_predicate(read[1]) if read else None
    if read and predicate and predicate.tense is not Tense.OTHER and may_be_retold(read[0], predicate):
        return ExtractedStatement(retell(read[0], predicate), Kind.FACT)
    if re.search(r"\b(?:you|your|yourself)\b", text, re.IGNORECASE):
        return None
    if re.match(r"(?:I|we)\b", text, re.IGNORECASE):
        return ExtractedStatement(quote_text(text), Kind.FACT)
    own = re.sub(r"^(?:my|our)\b", "the user's", text, flags=re.IGNORECASE)
    return ExtractedStatement(sentence(swap_persons(own)), Kind.FACT)
