"""Events, keys, people and jobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Event:
    """One event; it holds ids and no text."""

    id: int
    type: str
    created_at: datetime
    memory: str | None
    thread: str | None
    action: str | None
    batch_id: str | None
    actor: str | None
    user: str | None = None


@dataclass(frozen=True, kw_only=True)
class EventPage:
    """A page of events; ask again with `after=last` while `more`."""

    results: tuple[Event, ...]
    last: int
    more: bool


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """An address that events are sent to."""

    id: str
    url: str
    types: tuple[str, ...]
    payload: str
    enabled: bool
    off_reason: str | None
    off_since: datetime | None
    last: int
    failing_since: datetime | None
    previous_secret_until: datetime | None
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class NewWebhook(Webhook):
    """A webhook with its secret, `whsec_…`; only this answer contains it."""

    secret: str


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """What was sent to a webhook, or will be."""

    id: str
    message_id: str
    event: int | None
    type: str
    data: Mapping[str, Any]
    status: str
    attempts: int
    created_at: datetime
    next_attempt_at: datetime | None
    attempted_at: datetime | None
    duration_ms: int | None
    status_code: int | None
    error: str | None
    response: str


@dataclass(frozen=True, kw_only=True)
class Replayed:
    """The events that are sent again: those after `after`, up to `last`."""

    after: int
    last: int


@dataclass(frozen=True, kw_only=True)
class Key:
    """A key, without the key itself."""

    id: str
    name: str
    prefix: str
    scopes: tuple[str, ...]
    application: str | None
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    last_used_address: str | None
    revoked_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class IssuedKey(Key):
    """A new key; only this answer contains it."""

    key: str


@dataclass(frozen=True, kw_only=True)
class OwnKey:
    """The key that the request was made with."""

    id: str
    name: str
    prefix: str
    scopes: tuple[str, ...]
    application: str | None
    expires_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Me:
    """The user for whom the requests act."""

    id: str
    kind: str
    username: str
    application: str | None
    external_id: str | None
    key: OwnKey | None


@dataclass(frozen=True, kw_only=True)
class EndUser:
    """An end user of an application."""

    id: str
    application: str
    external_id: str
    is_active: bool
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class Preferences:
    """What the person chose."""

    memory_on: bool
    auto_extract: bool
    citations_on: bool
    kept_kinds: tuple[str, ...]
    refused_kinds: tuple[str, ...]
    language: str


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens and cost of one model on one day."""

    day: date
    model: str
    calls: int
    failures: int
    input_tokens: int
    output_tokens: int
    cost: float


@dataclass(frozen=True, kw_only=True)
class Usages:
    """Usage of the last days, newest first."""

    daily_tokens: int
    tokens_today: int
    results: tuple[Usage, ...]


@dataclass(frozen=True, kw_only=True)
class TokenCount:
    """A count of tokens."""

    tokens: int
    messages: tuple[int, ...] | None
    encoding: str
    is_estimate: bool


@dataclass(frozen=True, kw_only=True)
class Queued:
    """A job that does the work."""

    job: str


@dataclass(frozen=True, kw_only=True)
class Job:
    """The state of a job."""

    id: str
    task: str
    status: str
    attempts: int
    error: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
