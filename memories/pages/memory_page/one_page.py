"""Show one memory: its text, its state in words, its sources, history, connections and citations."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memories.curation import find_erasure
from memories.pages.memory_page.page_content import load_page_content
from memories.storage import get_memory, note_access
from memsite.errors import NotFound
from memsite.web.requests import get_owner


@login_required
@require_safe
def show_memory(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    """Show the page of one memory, or that it was erased. Opening it counts as an access."""
    owner = get_owner(request)
    try:
        memory = get_memory(memory_id, owner=owner)
    except NotFound:
        erasure = find_erasure(memory_id, owner=owner)
        if erasure is None:
            raise
        return render(request, "memories/memory_page/gone.html", {"erasure": erasure}, status=410)
    note_access([memory.pk], owner=owner)
    return render(
        request, "memories/memory_page/memory.html", {"one": load_page_content(memory, owner=owner)}
    )
