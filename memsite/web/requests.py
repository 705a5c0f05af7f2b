"""Shared parts of the pages' views: the person of a request, the page to return to, and notices."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from memsite.errors import NotAuthenticated


def get_owner(request: HttpRequest) -> UUID:
    """Return the id of the signed-in person. Raises NotAuthenticated if nobody is signed in."""
    owner = request.user.pk
    if owner is None:
        raise NotAuthenticated("Please sign in.")
    return owner


def get_return_url(request: HttpRequest, default: str) -> str:
    """Return the posted `next` if it is a URL of this site, else `default`."""
    target = request.POST.get("next", "")
    secure = request.is_secure()
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=secure)
    return target if target and safe else default


_UNDO: Final = "undo="


def notify(request: HttpRequest, text: str, *, undo_url: str = "", level: int = messages.SUCCESS) -> None:
    """Show a notice once.

    Args:
        request: The person's request.
        text: The notice.
        undo_url: URL at which a POST undoes the change; "" for none.
        level: Level of Django's messages.
    """
    messages.add_message(request, level, text, extra_tags=f"{_UNDO}{undo_url}" if undo_url else "")


def undo_url_of(extra_tags: str) -> str:
    """Return the undo URL of a message, or ""."""
    return extra_tags.removeprefix(_UNDO) if extra_tags.startswith(_UNDO) else ""
