"""Translate predicates of relations for display."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

#: Predicate → its label, in the order in which a person's relations are shown.
PREDICATE_LABELS: Final[Mapping[str, Promise]] = {
    "named": _("is named"),
    "is_named": _("is named"),
    "is_a": _("is"),
    "born_on": _("was born on"),
    "born_in": _("was born in"),
    "comes_from": _("comes from"),
    "grew_up_in": _("grew up in"),
    "lives_in": _("lives in"),
    "lived_in": _("lived in"),
    "works_at": _("works at"),
    "works_as": _("works as"),
    "works_in": _("works in"),
    "works_on": _("works on"),
    "worked_at": _("worked at"),
    "studies": _("studies"),
    "studies_at": _("studies at"),
    "married_to": _("is married to"),
    "mother": _("mother"),
    "father": _("father"),
    "wife": _("wife"),
    "husband": _("husband"),
    "partner": _("partner"),
    "sister": _("sister"),
    "brother": _("brother"),
    "daughter": _("daughter"),
    "son": _("son"),
    "friend": _("friend"),
    "colleague": _("colleague"),
    "boss": _("boss"),
    "manager": _("manager"),
    "teacher": _("teacher"),
    "neighbour": _("neighbour"),
    "dog": _("dog"),
    "cat": _("cat"),
    "knows": _("knows"),
    "manages": _("manages"),
    "speaks": _("speaks"),
    "plays": _("plays"),
    "likes": _("likes"),
    "loves": _("loves"),
    "prefers": _("prefers"),
    "dislikes": _("dislikes"),
    "wants": _("wants"),
    "plans": _("plans"),
    "owns": _("owns"),
    "has": _("has"),
    "uses": _("uses"),
    "good_at": _("is good at"),
    "allergic_to": _("is allergic to"),
    "afraid_of": _("is afraid of"),
    "used_to_like": _("used to like"),
}
_PLACES: Final = {predicate: place for place, predicate in enumerate(PREDICATE_LABELS)}
_UNKNOWN_PLACE: Final = len(_PLACES)


def get_predicate_label(predicate: str) -> str:
    """Return the label of a predicate; a predicate without one is shown as it is written."""
    label = _list_labels(get_language() or "").get(predicate)
    return predicate.replace("_", " ").strip() if label is None else label


def list_equal_predicates(predicate: str) -> list[str]:
    """Return the predicates that have the same label on this page, such as `likes` and 喜欢 in Chinese."""
    if not predicate:
        return [predicate]
    label = get_predicate_label(predicate)
    known = _list_predicates_by_label(get_language() or "").get(label, ())
    return list(dict.fromkeys((predicate, label.replace(" ", "_"), *known)))


@cache
def _list_labels(_language: str) -> Mapping[str, str]:
    """Return the labels as texts: a page asks for them a thousand times."""
    labels = {predicate: str(label) for predicate, label in PREDICATE_LABELS.items()}
    return labels | {"": gettext("mentioned together")}


@cache
def _list_predicates_by_label(_language: str) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for predicate, label in PREDICATE_LABELS.items():
        found.setdefault(str(label), []).append(predicate)
    return found


def get_predicate_place(predicate: str) -> int:
    """Return where relations of a predicate are shown: what a person is, then the rest, then mentions."""
    return _PLACES.get(predicate, _UNKNOWN_PLACE) if predicate else _UNKNOWN_PLACE + 1
