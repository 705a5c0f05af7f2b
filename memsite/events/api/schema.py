"""Query parameters and answers of the event log's API."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

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
