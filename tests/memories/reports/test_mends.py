"""Each mend does what it says, settles its finding, and is taken back whole."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from memories import curation
from memories.curation.erasing import erase_memory
from memories.maintenance.reports import displayed_report
from memories.maintenance.reports.displayed_report import DisplayedFinding
from memories.maintenance.reports.findings import FindingKind, join_contradictions, make_finding
from memories.maintenance.reports.mends import apply_mend
from memories.models import Report
from memories.models.report import ReportKind
from memories.storage.access import get_memory
from memories.storage.queries import list_active_memories
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.errors import Conflict, InvalidInput, NotFound
from tests.memories.reports.conftest import Keep, MakeReport

BEES = "Alice keeps bees behind the barn."
SAME = "The Alice keeps bees behind the barn!"
NO_BEES = "Alice does not keep bees behind the barn."


def disputed(owner: User, *cities: str) -> None:
    """Homes since the same day, by default two: neither is newer."""
    since = datetime(2026, 1, 1, tzinfo=UTC)
    for city in cities or ("Berlin", "Lisbon"):
        home = Candidate(
            f"Alice lives in {city}.", subject="Alice", predicate="lives in", object=city, valid_from=since
        )
        write_candidates([home], owner=owner.pk, actor="person")


SITUATIONS: dict[str, Callable[[User, Keep], object]] = {
    "dispute": lambda alice, _kept: disputed(alice),
    "conflict": lambda alice, kept: [kept(alice, text) for text in (BEES, NO_BEES)],
    "duplicates": lambda alice, kept: [kept(alice, text) for text in (BEES, SAME)],
    "waiting": lambda alice, kept: kept(alice, BEES, age=20, status="pending"),
    "unsure": lambda alice, kept: kept(alice, BEES, confidence=0.65),
    "low_value": lambda alice, kept: kept(alice, BEES, age=100, importance=0.2),
    "never_used": lambda alice, kept: kept(alice, BEES, age=100),
    "stale": lambda alice, kept: kept(alice, BEES, age=200, used=100),
}
ACTS = [
    ("dispute", "keep"),
    ("dispute", "past"),
    ("dispute", "both"),
    ("conflict", "keep"),
    ("conflict", "past"),
    ("conflict", "both"),
    ("duplicates", "merge"),
    ("duplicates", "both"),
    ("waiting", "confirm"),
    ("waiting", "forget"),
    ("unsure", "confirm"),
    ("unsure", "forget"),
    ("low_value", "forget"),
    ("low_value", "pin"),
    ("never_used", "forget"),
    ("never_used", "pin"),
    ("stale", "forget"),
    ("stale", "pin"),
]


def only(report: Report) -> DisplayedFinding:
    (seen,) = displayed_report.read_report(report).findings
    return seen


def state(owner: User) -> list[dict[str, Any]]:
    """All that is recalled of the owner's memories, as far as it tells one from another."""
    fields = ("id", "content", "status", "confidence", "pinned", "metadata", "valid_until")
    return list(list_active_memories(owner=owner.pk).order_by("id").values(*fields))


@pytest.mark.parametrize(("kind", "act"), ACTS)
def test_each_mend_is_run_settles_its_finding_and_is_undone(
    kind: str, act: str, alice: User, kept: Keep, made: MakeReport
) -> None:
    SITUATIONS[kind](alice, kept)
    before, report = state(alice), made(alice)
    seen = only(report)
    assert (seen.finding.kind, seen.open) == (kind, True)
    changed = apply_mend(report.pk, seen.finding.id, owner=alice.pk, actor="person", act=act)
    assert state(alice) != before
    assert not only(report).open
    assert [one for one in made(alice).body["findings"] if one["id"] == seen.finding.id] == []
    curation.undo_batch(changed.batch_id, owner=alice.pk, actor="person")
    assert state(alice) == before
    assert only(made(alice)).open


def test_every_mend_that_is_offered_is_tried_above() -> None:
    from memories.maintenance.reports.findings.findings import MENDS  # noqa: PLC0415 - beside what it is held against

    assert sorted(ACTS) == sorted((kind, act) for kind, acts in MENDS.items() for act in acts)


@pytest.mark.parametrize("act", ["keep", "past", "both"])
def test_dispute_is_decided_and_taken_back(act: str, alice: User, made: MakeReport) -> None:
    disputed(alice)
    before, report = state(alice), made(alice, ReportKind.CONFLICTS)
    seen = only(report)
    assert (seen.finding.why, seen.open) == ("disputed", True)
    changed = apply_mend(report.pk, seen.finding.id, owner=alice.pk, actor="person", act=act)
    assert state(alice) != before
    assert not only(report).open
    curation.undo_batch(changed.batch_id, owner=alice.pk, actor="person")
    assert state(alice) == before
    assert only(made(alice, ReportKind.CONFLICTS)).open


ROOMS = ("12", "14", "23")


