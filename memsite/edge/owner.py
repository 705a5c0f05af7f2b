"""Act for the signed-in person in the database while a page is made; `ApiView` does so for the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from memsite.rest.views import ApiView
from memsite.serving.postgres import NOBODY, act_as, act_for


class OwnerMiddleware:
    """Start each request without an owner, and act for its person as soon as the view is known."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        act_as(NOBODY)
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponseBase],
        _arguments: tuple[Any, ...],
        _keywords: dict[str, Any],
    ) -> None:
        """Act for the signed-in person. An API view authenticates by itself, also by key."""
        if issubclass(getattr(view, "cls", object), ApiView):
            return
        try:
            if request.user.is_authenticated:
                act_for(request.user.pk)
        except DatabaseError:
            return  # the view explains better what does not work without the database
