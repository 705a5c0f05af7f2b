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
from memories.writing import write_candidates
from memsite.accounts.models import User
from memsite.values import MessageRole

TODAY = datetime(2026, 3, 1, 9, tzinfo=UTC)


def say(owner: UUID, *texts: str) -> None:
    """Say one text a day, the last one on TODAY, and learn from each before the next is said."""
    for place, text in enumerate(texts):
        at = TODAY - timedelta(days=len(texts) - 1 - place)
        said = Utterance(f"message:{place}", MessageRole.USER, text, at, session=f"thread-{place}:1")
        write_candidates(extract_by_rules([said]), owner=owner, actor="test")


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


@pytest.mark.parametrize(
    ("first", "then", "now"),
    [
        ("I use Vue.", "I have moved to React.", {"React"}),
        ("I use Foo.", "I've switched from Foo to Bar.", {"Bar"}),
        ("I use Vim.", "I replaced Vim with Emacs.", {"Emacs"}),
        ("I use VS Code.", "Nowadays I use Zed instead of VS Code.", {"Zed"}),
        ("I like Vue.", "Now I prefer React.", {"React"}),
        ("I prefer coffee.", "I prefer tea now.", {"tea"}),
        ("I use Foo for my notes.", "I've switched to Bar for my notes.", {"Bar"}),
        ("I love coffee.", "I don't like coffee any more.", {"coffee"}),
        ("I don't like coffee.", "I like coffee now.", {"coffee"}),
        ("I use Docker.", "I no longer use Docker.", {"Docker"}),
        ("I drink coffee every day.", "I gave up drinking coffee.", {"coffee"}),
        ("I love coffee.", "I gave up coffee.", {"coffee"}),
        ("I'm vegan.", "I'm not vegan any more.", {"vegan"}),
        ("I'm married.", "I'm divorced.", {"divorced"}),
        ("I work at Acme.", "I left Acme.", {"Acme"}),
        ("I live in Berlin.", "I no longer live in Berlin.", {"Berlin"}),
        ("我喜欢用 Vue 3。", "我现在更喜欢用 React。", {"React"}),
        ("我用 Vim。", "我把 Vim 换成了 Emacs。", {"Emacs"}),
        ("我用 Vue。", "我改用 React 了。", {"React"}),
        ("我喜欢喝咖啡。", "我不喜欢咖啡了。", {"咖啡"}),
        ("我喜欢喝咖啡。", "我戒了咖啡。", {"咖啡"}),
        ("我在腾讯工作。", "我从腾讯离职了。", {"腾讯"}),
        ("我用 Docker。", "我不再用 Docker 了。", {"Docker"}),
    ],
)
def test_change_ends_what_it_contradicts(alice: User, first: str, then: str, now: set[str]) -> None:
    say(alice.pk, first, then)
    new = Memory.objects.get(owner=alice, status="active")
    old = Memory.objects.get(owner=alice, status="deprecated")
    assert {new.object} == now
    assert (old.valid_until, old.retired_at) == (new.valid_from, None)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I use Vue.", "I use React."),
        ("I use PostgreSQL.", "I have moved to React."),
        ("I use Vue at work.", "I have moved to React."),
        ("I use Vue for my blog.", "I have moved to React for my shop."),
        ("I like coffee.", "I prefer tea now."),
        ("I use Vue 3.", "I no longer use Vue 2."),
        ("I love coffee.", "I don't drink coffee in the evening."),
        ("I don't like rain.", "I like snow now."),
        ("I play chess.", "I no longer play tennis."),
        ("我喜欢喝茶。", "我不喜欢咖啡了。"),
    ],
)
def test_change_leaves_what_may_still_be_true(alice: User, first: str, then: str) -> None:
    say(alice.pk, first, then)
    assert Memory.objects.filter(owner=alice, status="active").count() == 2


def test_past_before_a_change_is_answered_as_it_was(alice: User) -> None:
    say(alice.pk, "I use Vue.", "I have moved to React.")
    assert true_at(alice.pk, TODAY - timedelta(hours=12)) == {"Vue"}
    assert true_at(alice.pk, TODAY + timedelta(hours=1)) == {"React"}


def test_change_of_one_message_ends_what_the_message_said_before(alice: User) -> None:
    say(alice.pk, "I liked React for years. I love coffee. I don't like coffee any more.")
    coffee = Memory.objects.filter(owner=alice, object="coffee")
    assert set(coffee.values_list("predicate", "status")) == {
        ("likes", "deprecated"),
        ("dislikes", "active"),
    }


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
