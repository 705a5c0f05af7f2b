"""Sentences and words of the layers beyond the pages, listed so that they are translated like those of pages.

What raises them knows no language; `errors` and the filter `spoken` look the translation up. A test
holds each to a place in the source that says it.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

SENTENCES: Final = (
    _("There is no such memory."),
    _("There is no such thread."),
    _("There is no such message in this thread."),
    _("There is no such API key."),
    _("There is no such batch."),
    _("This memory no longer stands; edit the one that followed it."),
    _("Another memory says this already."),
    _("Another memory says the same already."),
    _("A later change touched the same memories; undo that one first."),
    _("Something of this batch was erased for good; it cannot be undone."),
    _("Memory is switched off for this person."),
    _("This temporary thread is closed."),
    _("This cursor is not one of ours."),
    _("This invitation has just been used."),
    _("PostgreSQL's write-ahead log, until it is recycled"),
    _("dead rows in the data files, until VACUUM"),
    _("backups made earlier"),
)
#: What an erasure counts, what staff look at and what they do.
WORDS: Final = (
    _("memories"),
    _("embeddings"),
    _("sources"),
    _("events"),
    _("citations"),
    _("entities"),
    _("threads"),
    _("users"),
    _("API keys"),
    _("applications"),
    _("audit entries"),
    _("look"),
    _("forget"),
    _("restore"),
    _("approve"),
    _("pin"),
    _("revoke"),
    _("change"),
    _("add"),
    _("set password"),
)
