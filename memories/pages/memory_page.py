"""Show one memory: its text, sources, history and citations."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memories import ports
from memories.curation import list_history
from memories.storage import get_memory, load_sources, note_access
from memsite.web.requests import get_owner


@login_required
@require_safe
def show_memory(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    """Show the page of one memory. Opening it counts as an access."""
    owner = get_owner(request)
    found = get_memory(memory_id, owner=owner)
    references = load_sources([found.pk], owner=owner).get(found.pk, [])
    facts = {
        "memory": found,
        "sources": ports.sources(references, owner=owner),
        "entries": list_history(memory_id, owner=owner),
        "citations": ports.citations([found.pk], owner=owner),
    }
    note_access([found.pk], owner=owner)
    return render(request, "memories/memory.html", facts)
