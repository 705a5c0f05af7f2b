"""A pair of memories whose comparison fails."""

from __future__ import annotations

import pytest
from django.test import Client
from rest_framework.test import APIClient

from memories.maintenance.reports import displayed_report
from memories.maintenance.reports.findings import conflicts, duplicates
from memories.models.report import ReportKind
from memsite.accounts.models import User
from tests.memories.reports.conftest import Keep, MakeReport

OVEN = ("The oven is kept at 180 degrees for bread.", "The oven is kept at 180 degrees for cake.")
BEES = ("Alice keeps bees behind the barn.", "Alice does not keep bees behind the barn.")


@pytest.fixture
def no_ovens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every comparison of two texts about ovens fail."""
    for module, name in ((conflicts, "find_contradiction"), (duplicates, "find_differences")):
        compare = getattr(module, name)

        def fail(one: str, other: str, compare=compare) -> object:  # type: ignore[no-untyped-def]  # noqa: ANN001
            if "oven" in one and "oven" in other:
                raise KeyError("@my")
            return compare(one, other)

        monkeypatch.setattr(module, name, fail)


@pytest.mark.usefixtures("no_ovens")
def test_the_report_names_a_pair_that_it_could_not_compare(
    alice: User, kept: Keep, made: MakeReport, client: Client
) -> None:
    ovens = [str(kept(alice, text).pk) for text in OVEN]
    bees = [kept(alice, text) for text in BEES]
    report = made(alice, ReportKind.CONFLICTS)
    assert report.body["not_compared"] == {"count": 1, "pairs": [ovens]}
    assert [seen.memories for seen in displayed_report.read_report(report).findings] == [tuple(bees)]
    client.force_login(alice)
    for page in ("/memories/report/", "/status/"):
        assert all(text in client.get(page).content.decode() for text in ("Not compared", *OVEN))


def test_two_sentences_about_a_wok_are_merged(alice: User, kept: Keep, alice_api: APIClient) -> None:
    """They could not be compared: one names the owner by `their`."""
    pair = ("The user cooks with their wok, no oven used.", "The user's wok is for cooking, no oven used.")
    ids = [str(kept(alice, text).pk) for text in pair]
    answer = alice_api.post("/api/memories/merge", {"ids": ids})
    assert answer.status_code == 201
