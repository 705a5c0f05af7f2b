"""Show one memory: its text, sources, history and citations."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memories import ports
from memories.curation import history
from memories.storage import get_memory, note_access, sources_of
from memsite.web.person import owner_of


@login_required
@require_safe
def memory(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    """Show the page of one memory. Opening it counts as an access."""
    owner = owner_of(request)
    found = get_memory(memory_id, owner=owner)
    references = sources_of([found.pk], owner=owner).get(found.pk, [])
    facts = {
        "memory": found,
        "sources": ports.sources(references, owner=owner),
        "entries": history(memory_id, owner=owner),
        "citations": ports.citations([found.pk], owner=owner),
    }
    note_access([found.pk], owner=owner)
    return render(request, "memories/memory.html", facts)
