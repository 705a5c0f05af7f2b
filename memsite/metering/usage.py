"""Model usage of owners: written after each call, read by day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import Sum
from django.utils import timezone

from memsite.llm.chat import Usage
from memsite.metering.models import ModelPurpose, ModelUsage
from memsite.values import new_id

_MILLION: Final = 1_000_000
_SUMMED: Final = ("calls", "failures", "input_tokens", "output_tokens", "cost")
# Selects the owner's own row, so that a call that outlives its owner writes nothing.
_ADD: Final = """
    INSERT INTO metering_modelusage AS u
        (id, owner_id, day, model, purpose, calls, failures, input_tokens, output_tokens, cost)
    SELECT %(id)s, owner.id, %(day)s, %(model)s, %(purpose)s, 1, %(failures)s, %(input)s, %(output)s, %(cost)s
    FROM {people} AS owner WHERE owner.id = %(owner)s FOR KEY SHARE
    ON CONFLICT (owner_id, day, model, purpose) DO UPDATE SET
        calls = u.calls + 1,
        failures = u.failures + excluded.failures,
        input_tokens = u.input_tokens + excluded.input_tokens,
        output_tokens = u.output_tokens + excluded.output_tokens,
        cost = u.cost + excluded.cost
"""


@dataclass(frozen=True, slots=True)
class UsageTotal:
    """A sum of usage.

    Attributes:
        cost: In the currency of the prices; 0 for models without a price.
    """

    calls: int = 0
    failures: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)

    @property
    def tokens(self) -> int:
        """Input and output tokens together, as the daily budget counts them."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class DailyUsage(UsageTotal):
    """An owner's use of one model on one day."""

    day: date = date.min
    model: str = ""


@dataclass(frozen=True, slots=True)
class PurposeUsage(UsageTotal):
    """An owner's use of one model for one purpose."""

    purpose: ModelPurpose = ModelPurpose.OTHER
    model: str = ""


def add_usage(
    usage: Usage,
    *,
    model: str,
    failed: bool,
    owner: UUID,
    purpose: ModelPurpose = ModelPurpose.OTHER,
) -> None:
    """Count one call. Costs one statement; writes nothing if the owner no longer exists."""
    people = get_user_model()._meta.db_table
    values: dict[str, UUID | date | str | int | Decimal] = {
        "id": new_id(),
        "owner": owner,
        "day": get_usage_day(),
        "model": model,
        "purpose": purpose.value,
        "failures": int(failed),
        "input": usage.input_tokens,
        "output": usage.output_tokens,
        "cost": compute_cost(usage, model),
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_ADD.format(people=people), values)


def compute_cost(usage: Usage, model: str) -> Decimal:
    """Return the cost at MEMSITE_MODEL_PRICES; 0 for a model without a price."""
    price_in, price_out = settings.MEMSITE_MODEL_PRICES.get(model, (Decimal(0), Decimal(0)))
    total: Decimal = (usage.input_tokens * price_in + usage.output_tokens * price_out) / _MILLION
    return total


def sum_tokens_today(*, owner: UUID) -> UsageTotal:
    """Return the sum over all models since midnight UTC."""
    sums = ModelUsage.objects.filter(owner_id=owner, day=get_usage_day()).aggregate(
        **{f: Sum(f) for f in _SUMMED}
    )
    return UsageTotal(**{name: value for name, value in sums.items() if value is not None})


def list_usage_by_day(*, owner: UUID, days: int) -> Sequence[DailyUsage]:
    """Return the use in the last `days` days including today by day and model: newest day first."""
    rows = _sum_by(("day", "model"), owner=owner, days=days)
    return sorted((DailyUsage(**row) for row in rows), key=lambda one: (-one.day.toordinal(), one.model))


def list_usage_by_purpose(*, owner: UUID, days: int) -> Sequence[PurposeUsage]:
    """Return the use in the last `days` days including today by purpose and model: most calls first."""
    rows = _sum_by(("purpose", "model"), owner=owner, days=days)
    found = (PurposeUsage(**{**row, "purpose": ModelPurpose(row["purpose"])}) for row in rows)
    return sorted(found, key=lambda one: (-one.calls, one.purpose, one.model))


def _sum_by(groups: tuple[str, ...], *, owner: UUID, days: int) -> list[dict[str, Any]]:
    """Return the sums of an owner's use in the last days, a row for each group."""
    since = get_usage_day() - timedelta(days=days - 1)
    rows = ModelUsage.objects.filter(owner_id=owner, day__gte=since).values(*groups)
    sums = rows.annotate(**{f"sum_{name}": Sum(name) for name in _SUMMED})
    return [{name.removeprefix("sum_"): value for name, value in row.items()} for row in sums]


def get_usage_day() -> date:
    """Return the current day of counts and budgets, in UTC."""
    return timezone.now().date()
