"""The relevance law, by its formula and as the database reckons it."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memories.maintenance.forgetting import law, verdicts
from memories.models import Memory
from memories.values import LIFESPANS, Lifespan
from memsite.accounts.models import User
from tests.memories.forgetting.rows import NOW, unsaved

_SHARES = st.floats(0.0, 1.0)
_DAYS = st.floats(0.0, 20_000.0)


def test_formula_is_the_one_written_down() -> None:
    found = law.compute_relevance(days=30, access_count=3, importance=0.8, lifespan=Lifespan.LONG)
    assert found == pytest.approx(math.exp(-0.3) * (1 + math.log(4)) * 0.8)


@given(days=_DAYS, count=st.integers(0, 10_000), importance=_SHARES)
def test_core_memory_does_not_fade(days: float, count: int, importance: float) -> None:
    fresh = law.compute_relevance(days=0, access_count=count, importance=importance, lifespan=Lifespan.CORE)
    later = law.compute_relevance(
        days=days, access_count=count, importance=importance, lifespan=Lifespan.CORE
    )
    assert later == fresh


@given(days=_DAYS, more=_DAYS, count=st.integers(0, 10_000), importance=_SHARES)
def test_time_never_makes_a_memory_more_relevant(
    days: float, more: float, count: int, importance: float
) -> None:
    for lifespan in LIFESPANS:
        now = law.compute_relevance(days=days, access_count=count, importance=importance, lifespan=lifespan)
        later = law.compute_relevance(
            days=days + more, access_count=count, importance=importance, lifespan=lifespan
        )
        assert later <= now


@pytest.mark.parametrize(
    ("relevance", "expected"),
    [
        (0.0, "fading"),
        (0.299, "fading"),
        (0.3, "steady"),
        (0.7, "steady"),
        (0.701, "in_use"),
        (4.0, "in_use"),
    ],
)
def test_vitality_has_three_names(relevance: float, expected: str) -> None:
    assert law.classify_vitality(relevance) == expected


@pytest.mark.django_db
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    days=_DAYS,
    count=st.integers(0, 2**31 - 1),
    importance=_SHARES,
    lifespan=st.sampled_from(LIFESPANS),
)
def test_database_reckons_as_the_formula_says(
    alice: User, days: float, count: int, importance: float, lifespan: Lifespan
) -> None:
    row = unsaved(alice, days=days, access_count=count, importance=importance, lifespan=lifespan)
    row.save(force_insert=True)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {verdicts.relevance_sql()} FROM memories_memory AS m WHERE m.id = %(id)s",  # noqa: S608 - our text
            {"now": NOW, "id": row.pk},
        )
        (found,) = cursor.fetchone()
    Memory.objects.filter(owner=alice).delete()
    whole = (NOW - row.created_at) / timedelta(days=1)
    assert found == pytest.approx(
        law.compute_relevance(days=whole, access_count=count, importance=importance, lifespan=lifespan),
        rel=1e-9,
        abs=1e-12,
    )
