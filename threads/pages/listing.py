"""The column of threads: search, load more, snippets; and the page that has only this column on a phone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from memsite.accounts.preferences import get_preferences
from memsite.metering import get_model_name
from memsite.rest.pagination import PageQuery, paginate
from memsite.web.requests import get_owner
from threads.models import Thread
from threads.pages.forms import FirstMessageForm
from threads.storage import load_snippets, search_threads

PAGE_SIZE: Final = 20
_SORTS: Final = {"updated": "updated_at"}
_LONGEST_SEARCH: Final = 200


#: Marks of Markdown in one line, and what of them is read.
_MARKDOWN: Final = (
    (re.compile(r"`{3,}\w*"), ""),
    (re.compile(r"`([^`]+)`"), r"\1"),
    (re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*"), r"\1"),
    (re.compile(r"(?:^|(?<=\s))#{1,6}\s+"), ""),
    (re.compile(r"^(?:>|[-*+])\s+"), ""),
    (re.compile(r"\[([^\[\]]+)\]\([^()\[\]\s]*\)"), r"\1"),
)


def remove_markdown(line: str) -> str:
    """Return a line without its marks of Markdown: headings, bold, code, quotes, list items, links."""
    for marks, kept in _MARKDOWN:
        line = marks.sub(kept, line)
    return line


@dataclass(frozen=True, slots=True)
class ListedThread:
    """A thread in the column. `snippet` is plain text of its newest message, or of what was searched for."""

    thread: Thread
    snippet: str


@dataclass(frozen=True, slots=True)
class Column:
    """A page of the column. `next` is the cursor of the next page, if any."""

    rows: list[ListedThread]
    words: str
    next: str | None


def load_column(query: QueryDict, *, owner: UUID) -> Column:
    """Return the threads that were searched for, the one changed last first. Two queries."""
    words = query.get("q", "").replace("\x00", "").strip()[:_LONGEST_SEARCH]
    page = paginate(
        search_threads(words, owner=owner),
        PageQuery(page_size=PAGE_SIZE, cursor=query.get("cursor", "")),
        _SORTS,
    )
    snippets = load_snippets(page.rows, words, owner=owner) if page.rows else {}
    return Column(
        [ListedThread(row, remove_markdown(snippets.get(row.pk, ""))) for row in page.rows], words, page.next
    )


def chat_facts(request: HttpRequest) -> dict[str, Any]:
    """Return what every chat page shows beside the conversation."""
    owner = get_owner(request)
    return {
        "column": load_column(request.GET, owner=owner),
        "preferences": SimpleLazyObject(lambda: get_preferences(owner)),
        "has_model": bool(get_model_name("primary")),
    }


@login_required
@require_safe
@vary_on_headers("HX-Request", "HX-Target")
def show_threads(request: HttpRequest) -> HttpResponse:
    """Show the person's threads, and where there is room beside them a new one.

    An htmx request gets the changed part of the column only.
    """
    facts = chat_facts(request)
    part = {"more": "threads/_more.html", "thread-list": "threads/_column_list.html"}
    if template := part.get(request.headers.get("HX-Target", "")):
        return render(request, template, facts)
    facts |= {"form": FirstMessageForm(), "is_list": True}
    return render(request, "threads/new.html", facts)
