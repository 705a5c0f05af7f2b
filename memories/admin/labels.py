"""Translate kinds, layers, statuses and writers for staff, who are not the person the memories are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memories.values import Kind, Layer, Lifespan, Status, Writer

KIND_LABELS: Final[Mapping[str, Promise]] = {
    Kind.FACT: _("Fact"),
    Kind.PREFERENCE: _("Preference"),
    Kind.LESSON: _("Lesson"),
    Kind.GOAL: _("Goal"),
    Kind.CONTEXT: _("Passing context"),
    Kind.PROJECT: _("Project"),
    Kind.SKILL: _("Skill"),
    Kind.RELATION: _("Relation"),
    Kind.ENTITY: _("Person or thing"),
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
    Status.PENDING: _("Pending"),
    Status.ACTIVE: _("Current"),
    Status.DISPUTED: _("Disputed"),
    Status.DEPRECATED: _("Past"),
    Status.FORGOTTEN: _("Forgotten"),
}
LIFESPAN_LABELS: Final[Mapping[str, Promise]] = {
    Lifespan.CORE: _("Kept for good"),
    Lifespan.LONG: _("Fades over months"),
    Lifespan.WORKING: _("Fades over weeks"),
    Lifespan.TEMPORARY: _("Fades over days"),
}
WRITER_LABELS: Final[Mapping[str, Promise]] = {
    Writer.PERSON: _("The person"),
    Writer.PROGRAM: _("A program"),
    Writer.RULES: _("Rules, from a thread"),
    Writer.MODEL: _("A model, from a thread"),
    Writer.THREAD: _("Said in a thread"),
    Writer.REFLECTION: _("Concluded from several memories"),
    Writer.IMPORT: _("Imported"),
}
#: Why time does not decide a dispute (`memories.writing.conflicts`).
REASON_LABELS: Final[Mapping[str, Promise]] = {
    "same time": _("They begin at the same time, so time does not decide."),
    "newer but less sure": _("The newer one is much less certain, so it does not replace the older one."),
    "a model takes it for one value": _("A model thinks that only one of them can be true at a time."),
}


def get_label(labels: Mapping[str, Promise], word: str) -> str:
    """Return the label, or the word itself if there is none."""
    return str(labels.get(word, word))
