"""Translate predicates of relations for display."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from memories.text import SAME

#: Predicate → its label, in the order in which a person's relations are shown.
PREDICATE_LABELS: Final[Mapping[str, Promise]] = {
    "named": _("is named"),
    "is_named": _("is named"),
    "surname": _("surname"),
    "is_a": _("is"),
    "is": _("is"),
    "is_not": _("is not"),
    "is_not_a": _("is not"),
    "is_in": _("is in"),
    "is_at": _("is at"),
    "is_on": _("is on"),
    "age": _("age"),
    "became": _("became"),
    "used_to_be": _("used to be"),
    "born_on": _("was born on"),
    "born_in": _("was born in"),
    "comes_from": _("comes from"),
    "grew_up_in": _("grew up in"),
    "grew_up": _("grew up"),
    "lives_in": _("lives in"),
    "lived_in": _("lived in"),
    "lives": _("lives"),
    "does_not_live_in": _("does not live in"),
    "moved": _("moved"),
    "visited": _("visited"),
    "works_at": _("works at"),
    "works_as": _("works as"),
    "works_in": _("works in"),
    "works_on": _("works on"),
    "worked_at": _("worked at"),
    "does_not_work_at": _("does not work at"),
    "does_not_work_as": _("does not work as"),
    "works": _("works"),
    "joined": _("joined"),
    "left": _("left"),
    "runs": _("runs"),
    "responsible_for": _("is responsible for"),
    "salary": _("salary"),
    "volunteers_at": _("volunteers at"),
    "attends": _("attends"),
    "teaches": _("teaches"),
    "studies": _("studies"),
    "studies_at": _("studies at"),
    "learning": _("is learning"),
    "learned": _("learned"),
    "used_to_study": _("used to study"),
    "married_to": _("is married to"),
    "is_not_married_to": _("is not married to"),
    "dates": _("is dating"),
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
    "does_not_speak": _("does not speak"),
    "plays": _("plays"),
    "does_not_play": _("does not play"),
    "used_to_play": _("used to play"),
    "likes": _("likes"),
    "loves": _("loves"),
    "prefers": _("prefers"),
    "does_not_prefer": _("does not prefer"),
    "dislikes": _("dislikes"),
    "finds": _("finds"),
    "avoids": _("avoids"),
    "consumes": _("consumes"),
    "tolerates": _("tolerates"),
    "diet": _("diet"),
    "used_to_consume": _("used to consume"),
    "wants": _("wants"),
    "needs": _("needs"),
    "plans": _("plans"),
    "started": _("began"),
    "gave_up": _("gave up"),
    "owns": _("owns"),
    "rents": _("rents"),
    "drives": _("drives"),
    "does_not_drive": _("does not drive"),
    "lost": _("lost"),
    "has": _("has"),
    "does_not_have": _("does not have"),
    "used_to_have": _("used to have"),
    "uses": _("uses"),
    "does_not_use": _("does not use"),
    "used_to_use": _("used to use"),
    "relies_on": _("relies on"),
    "maintains": _("maintains"),
    "created": _("created"),
    "deployed_on": _("is deployed on"),
    "good_at": _("is good at"),
    "can": _("can"),
    "cannot": _("cannot"),
    "level": _("level"),
    "new_to": _("is new to"),
    "used_to_doing": _("is used to"),
    "allergic_to": _("is allergic to"),
    "is_not_allergic_to": _("is not allergic to"),
    "has_condition": _("has the condition"),
    "suffers_from": _("suffers from"),
    "diagnosed_with": _("was diagnosed with"),
    "takes": _("takes"),
    "height": _("height"),
    "weight": _("weight"),
    "afraid_of": _("is afraid of"),
    "used_to_like": _("used to like"),
    "used_to_prefer": _("used to prefer"),
    "experienced": _("experienced"),
    "religion": _("religion"),
    "voted_for": _("voted for"),
    "zodiac": _("zodiac sign"),
    SAME: _("is the same as"),
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
    same_label = _list_predicates_by_label(get_language() or "").get(label, ())
    return list(dict.fromkeys((predicate, label.replace(" ", "_"), *same_label)))


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
