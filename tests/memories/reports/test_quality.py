"""What a quality report counts and finds, and that its score falls when one thing gets worse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories import curation
from memories.maintenance.reports.report_making import make_reports
from memories.models import Memory, MemoryEmbedding, Report
from memories.models.report import today
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.jobs.models import Job, Status
from tests.memories.reports.conftest import Keep, MakeReport
from threads.messages import create_thread
from threads.models import Citation, Learning

FACTS = (
    "Alice keeps bees behind the barn.",
    "The invoice for the roof is due in March.",
    "Her brother teaches chemistry.",
    "The sourdough starter is called Bruno.",
    "Alice rides to work by bicycle.",
    "她每周三去游泳。",
)
Worsen = Callable[[User, Keep], object]


@pytest.fixture
def facts(alice: User, kept: Keep) -> list[Memory]:
    """Six memories in good order."""
    return [kept(alice, content) for content in FACTS]


def found(report: Report, kind: str) -> list[dict[str, Any]]:
    return [finding for finding in report.body["findings"] if finding["kind"] == kind]


def cited(owner: User, *, useful: bool | None = None, role: str = "recalled") -> Citation:
    thread = create_thread(owner=owner.pk)
    memory = Memory.objects.filter(owner_id=owner.pk).earliest("id")
    return Citation.objects.create(
        owner_id=owner.pk,
        thread_id=thread.pk,
        context_id=uuid4(),
        memory_id=memory.pk,
        score=0.9,
        useful=useful,
        role=role,
    )


def learnt(owner: User, source: str, error: str = "") -> None:
    thread = create_thread(owner=owner.pk)
    Learning.objects.create(owner_id=owner.pk, thread_id=thread.pk, source=source, error=error, messages=2)


def _forgotten(owner: User, kept: Keep) -> None:
    ids = list(Memory.objects.filter(owner_id=owner.pk).values_list("id", flat=True)[:4])
    curation.forget_memories(ids, owner=owner.pk, actor="person")


def _dead_job(owner: User, kept: Keep) -> None:
    Job.objects.create(
        task="threads.tasks.learn",
        owner_id=owner.pk,
        status=Status.DEAD,
        finished_at=kept(owner, "x1").created_at,
    )


def _fallback(owner: User, kept: Keep) -> None:
    learnt(owner, "fallback", "the model did not answer")


def _useless(owner: User, kept: Keep) -> None:
    cited(owner, useful=False)


def _without_vectors(owner: User, kept: Keep) -> None:
    MemoryEmbedding.objects.filter(owner_id=owner.pk).delete()


WORSENED: dict[str, Worsen] = {
    "duplicates": lambda alice, kept: kept(alice, "The Alice keeps bees behind the barn!"),
    "contradiction": lambda alice, kept: kept(alice, "Alice does not keep bees behind the barn."),
    "unsure": lambda alice, kept: kept(alice, "The cellar may be damp.", confidence=0.6),
    "never used": lambda alice, kept: kept(alice, "The cellar is damp.", age=40),
    "stale": lambda alice, kept: kept(alice, "The cellar is damp.", age=200, used=100),
    "fading": lambda alice, kept: kept(alice, "The cellar is damp.", importance=0.1, base_importance=0.1),
    "fallback": _fallback,
    "given up": _dead_job,
    "useless": _useless,
    "forgotten": _forgotten,
    "not embedded": _without_vectors,
}


@pytest.mark.parametrize("what", WORSENED)
def test_one_thing_worsened_makes_the_score_fall(
    what: str, alice: User, facts: list[Memory], kept: Keep, made: MakeReport
) -> None:
    learnt(alice, "llm")
    before = made(alice).score
    WORSENED[what](alice, kept)
    after = made(alice).score
    assert before is not None
    assert after is not None
    assert after < before


def test_totals_are_told_by_layer_kind_and_status(
    alice: User, facts: list[Memory], kept: Keep, made: MakeReport
) -> None:
    curation.forget_memories([facts[0].pk], owner=alice.pk, actor="person")
    kept(alice, "It rained.", layer="episodic", kind="event")
    totals = made(alice).body["totals"]
    assert totals["by_layer"] == {"episodic": 1, "semantic": 5}
    assert totals["by_kind"] == {"event": 1, "fact": 5}
    assert totals["by_status"] == {"active": 6, "forgotten": 1}


def test_shares_are_parts_of_a_whole_or_unknown(alice: User, facts: list[Memory], made: MakeReport) -> None:
    curation.forget_memories([memory.pk for memory in facts[:3]], owner=alice.pk, actor="person")
    shares = made(alice).body["shares"]
    assert shares == {"in_use": 1.0, "forgotten": 0.5, "success": None, "fallback": None, "useful": None}


def test_growth_tells_what_came_and_went(alice: User, kept: Keep, made: MakeReport) -> None:
    old = [kept(alice, FACTS[number], age=60) for number in range(4)]
    kept(alice, FACTS[4])
    curation.forget_memories([old[0].pk], owner=alice.pk, actor="person")
    growth = made(alice).body["growth"]
    assert growth == {"days": 30, "gained": 1, "let_go": 1, "share": 0.0}


def test_learning_and_recall_are_counted(alice: User, facts: list[Memory], made: MakeReport) -> None:
    learnt(alice, "llm")
    learnt(alice, "fallback", "timeout")
    cited(alice, useful=True)
    body = made(alice).body
    assert body["learning"] == {"batches": 2, "answered": 1, "fell_back": 1, "failed": 0, "days": 30}
    assert body["recall"] == {
        "citations": 1, "contexts": 1, "memories": 1, "useful": 1, "useless": 0, "days": 30,
    }  # fmt: skip
    assert body["shares"]["fallback"] == 0.5


def test_requirements_count_by_their_ratings_alone(
    alice: User, facts: list[Memory], made: MakeReport
) -> None:
    cited(alice, useful=False, role="respected")
    assert made(alice).body["recall"] == {
        "citations": 0, "contexts": 0, "memories": 0, "useful": 0, "useless": 1, "days": 30,
    }  # fmt: skip


def test_rules_without_a_model_are_no_fallback(alice: User, facts: list[Memory], made: MakeReport) -> None:
    learnt(alice, "fallback")
    assert made(alice).body["shares"]["fallback"] is None


def test_each_memory_is_told_of_once(alice: User, kept: Keep, made: MakeReport) -> None:
    low = kept(alice, FACTS[0], age=200, importance=0.2, confidence=0.65)
    report = made(alice)
    told = [finding for finding in report.body["findings"] if str(low.pk) in finding["memories"]]
    assert [finding["kind"] for finding in told] == ["unsure"]
    assert report.body["figures"]["low_value"] == report.body["figures"]["never_used"] == 1


def test_pinned_and_core_memories_do_not_go_stale(alice: User, kept: Keep, made: MakeReport) -> None:
    kept(alice, FACTS[0], age=200, used=100, pinned=True)
    kept(alice, FACTS[1], age=200, used=100, lifespan="core")
    assert found(made(alice), "stale") == []


def test_pending_memory_is_asked_about_after_two_weeks(alice: User, kept: Keep, made: MakeReport) -> None:
    kept(alice, FACTS[0], age=3, status="pending")
    old = kept(alice, FACTS[1], age=20, status="pending")
    (finding,) = found(made(alice), "waiting")
    assert finding["memories"] == [str(old.pk)]


def test_findings_of_a_kind_are_listed_up_to_twenty_and_counted_all(
    alice: User, kept: Keep, made: MakeReport
) -> None:
    for number in range(23):
        kept(alice, f"Shelf {number} holds box {number * 7}.", age=200 + number)
    report = made(alice)
    assert len(found(report, "never_used")) == 20
    assert report.body["figures"]["never_used"] == 23


def test_near_texts_that_differ_are_no_duplicates(alice: User, kept: Keep, made: MakeReport) -> None:
    kept(alice, "The web server listens on port 8080.")
    kept(alice, "The web server listens on port 9090.")
    assert found(made(alice), "duplicates") == []


def test_duplicates_are_one_finding_for_all_wordings(alice: User, kept: Keep, made: MakeReport) -> None:
    wordings = (
        "Alice keeps bees behind the barn.",
        "The Alice keeps bees behind the barn!",
        "Alice keeps bees behind barn",
    )
    rows = [kept(alice, wording) for wording in wordings]
    report = made(alice)
    (finding,) = found(report, "duplicates")
    assert finding["memories"] == [str(memory.pk) for memory in rows]
    assert report.body["figures"]["copies"] == 2


def test_duplicates_in_another_layer_or_kind_stay_apart(alice: User, kept: Keep, made: MakeReport) -> None:
    kept(alice, FACTS[0])
    kept(alice, "The " + FACTS[0], kind="goal")
    kept(alice, "A " + FACTS[0], layer="episodic", kind="event")
    assert found(made(alice), "duplicates") == []


def test_report_made_twice_says_the_same(
    alice: User, facts: list[Memory], kept: Keep, made: MakeReport
) -> None:
    kept(alice, "The Alice keeps bees behind the barn!", age=100)
    first, second = made(alice), made(alice)
    assert (first.pk, first.score, first.body) == (second.pk, second.score, second.body)
    assert Report.objects.filter(owner_id=alice.pk).count() == 2


def test_report_holds_no_text(alice: User, facts: list[Memory], kept: Keep, made: MakeReport) -> None:
    kept(alice, "The Alice keeps bees behind the barn!", age=100)
    kept(alice, "Alice does not keep bees behind the barn.", age=100)
    for kind in ("quality", "conflicts"):
        assert "bees" not in str(made(alice, kind).body)


def test_nothing_is_read_while_memory_is_off(alice: User, facts: list[Memory]) -> None:
    set_preferences(alice.pk, memory_on=False)
    assert make_reports(today(), owner=alice.pk) is None
    assert not Report.objects.filter(owner_id=alice.pk).exists()


def test_another_owners_memories_change_nothing(
    alice: User, bob: User, facts: list[Memory], kept: Keep, made: MakeReport
) -> None:
    before = made(alice).body
    for content in FACTS:
        kept(bob, content, confidence=0.2, age=400)
    assert made(alice).body == before


def test_empty_memory_has_a_report(alice: User, made: MakeReport) -> None:
    report = made(alice)
    assert report.score == pytest.approx(97.5)
    assert report.body["findings"] == []


@pytest.mark.parametrize("number", [1, 60])
def test_statements_do_not_grow_with_the_memory(number: int, alice: User, kept: Keep) -> None:
    for place in range(number):
        kept(alice, f"Shelf {place} holds the boxes of year {place + 1900}.")
    with CaptureQueriesContext(
        connection,
    ) as seen:
        make_reports(today(), owner=alice.pk)
    said = [query["sql"] for query in seen if "SAVEPOINT" not in query["sql"]]
    assert len(said) <= 14, said
