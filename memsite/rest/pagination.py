"""Keyset pagination: `{"results", "next", "previous"}` with `page_size`, `cursor`, `sort`, `order`.

A cursor names the last row seen, by sort value and id. So every page is one index range, rows added meanwhile
shift nothing, and any number of equal sort values can be paged through (DRF's CursorPagination counts equal
values by offset and gives up after 1,000 of them).
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeVar
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from pydantic import Field
from rest_framework.request import Request

from memsite.errors import InvalidInput
from memsite.rest.parsing import Body
from memsite.values import parse_id

MAX_PAGE_SIZE = 200
R = TypeVar("R", bound=Model)


class PageQuery(Body):
    """Query parameters of every list. Without `sort`, `order` applies to the list's first sort."""

    page_size: int = Field(20, ge=1, le=MAX_PAGE_SIZE)
    cursor: str = ""
    sort: str = ""
    order: Literal["asc", "desc"] = "desc"


@dataclass(frozen=True, slots=True)
class _Cursor:
    backwards: bool
    value: Any
    row_id: UUID

    def encode(self) -> str:
        value = self.value.isoformat() if isinstance(self.value, datetime) else self.value
        raw = json.dumps(
            [int(self.backwards), str(value) if isinstance(value, UUID) else value, str(self.row_id)]
        )
        return base64.urlsafe_b64encode(raw.encode()).decode().rstrip("=")

    @classmethod
    def decode(cls, text: str) -> _Cursor:
        try:
            raw = json.loads(base64.urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4)))
            backwards, value, row_id = raw
        except (ValueError, TypeError, binascii.Error, RecursionError):
            raise InvalidInput("This cursor is not one of ours.", {"cursor": "invalid"}) from None
        identifier = parse_id(row_id)
        if identifier is None or not isinstance(value, (str, int, float)):
            raise InvalidInput("This cursor is not one of ours.", {"cursor": "invalid"})
        return cls(bool(backwards), value, identifier)


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list.

    Attributes:
        rows: In the requested order.
        next: Cursor of the next page; None at the end of the list.
        previous: Cursor of the previous page; None at the start of the list.
    """

    rows: Sequence[Any]
    next: str | None
    previous: str | None


def paginate(rows: QuerySet[R], query: PageQuery, sorts: Mapping[str, str]) -> Page:
    """Return one page of a queryset. Costs one query.

    Args:
        rows: The whole list.
        query: The list's query parameters.
        sorts: Public name → field (not null); the first one is the default.

    Raises:
        InvalidInput: For an unknown sort or an invalid cursor.
    """
    name = query.sort or next(iter(sorts))
    if name not in sorts:
        raise InvalidInput(f"sort is one of {', '.join(sorts)}.", {"sort": "unknown"})
    field, descending = sorts[name], query.order == "desc"
    cursor = _Cursor.decode(query.cursor) if query.cursor else None
    backwards = cursor is not None and cursor.backwards
    downwards = descending != backwards
    if cursor is not None:
        rows = _after(rows, field, cursor, downwards=downwards)
    sign = "-" if downwards else ""
    found = list(rows.order_by(f"{sign}{field}", f"{sign}id")[: query.page_size + 1])
    more, found = len(found) > query.page_size, found[: query.page_size]
    if backwards:
        found.reverse()
    has_next, has_previous = (True, more) if backwards else (more, cursor is not None)
    return Page(
        rows=found,
        next=_cursor_at(found[-1], field, backwards=False) if found and has_next else None,
        previous=_cursor_at(found[0], field, backwards=True) if found and has_previous else None,
    )


def _after(rows: QuerySet[R], field: str, cursor: _Cursor, *, downwards: bool) -> QuerySet[R]:
    comparison = "lt" if downwards else "gt"
    try:
        return rows.filter(
            Q(**{f"{field}__{comparison}e": cursor.value}),
            Q(**{f"{field}__{comparison}": cursor.value})
            | Q(**{field: cursor.value, f"id__{comparison}": cursor.row_id}),
        )
    except (ValueError, TypeError, OverflowError, ValidationError):
        raise InvalidInput("This cursor is not one of ours.", {"cursor": "invalid"}) from None


def _cursor_at(row: Model, field: str, *, backwards: bool) -> str:
    return _Cursor(backwards, getattr(row, field), row.pk).encode()


def page_json(page: Page, render: Callable[[Any], Any], request: Request) -> dict[str, Any]:
    """Return the page as JSON; next and previous are complete URLs that keep the other parameters."""

    def address(cursor: str | None) -> str | None:
        if cursor is None:
            return None
        query = request.query_params.copy()
        query["cursor"] = cursor
        return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")

    return {
        "results": [render(row) for row in page.rows],
        "next": address(page.next),
        "previous": address(page.previous),
    }
