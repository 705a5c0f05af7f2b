"""Bodies, query parameters and answers of the API of events and webhooks."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from memsite.events.types import DeliveryStatus, OffReason, Payload
from memsite.events.webhooks import Failure
from memsite.rest.pagination import PageQuery
from memsite.rest.parsing import Body

#: Beyond PostgreSQL's bigint nothing has a number.
_MOST = 2**63 - 1


class EventsQuery(Body):
    after: int | None = Field(
        None, ge=0, le=_MOST, description="Number of the last event seen; the header `Last-Event-ID` wins."
    )
    types: str = Field(
        "", max_length=1000, description="Types, separated by commas: `memory.*,thread.summarised`."
    )
    wait: bool = Field(True, description="`0`: answer with a page of JSON at once.")  # noqa: FBT003 - pydantic's own
    users: Literal["", "all"] = Field(
        "", description="`all`: the events of all end users of the key's application, in its own order."
    )

    @property
    def patterns(self) -> list[str]:
        """The patterns of `types`."""
        return [part.strip() for part in self.types.split(",") if part.strip()]


class EventOut(BaseModel):
    """An event. It holds ids; what they name has to be fetched, with the rights of that moment."""

    id: int
    type: str
    created_at: datetime
    memory: UUID | None
    thread: UUID | None
    action: str | None
    batch_id: UUID | None
    actor: str | None
    user: str | None = Field(None, description="The end user's external id; only with `users=all`.")


class EventsOut(BaseModel):
    """A page of events, oldest first."""

    results: list[EventOut]
    last: int = Field(description="Ask again with `after` set to this.")
    more: bool


_Url = Annotated[
    str,
    Field(
        min_length=1, max_length=2000, description="https, at a public address or a host of the operator's."
    ),
]
_Types = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=64)]],
    Field(max_length=50, description="Types, or groups of them: `memory.*`. None: all."),
]


class WebhookIn(Body):
    url: _Url
    types: _Types = []
    payload: Payload = Field(
        Payload.THIN, description="`full` adds the memory as `object`, while it is active; `thin` sends ids."
    )


class WebhookPatch(Body):
    url: _Url | None = None
    types: _Types | None = None
    payload: Payload | None = None
    enabled: bool | None = None


class WebhookOut(BaseModel):
    """A webhook, without its secret."""

    id: UUID
    url: str
    types: list[str]
    payload: Payload
    enabled: bool
    off_reason: OffReason | None = Field(description="Why it is off.")
    off_since: datetime | None
    last: int = Field(description="Number of the last event that has become a delivery.")
    failing_since: datetime | None = Field(description="Since when all attempts fail.")
    previous_secret_until: datetime | None = Field(description="Until when the previous secret signs, too.")
    created_at: datetime


class WebhooksOut(BaseModel):
    """All webhooks of an owner, the oldest first."""

    results: list[WebhookOut]


class NewWebhookOut(WebhookOut):
    """A webhook with its secret, which no other answer shows."""

    secret: str


class DeliveriesQuery(PageQuery):
    status: DeliveryStatus | None = None


class DeliveryOut(BaseModel):
    """One event on its way to one webhook. What begins with `attempted_at` is about the last attempt."""

    id: UUID
    message_id: str = Field(description="The header `webhook-id` of every attempt.")
    event: int | None = Field(description="Number of the event; null for a test and a reset.")
    type: str
    data: dict[str, Any]
    status: DeliveryStatus
    attempts: int
    created_at: datetime
    next_attempt_at: datetime | None
    attempted_at: datetime | None
    duration_ms: int | None
    status_code: int | None
    error: Failure | None
    response: str = Field(description="The first 1,024 bytes of the answer's body, without secrets.")


class DeliveriesOut(BaseModel):
    """A page of deliveries, newest first."""

    results: list[DeliveryOut]
    next: str | None
    previous: str | None


class ReplayIn(Body):
    after: int = Field(ge=0, le=_MOST, description="Number of the last event that is not sent again.")


class ReplayOut(BaseModel):
    """What is sent again."""

    after: int
    last: int = Field(description="Number of the last event of the log.")
