"""Translate values such as kinds, layers and statuses for display.

The person whose memories they are reads the labels on the pages. Staff, who are not that person, read
`STAFF_STATUS_LABELS` and `STAFF_WRITER_LABELS` in the admin instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.text import OWNER, make_name_key
from memories.values import AbstractionLevel, Kind, Layer, Lifespan, Status, Writer

KIND_LABELS: Final[Mapping[str, Promise]] = {
    Kind.FACT: _("Fact"),
    Kind.PREFERENCE: _("Preference"),
    Kind.LESSON: _("Lesson"),
    Kind.GOAL: _("Goal"),
    Kind.PROJECT: _("Project"),
    Kind.SKILL: _("Skill"),
    Kind.RELATION: _("Relation"),
    Kind.ENTITY: _("Person or thing"),
    Kind.CONTEXT: _("Passing context"),
    Kind.HABIT: _("Habit"),
    Kind.PATTERN: _("Pattern"),
    Kind.CONVERSATION: _("Said"),
    Kind.EVENT: _("Event"),
    Kind.SUMMARY: _("Summary"),
}
LAYER_LABELS: Final[Mapping[str, Promise]] = {
    Layer.SEMANTIC: _("Knowledge"),
    Layer.PROCEDURAL: _("Ways of working"),
    Layer.EPISODIC: _("What happened"),
}
STATUS_LABELS: Final[Mapping[str, Promise]] = {
    Status.ACTIVE: _("Current"),
    Status.PENDING: _("Waits for your word"),
    Status.DISPUTED: _("Disputed"),
    Status.DEPRECATED: _("Past"),
    Status.FORGOTTEN: _("Forgotten"),
}
STAFF_STATUS_LABELS: Final[Mapping[str, Promise]] = {**STATUS_LABELS, Status.PENDING: _("Pending")}
LIFESPAN_LABELS: Final[Mapping[str, Promise]] = {
    Lifespan.CORE: _("Kept for good"),
    Lifespan.LONG: _("Fades over months"),
    Lifespan.WORKING: _("Fades over weeks"),
    Lifespan.TEMPORARY: _("Fades over days"),
}
ABSTRACTION_LABELS: Final[Mapping[str, Promise]] = {
    AbstractionLevel.SHALLOW: _("For one kind of situation"),
    AbstractionLevel.INTERMEDIATE: _("For several kinds of situations"),
    AbstractionLevel.DEEP: _("In general"),
}
WRITER_LABELS: Final[Mapping[str, Promise]] = {
    Writer.PERSON: _("You"),
    Writer.PROGRAM: _("A program"),
    Writer.RULES: _("Learnt from a conversation"),
    Writer.MODEL: _("Learnt from a conversation"),
    Writer.THREAD: _("Said in a thread"),
    Writer.REFLECTION: _("Concluded from several memories"),
    Writer.IMPORT: _("Imported"),
}
STAFF_WRITER_LABELS: Final[Mapping[str, Promise]] = {
    **WRITER_LABELS,
    Writer.PERSON: _("The person"),
    Writer.RULES: _("Rules, from a thread"),
    Writer.MODEL: _("A model, from a thread"),
}
EVENT_LABELS: Final[Mapping[str, Promise]] = {
    "memory.created": _("Remembered"),
    "memory.updated": _("Changed"),
    "memory.deleted": _("Erased"),
    "memory.forgotten": _("Forgotten"),
    "memory.restored": _("Restored"),
    "memory.disputed": _("Disputed"),
}


#: Why time does not decide a dispute (`memories.writing.conflicts`) → in plain words.
DISPUTE_LABELS: Final[Mapping[str, Promise]] = {
    "same time": _("They begin at the same time, so time does not decide."),
    "newer but less sure": _("The newer one is much less certain, so it does not replace the older one."),
    "a model takes it for one value": _("A model thinks that only one of them can be true at a time."),
}
_PLACES: Final = (_("The first"), _("The second"), _("The third"), _("The fourth"))
_WRONG: Final = (
    _("The first was wrong"),
    _("The second was wrong"),
    _("The third was wrong"),
    _("The fourth was wrong"),
)


def get_place_label(number: int) -> str:
    """Return the name of a side of a dispute by its number, from 1."""
    if number <= len(_PLACES):
        return str(_PLACES[number - 1])
    return gettext("Number %(number)d") % {"number": number}


def get_wrong_label(number: int) -> str:
    """Return the label of the answer "side `number` of the dispute was wrong"; numbers begin at 1."""
    if number <= len(_WRONG):
        return str(_WRONG[number - 1])
    return gettext("Number %(number)d was wrong") % {"number": number}


def get_label(labels: Mapping[str, Promise], word: str) -> str:
    """Return the label, or the word itself if there is none."""
    return str(labels.get(word, word))


_ACTOR_LABELS: Final[Mapping[str, Promise]] = {
    "person": _("by you"),
    "learning": _("learnt from a conversation"),
    "rules": _("learnt from a conversation"),
    "schedule": _("by itself, at night"),
}


def get_actor_label(actor: str) -> str:
    """Return who did it: you, a program by its key, staff by name, or the system."""
    kind, _colon, name = actor.partition(":")
    if kind == "key":
        return gettext("by a program with the key %(name)s") % {"name": name}
    if kind == "staff":
        return gettext("by %(name)s, who runs this site") % {"name": name}
    return get_label(_ACTOR_LABELS, actor)


_QUOTED: Final = re.compile(r'"([^"]*)"')
#: The space between two sentences in Chinese, which has none.
_AFTER_FULL_WIDTH: Final = re.compile(r"(?<=[。！？]) ")
#: The reasons of a search (`memories.retrieval`) and of requirements (`threads.context`), and how a page says
#: them. `%s`: what follows the beginning.
_REASONS: Final[Mapping[str, Callable[[str], str]]] = {
    "contains exactly ": lambda words: gettext("It contains %s.") % words,
    "shares ": lambda words: gettext("Your message and this share %s.") % words,
    "has words related to ": lambda words: gettext("It has words related to %s.") % words,
    "said by ": lambda words: gettext("It was said by %s.") % words,
    "is of the time asked about": lambda _words: gettext("It is of the time you spoke of."),
    "names a time": lambda _words: gettext("It names a time."),
    "about what the question names": lambda _words: gettext("It is about what you named."),
    "stands near other matches": lambda _words: gettext("It was said close to other matches."),
    "it may replace": lambda _words: gettext("It may replace an older memory."),
    "a newer memory": lambda _words: gettext("A newer memory may replace it."),
    "applies to every answer": lambda _words: gettext("It applies to every answer."),
    "applies to food": lambda _words: gettext("It applies to food, drink and medicine."),
    "applies to programming": lambda _words: gettext("It applies to programming."),
    "close in meaning": lambda _words: gettext("It is close in meaning."),
    "the nearest there is": lambda _words: gettext("Nothing closer is remembered."),
}


def describe_reason(why: str) -> str:
    """Return the reasons of a search, or of a requirement, as sentences in the language of the page."""
    sentences = []
    for part in why.split("; "):
        beginning = next((one for one in _REASONS if part.startswith(one)), None)
        if beginning is not None:
            rest = part.removeprefix(beginning)
            words = [gettext("“%s”") % word for word in _QUOTED.findall(rest)]
            sentences.append(_REASONS[beginning](gettext(", ").join(words) or rest))
    return _AFTER_FULL_WIDTH.sub("", " ".join(sentences))


def say_name(name: str) -> str:
    """Return a name as the person reads it: their own is "you"."""
    return gettext("You") if make_name_key(name) == OWNER else name


def say_day(moment: datetime) -> str:
    """Return the day of a moment, in the format of the page's language."""
    return date_format(moment, "DATE_FORMAT")
