"""What a person says later changes what was true before, without a model."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from memories.extraction import extract_by_rules
from memories.models import Memory
from memories.storage import MemoryFilter, list_memories
from memories.values import Utterance
from memories.writing import remember
from memsite.accounts.models import User

TODAY = datetime(2026, 3, 1, 9, tzinfo=UTC)


def say(owner: UUID, *texts: str) -> None:
    """Say one text a day, the last one on TODAY, and learn from each before the next is said."""
    for place, text in enumerate(texts):
        at = TODAY - timedelta(days=len(texts) - 1 - place)
        said = Utterance(f"message:{place}", "user", text, at, session=f"thread-{place}:1")
        remember(extract_by_rules([said]), owner=owner, actor="test")


def active(owner: UUID) -> set[str]:
    return set(Memory.objects.filter(owner=owner, status="active").values_list("object", flat=True))


def true_at(owner: UUID, moment: datetime) -> set[str]:
    rows = list_memories(MemoryFilter(as_of=moment), owner=owner)
    return set(rows.values_list("object", flat=True))


@pytest.mark.parametrize(
    ("first", "then", "now"),
    [
        ("I work at Acme.", "I have worked at Globex since 2021.", "Globex"),
        ("I work at Acme.", "I started working at Globex last week.", "Globex"),
        ("I work at Acme.", "I've been working for Globex for two years.", "Globex"),
        ("I live in Oslo.", "I moved to Rome last month.", "Rome"),
        ("我在腾讯工作。", "我从2021年开始在华为工作。", "华为"),
        ("I moved to Oslo in 2024.", "I have lived in Rome since 2022.", "Rome"),
    ],
)
def test_later_statement_of_the_present_holds_though_it_began_earlier(
    alice: User, first: str, then: str, now: str
) -> None:
    say(alice.pk, first, then)
    assert active(alice.pk) == {now}
    assert not Memory.objects.filter(owner=alice, object=now).exclude(valid_until=None)


def test_job_that_began_in_the_past_answers_for_its_time(alice: User) -> None:
    say(alice.pk, "I work at Acme.", "I have worked at Globex since 2021.")
    assert true_at(alice.pk, datetime(2022, 1, 1, tzinfo=UTC)) == {"Globex"}
    assert true_at(alice.pk, timezone.now()) == {"Globex"}


def test_move_of_long_ago_does_not_end_a_home_with_a_later_beginning(alice: User) -> None:
    say(alice.pk, "I moved to Oslo in 2024.", "I moved to Rome in 2022.")
    assert active(alice.pk) == {"Oslo"}
    assert true_at(alice.pk, datetime(2023, 1, 1, tzinfo=UTC)) == {"Rome"}


def test_past_that_is_said_to_be_over_does_not_end_the_present(alice: User) -> None:
    say(alice.pk, "I live in Oslo.", "I moved to Rome in 2022 and stayed there until 2023.")
    assert active(alice.pk) == {"Oslo"}
