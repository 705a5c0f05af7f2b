"""Accounts of an owner's memories: how good they are, where they disagree, and what would mend them.

A report holds counts and ids, never a text: what it shows is looked up when it is read, so that what
was erased is gone from every report.
"""

from memories.maintenance.reports import making, reading, requesting, site
from memories.maintenance.reports.findings import KINDS
from memories.maintenance.reports.mends import mend
from memories.maintenance.reports.reading import Reading, Seen
from memories.maintenance.reports.trend import Point

__all__ = [
    "KINDS",
    "Point",
    "Reading",
    "Seen",
    "making",
    "mend",
    "reading",
    "requesting",
    "site",
]
