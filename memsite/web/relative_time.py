"""Relative times in words, in the language of the page."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR
_WEEK: Final = 7 * _DAY
_MONTH: Final = 30 * _DAY
_YEAR: Final = 365 * _DAY

# Seconds of a unit, then its words for past and future; the longest unit first.
_UNITS: Final = (
    (_YEAR, ngettext_lazy("%d year ago", "%d years ago"), ngettext_lazy("in %d year", "in %d years")),
    (_MONTH, ngettext_lazy("%d month ago", "%d months ago"), ngettext_lazy("in %d month", "in %d months")),
    (_WEEK, ngettext_lazy("%d week ago", "%d weeks ago"), ngettext_lazy("in %d week", "in %d weeks")),
    (_DAY, ngettext_lazy("%d day ago", "%d days ago"), ngettext_lazy("in %d day", "in %d days")),
    (_HOUR, ngettext_lazy("%d hour ago", "%d hours ago"), ngettext_lazy("in %d hour", "in %d hours")),
    (
        _MINUTE,
        ngettext_lazy("%d minute ago", "%d minutes ago"),
        ngettext_lazy("in %d minute", "in %d minutes"),
    ),
)


def format_relative_time(then: datetime, now: datetime) -> str:
    """Return `then` relative to `now`: "5 minutes ago", "in 3 days", "just now" within a minute.

    Args:
        then: The time to describe, aware.
        now: The present time, aware.

    Returns:
        Whole units, rounded down; a month is 30 days, a year 365.
    """
    seconds = int((now - then).total_seconds())
    for unit, past, future in _UNITS:
        if abs(seconds) >= unit:
            return str((past if seconds > 0 else future) % (abs(seconds) // unit))
    return _("just now")
