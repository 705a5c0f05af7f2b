"""The list of threads, and the form for a new one."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from memsite.rest.pagination import PageQuery, paginate
from memsite.web.requests import get_owner
from threads.messages import create_thread
from threads.pages.forms import ThreadForm
from threads.storage import list_threads

PAGE_SIZE: Final = 20
_SORTS: Final = {"updated": "updated_at"}


@login_required
@require_safe
@vary_on_headers("HX-Request")
def show_threads(request: HttpRequest) -> HttpResponse:
    """List the person's threads, the one changed last first. An htmx request for more gets only the rows."""
    query = PageQuery(page_size=PAGE_SIZE, cursor=request.GET.get("cursor", ""))
    page = paginate(list_threads(owner=get_owner(request)), query, _SORTS)
    template = "threads/_more.html" if request.headers.get("HX-Target") == "more" else "threads/list.html"
    return render(request, template, {"page": page})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_new_thread(request: HttpRequest) -> HttpResponse:
    """Show the form for a new thread, and create the thread on POST."""
    form = ThreadForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = create_thread(owner=get_owner(request), **form.cleaned_data)
        return redirect("thread", made.pk)
    return render(request, "threads/new.html", {"form": form}, status=422 if form.errors else 200)
