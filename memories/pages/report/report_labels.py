"""Translate the values in a report for display."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memories.maintenance import FindingKind, Mend

#: Kind of finding → its label.
FINDING_LABELS: Final[Mapping[str, Promise]] = {
    FindingKind.DISPUTE: _("They cannot both be true"),
    FindingKind.CONFLICT: _("They seem to contradict each other"),
    FindingKind.DUPLICATES: _("They say the same"),
    FindingKind.WAITING: _("Waiting for your word for two weeks or more"),
    FindingKind.UNSURE: _("Not quite sure"),
    FindingKind.LOW_VALUE: _("Of little importance, and long unused"),
    FindingKind.NEVER_USED: _("Never used"),
    FindingKind.STALE: _("Not used for three months"),
}
REASON_LABELS: Final[Mapping[str, Promise]] = {
    "disputed": _("There can be only one value"),
    "negation": _("One denies the other"),
    "antonym": _("They say opposite things"),
    "value": _("There can be only one value"),
    "judged": _("A model thinks that they contradict each other"),
}
MEND_LABELS: Final[Mapping[str, Promise]] = {
    Mend.KEEP: _("Keep this one"),
    Mend.PAST: _("The newest is true now, the others were before"),
    Mend.BOTH: _("All are right"),
    Mend.MERGE: _("Merge them"),
    Mend.CONFIRM: _("This is right"),
    Mend.FORGET: _("Forget"),
    Mend.PIN: _("Keep for good"),
}
MEND_ICONS: Final[Mapping[str, str]] = {
    Mend.KEEP: "check",
    Mend.PAST: "clock",
    Mend.BOTH: "copy",
    Mend.MERGE: "branch",
    Mend.CONFIRM: "check",
    Mend.FORGET: "forget",
    Mend.PIN: "pin",
}
MENDED: Final[Mapping[str, Promise]] = {
    Mend.KEEP: _("Decided. The others are no longer believed."),
    Mend.PAST: _("Decided. The others are past."),
    Mend.BOTH: _("All are kept."),
    Mend.MERGE: _("Merged."),
    Mend.CONFIRM: _("Remembered."),
    Mend.FORGET: _("Forgotten. It is kept aside and can be restored."),
    Mend.PIN: _("Pinned."),
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
