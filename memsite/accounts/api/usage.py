"""API of a caller's use of language models."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from drf_spectacular.utils import extend_schema
from pydantic import BaseModel, Field
from rest_framework.request import Request
from rest_framework.response import Response

from memsite.metering import list_usage_by_day, sum_tokens_today
from memsite.rest.openapi import describe_query
from memsite.rest.parsing import Body
from memsite.rest.views import ApiView, get_owner, parse_query


class UsageQuery(Body):
    """The number of days to return."""

    days: int = Field(30, ge=1, le=366, description="today and the days before it")


class UsageOut(BaseModel):
    """One model on one day (UTC). `calls` includes failed ones; `cost` uses the site's own prices."""

    day: date
    model: str
    calls: int
    failures: int
    input_tokens: int
    output_tokens: int
    cost: float


class UsagesOut(BaseModel):
    """`daily_tokens`: the limit per day, 0 for no limit; `tokens_today`: tokens used today."""

    daily_tokens: int
    tokens_today: int
    results: list[UsageOut]


class UsageView(ApiView):
    """Use of language models."""

    @extend_schema(
        operation_id="get_usage",
        summary="Use of language models",
        parameters=describe_query(UsageQuery),
        responses=UsagesOut,
    )
    def get(self, request: Request) -> Response:
        """Return tokens and cost by day and model, newest day first."""
        owner = get_owner(request)
        rows = list_usage_by_day(owner=owner, days=parse_query(UsageQuery, request).days)
        results = [{name: getattr(row, name) for name in UsageOut.model_fields} for row in rows]
        return Response(
            UsagesOut.model_validate(
                {
                    "daily_tokens": settings.MEMSITE_MODEL_DAILY_TOKENS,
                    "tokens_today": sum_tokens_today(owner=owner).tokens,
                    "results": results,
                }
            ).model_dump(mode="json")
        )
