"""What is true does not depend on the order in which messages are learnt, only on when they were written."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memories.curation import undo_batch
from memories.extraction import extract_by_rules
from memories.models import LinkKind, Memory, MemoryEmbedding, MemoryLink, Mention
from memories.storage import load_sources
from memories.values import Utterance
from memories.writing import write_candidates
from memsite.accounts.models import User
from memsite.values import MessageRole

BEGIN = datetime(2026, 3, 1, 9, tzinfo=UTC)
LIKES, DISLIKES = "I like coffee.", "I don't like coffee any more."
#: Statements of one life, of which each contradicts, replaces or repeats others.
LIVES = (
    (LIKES, DISLIKES),
    (LIKES, DISLIKES, "I gave up coffee.", "I like tea."),
    ("我喜欢喝咖啡。", "我不喜欢咖啡了。"),
    ("I live in Berlin.", "I live in Paris.", "I live in Rome."),
    ("我在腾讯工作。", "我在华为工作。"),
    ("I work at Acme.", "I work at Globex.", "I left Acme."),
    ("I'm married.", "I'm divorced.", "I'm not married any more."),
)
#: Each replaces what was said before it. None is repeated.
CHANGES = (
    ("I use Vue.", "I have moved to React."),
    ("I use Vue.", "I use Svelte.", "I've switched from Svelte to Angular."),
    ("I use Vim.", "I replaced Vim with Emacs.", "I have moved to Zed."),
    ("I work at Acme.", "I have worked at Globex since 2021."),
    ("I like coffee.", "I used to like coffee."),
    ("我用 Vim。", "我把 Vim 换成了 Emacs。"),
)

Days = Sequence[tuple[int, str]]
Row = tuple[object, ...]


def learn(owner: UUID, days: Days) -> UUID:
    """Learn from each message by itself, in the order given; return the id of the last batch."""
    for day, text in days:
        at = BEGIN + timedelta(days=day)
        message = Utterance(f"message:{day}", MessageRole.USER, text, at, session=f"thread-{day}:1")
        written = write_candidates(extract_by_rules([message]), owner=owner, actor="test")
    return written.batch_id


def list_rows(owner: UUID) -> list[Row]:
    rows = Memory.objects.filter(owner=owner, retired_at=None)
    sources = load_sources([row.pk for row in rows], owner=owner)
    return sorted(
        (
            *(row.content, row.status, row.valid_from, str(row.valid_until), row.occurred_at),
            *(row.occurrence_count, tuple(sorted(sources.get(row.pk, [])))),
        )
        for row in rows
    )


def learn_anew(owner: UUID, days: Days) -> list[Row]:
    Memory.objects.filter(owner=owner).delete()
    learn(owner, days)
    return list_rows(owner)


def days_of(texts: Sequence[str]) -> list[tuple[int, str]]:
    return list(enumerate(texts))


lives = st.sampled_from(LIVES).flatmap(
    lambda texts: st.lists(st.sampled_from(texts), min_size=2, max_size=4).map(days_of)
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(days=lives, data=st.data())
def test_life_is_the_same_in_whichever_order_it_is_learnt(
    alice: User, days: Days, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(days))
    assert learn_anew(alice.pk, order) == learn_anew(alice.pk, days)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(days=st.sampled_from(CHANGES).map(days_of), data=st.data())
def test_change_ends_what_is_learnt_after_it(alice: User, days: Days, data: st.DataObject) -> None:
    order = data.draw(st.permutations(days))
    assert learn_anew(alice.pk, order) == learn_anew(alice.pk, days)


@pytest.mark.parametrize("order", [(0, 2, 1), (2, 0, 1), (2, 1, 0), (1, 2, 0)])
def test_statement_before_and_after_a_change_has_two_periods(alice: User, order: tuple[int, ...]) -> None:
    days = days_of([LIKES, DISLIKES, LIKES])
    learn(alice.pk, [days[place] for place in order])
    rows = Memory.objects.filter(owner=alice).order_by("valid_from")
    ends = [BEGIN + timedelta(days=1), BEGIN + timedelta(days=2), None]
    assert [row.valid_until for row in rows] == ends
    assert [row.status for row in rows] == ["deprecated", "deprecated", "active"]
    assert MemoryLink.objects.filter(owner=alice, kind=LinkKind.SUPERSEDES).count() == 2


def test_period_that_is_split_off_is_found_as_the_memory_was(alice: User) -> None:
    learn(alice.pk, [(0, LIKES), (2, LIKES), (1, DISLIKES)])
    past, now = Memory.objects.filter(owner=alice, predicate="likes").order_by("valid_from")
    for table in (MemoryEmbedding, Mention):
        assert table.objects.filter(memory=past).count() == table.objects.filter(memory=now).count() > 0
    assert (past.terms, past.entity_terms, past.slot) == (now.terms, now.entity_terms, now.slot)


def test_undoing_a_late_statement_joins_what_it_split(alice: User) -> None:
    learn(alice.pk, [(0, LIKES), (2, LIKES)])
    before = Memory.objects.filter(owner=alice).values_list("valid_from", "occurrence_count", "status").get()
    undo_batch(learn(alice.pk, [(1, DISLIKES)]), owner=alice.pk, actor="test")
    rows = Memory.objects.filter(owner=alice, status="active")
    assert rows.values_list("valid_from", "occurrence_count", "status").get() == before
