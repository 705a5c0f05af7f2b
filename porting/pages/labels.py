"""Describe imports for pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from porting.models import Import, ImportStatus
from porting.values import Format

FORMAT_LABELS: Final[Mapping[str, str | Promise]] = {
    Format.MEMSITE: "Memsite",
    Format.CHATGPT: "ChatGPT",
    Format.CLAUDE: "Claude",
    Format.GEMINI: "Gemini",
    Format.MEM0: "mem0",
    Format.OPENWEBUI: "Open WebUI",
    Format.LIBRECHAT: "LibreChat",
    Format.GRAPH: _("Knowledge graph"),
    Format.LINES: _("Pasted lines"),
}
STATUS_LABELS: Final[Mapping[str, Promise]] = {
    ImportStatus.WAITING: _("Waits for you"),
    ImportStatus.QUEUED: _("Begins soon"),
    ImportStatus.RUNNING: _("Underway"),
    ImportStatus.DONE: _("Done"),
    ImportStatus.FAILED: _("Failed"),
    ImportStatus.CANCELLED: _("Stopped"),
    ImportStatus.UNDONE: _("Undone"),
}

#: The counts of what an import did not write.
_NOT_WRITTEN: Final = frozenset({"skipped", "refused"})


@dataclass(frozen=True, slots=True)
class ImportLine:
    """One import as pages show it.

    Attributes:
        outcomes: What became of its items, as phrases.
        wanted: The label of the button that begins it.
        has_written: Whether it wrote or changed anything, so that there is something to undo.
    """

    row: Import
    product: str | Promise
    status: str | Promise
    outcomes: tuple[str, ...]
    wanted: str
    has_written: bool


def describe_import(row: Import) -> ImportLine:
    """Return an import with the words for it."""
    return ImportLine(
        row=row,
        product=FORMAT_LABELS.get(row.format, row.format),
        status=STATUS_LABELS.get(row.status, row.status),
        outcomes=tuple(_list_outcomes(row)),
        wanted=_name_wanted(row),
        has_written=any(count for name, count in row.counts.items() if name not in _NOT_WRITTEN),
    )


def _list_outcomes(row: Import) -> list[str]:
    counts = {name: int(count) for name, count in row.counts.items()}
    new = sum(counts.get(name, 0) for name in ("created", "merged", "superseded", "disputed", "restored"))
    threads, pending = counts.get("threads", 0), counts.get("pending", 0)
    strengthened, extended = counts.get("strengthened", 0), counts.get("extended", 0)
    skipped, refused, left = (counts.get(name, 0) for name in ("skipped", "refused", "left_out"))
    phrases = (
        (new, ngettext("%(count)d new memory", "%(count)d new memories", new)),
        (pending, ngettext("%(count)d waits in your inbox", "%(count)d wait in your inbox", pending)),
        (threads, ngettext("%(count)d conversation", "%(count)d conversations", threads)),
        (
            extended,
            ngettext("%(count)d conversation continued", "%(count)d conversations continued", extended),
        ),
        (strengthened, ngettext("%(count)d confirmed again", "%(count)d confirmed again", strengthened)),
        (skipped, ngettext("%(count)d was here already", "%(count)d were here already", skipped)),
        (refused, ngettext("%(count)d left out", "%(count)d left out", refused)),
        (left, ngettext("%(count)d changed since and kept", "%(count)d changed since and kept", left)),
    )
    return [phrase % {"count": count} for count, phrase in phrases if count]


def _name_wanted(row: Import) -> str:
    """Return what the button that begins an import says."""
    memories = int(row.preview.get("memories", 0))
    threads = int(row.preview.get("threads", 0)) if row.options.get("threads", True) else 0
    named_memories = ngettext("%(count)d memory", "%(count)d memories", memories) % {"count": memories}
    named_threads = ngettext("%(count)d conversation", "%(count)d conversations", threads) % {
        "count": threads
    }
    if memories and threads:
        return _("Import %(memories)s and %(threads)s") % {
            "memories": named_memories,
            "threads": named_threads,
        }
    if threads or memories:
        return _("Import %(what)s") % {"what": named_threads if threads else named_memories}
    return str(_("Import"))
