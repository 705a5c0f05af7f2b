"""Show the timeline: what was so, or was believed, when."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from memories.pages.timeline.lanes import load_timeline
from memories.pages.timeline.timeline_query import TimelineQuery
from memsite.web.requests import get_owner


@login_required
@require_safe
@vary_on_headers("HX-Request", "HX-Target")
def show_timeline(request: HttpRequest) -> HttpResponse:
    """Show the lanes, or for htmx the part of the page that changes."""
    query = TimelineQuery.of(request.GET)
    facts = {"timeline": load_timeline(query, owner=get_owner(request))}
    if not request.htmx or request.htmx.history_restore_request:  # type: ignore[attr-defined]  # by HtmxMiddleware
        return render(request, "memories/timeline/timeline.html", facts)
    if request.headers.get("HX-Target") == "more":
        return render(request, "memories/timeline/_lanes.html", facts)
    response = render(request, "memories/timeline/_timeline.html", facts)
    response["HX-Push-Url"] = request.path + query.as_query()
    return response
