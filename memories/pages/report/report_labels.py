"""Translate the values in a report for display."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

#: Kind of finding → its label.
FINDING_LABELS: Final[Mapping[str, Promise]] = {
    "conflict": _("They cannot both be true"),
    "duplicates": _("They say the same"),
    "waiting": _("Waiting for your word for two weeks or more"),
    "unsure": _("Not quite sure"),
    "low_value": _("Of little importance, and long unused"),
    "never_used": _("Never used"),
    "stale": _("Not used for three months"),
}
REASON_LABELS: Final[Mapping[str, Promise]] = {
    "disputed": _("Two values where there can be one"),
    "negation": _("One denies the other"),
    "antonym": _("They say opposite things"),
    "value": _("Two values where there can be one"),
    "judged": _("A model thinks that they contradict each other"),
}
MEND_LABELS: Final[Mapping[str, Promise]] = {
    "keep": _("Keep this one"),
    "past": _("The newer now, the older before"),
    "both": _("Both are right"),
    "merge": _("Merge them"),
    "confirm": _("This is right"),
    "forget": _("Forget"),
    "pin": _("Keep for good"),
}
MEND_ICONS: Final[Mapping[str, str]] = {
    "keep": "check",
    "past": "clock",
    "both": "copy",
    "merge": "branch",
    "confirm": "check",
    "forget": "forget",
    "pin": "pin",
}
MENDED: Final[Mapping[str, Promise]] = {
    "keep": _("Decided. The other side is no longer believed."),
    "past": _("Decided. The other side is past."),
    "both": _("Both are kept."),
    "merge": _("Merged."),
    "confirm": _("Remembered."),
    "forget": _("Forgotten. It is kept aside and can be restored."),
    "pin": _("Pinned."),
}
TERM_LABELS: Final[Mapping[str, Promise]] = {
    "conflicts": _("Free of conflicts"),
    "duplicates": _("Free of duplicates"),
    "confidence": _("Sure"),
    "freshness": _("Not stale"),
    "usage": _("Used at all"),
    "vitality": _("Alive"),
    "success": _("Learning succeeds"),
    "answers": _("The model answers"),
    "usefulness": _("Citations are useful"),
    "retention": _("Little is forgotten"),
    "size": _("Neither thin nor crowded"),
    "searchable": _("Found by meaning"),
}