@pytest.mark.parametrize(("act", "left"), [("keep", 1), ("past", 1), ("both", 3)])
def test_values_that_exclude_each_other_are_one_question(
    act: str, left: int, alice: User, kept: Keep, made: MakeReport
) -> None:
    rows = [kept(alice, f"The meeting on Monday is in room {room}.") for room in ROOMS]
    report = made(alice)
    seen = only(report)
    assert (seen.finding.why, [one.pk for one in seen.sides]) == ("value", [row.pk for row in rows])
    assert report.body["figures"]["conflicts"] == 1
    apply_mend(report.pk, seen.finding.id, owner=alice.pk, actor="person", act=act)
    assert [row["id"] for row in state(alice)][-1:] == [rows[-1].pk]
    assert len(state(alice)) == left
    assert not only(report).open


def test_a_question_stays_open_while_two_values_are_left(alice: User, kept: Keep, made: MakeReport) -> None:
    first, *others = [kept(alice, f"The meeting on Monday is in room {room}.") for room in ROOMS]
    report = made(alice)
    curation.forget_memories([first.pk], owner=alice.pk, actor="person")
    assert ([one.pk for one in only(report).sides], only(report).open) == ([one.pk for one in others], True)
    apply_mend(report.pk, only(report).finding.id, owner=alice.pk, actor="person")
    assert [row["id"] for row in state(alice)] == [others[-1].pk]


def test_pairs_that_are_not_all_in_conflict_stay_pairs() -> None:
    one, two, three = (UUID(int=number) for number in (1, 2, 3))
    pairs = [make_finding(FindingKind.CONFLICT, pair, "value") for pair in ((one, two), (two, three))]
    assert join_contradictions(pairs) == pairs


def test_homes_in_dispute_are_one_question(alice: User, made: MakeReport) -> None:
    disputed(alice, "Berlin", "Lisbon", "Rome")
    report = made(alice)
    assert [len(one["memories"]) for one in report.body["findings"]] == [3]
    assert report.body["figures"]["disputes"] == 1
    apply_mend(report.pk, only(report).finding.id, owner=alice.pk, actor="person", act="both")
    assert {row["status"] for row in state(alice)} == {"active"}


def test_person_chooses_the_side_that_stays(alice: User, kept: Keep, made: MakeReport) -> None:
    older, newer = kept(alice, BEES, age=3), kept(alice, NO_BEES)
    report = made(alice)
    seen = only(report)
    assert seen.suggested == newer.pk
    apply_mend(report.pk, seen.finding.id, owner=alice.pk, actor="person", keep=older.pk)
    assert [row["id"] for row in state(alice)] == [older.pk]


def test_one_click_on_a_conflict_keeps_the_newer(alice: User, kept: Keep, made: MakeReport) -> None:
    kept(alice, BEES, age=3)
    newer = kept(alice, NO_BEES)
    report = made(alice)
    apply_mend(report.pk, only(report).finding.id, owner=alice.pk, actor="person")
    assert [row["id"] for row in state(alice)] == [newer.pk]


def test_what_was_true_before_answers_for_its_time(alice: User, kept: Keep, made: MakeReport) -> None:
    older = kept(alice, BEES, age=3)
    kept(alice, NO_BEES)
    report = made(alice)
    apply_mend(report.pk, only(report).finding.id, owner=alice.pk, actor="person", act="past")
    row = get_memory(older.pk, owner=alice.pk)
    assert (row.status, row.retired_at) == ("deprecated", None)
    assert row.valid_until is not None


def test_merge_leaves_one_that_follows_all(alice: User, kept: Keep, made: MakeReport) -> None:
    rows = [kept(alice, text) for text in (BEES, SAME, "Alice keeps bees behind barn")]
    report = made(alice)
    apply_mend(report.pk, only(report).finding.id, owner=alice.pk, actor="person")
    (left,) = state(alice)
    assert left["id"] not in {row.pk for row in rows}


def test_settled_finding_is_not_mended_twice(alice: User, kept: Keep, made: MakeReport) -> None:
    kept(alice, BEES, age=100)
    report = made(alice)
    finding = only(report).finding.id
    apply_mend(report.pk, finding, owner=alice.pk, actor="person")
    with pytest.raises(Conflict):
        apply_mend(report.pk, finding, owner=alice.pk, actor="person")


def test_mend_that_is_not_offered_is_refused(alice: User, kept: Keep, made: MakeReport) -> None:
    kept(alice, BEES, age=100)
    report = made(alice)
    finding = only(report).finding.id
    with pytest.raises(InvalidInput):
        apply_mend(report.pk, finding, owner=alice.pk, actor="person", act="merge")
    with pytest.raises(InvalidInput):
        apply_mend(report.pk, finding, owner=alice.pk, actor="person", keep=UUID(int=1))


def test_erased_memory_leaves_every_report(alice: User, kept: Keep, made: MakeReport) -> None:
    memory = kept(alice, BEES, age=100)
    report = made(alice)
    finding = only(report).finding.id
    erase_memory(memory.pk, owner=alice.pk, actor="person")
    assert displayed_report.read_report(report).findings == ()
    with pytest.raises(NotFound):
        apply_mend(report.pk, finding, owner=alice.pk, actor="person")


def test_report_of_another_is_not_there(alice: User, bob: User, kept: Keep, made: MakeReport) -> None:
    kept(alice, BEES, age=100)
    report = made(alice)
    with pytest.raises(NotFound):
        apply_mend(report.pk, only(report).finding.id, owner=bob.pk, actor="person")
