"""Define what webhooks need from the apps above, which register it when the site starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from django.http import HttpRequest
from rest_framework.request import Request


class RenderMemory(Protocol):
    """Returns an active memory as the API shows it; None if it is not active, or not the owner's."""

    def __call__(self, memory_id: UUID, *, owner: UUID) -> Mapping[str, Any] | None: ...


class RecordAct(Protocol):
    """Writes an act of the caller on their own account into the audit record."""

    def __call__(
        self, request: HttpRequest | Request, act: str, subject: str, ids: Sequence[UUID]
    ) -> object: ...


@dataclass(slots=True)
class _Registered:
    render_memory: RenderMemory | None = None
    redact: Callable[[str], str] | None = None
    record_act: RecordAct | None = None


_registered = _Registered()


def register_memories(render_memory: RenderMemory, redact: Callable[[str], str]) -> None:
    """Register how to render a memory, and how to remove secrets from a text."""
    _registered.render_memory = render_memory
    _registered.redact = redact


def register_audit(record_act: RecordAct) -> None:
    """Register how to record an act."""
    _registered.record_act = record_act


def render_memory(memory_id: UUID, *, owner: UUID) -> Mapping[str, Any] | None:
    """Return an active memory as the API shows it; None without one."""
    render = _registered.render_memory
    return render(memory_id, owner=owner) if render else None


def redact(text: str) -> str:
    """Return a text without secrets; nothing of it if nobody can say what is one."""
    return _registered.redact(text) if _registered.redact else ""


def record_act(request: HttpRequest | Request, act: str, ids: Sequence[UUID]) -> None:
    """Record an act of the caller on their webhooks."""
    if _registered.record_act:
        _registered.record_act(request, act, "webhooks", ids)
