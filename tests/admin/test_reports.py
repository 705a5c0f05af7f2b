"""Reports in the admin: an owner's are looked at in the owner's sight, the site's are nobody's."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memories.admin.report_list import draw_charts
from memories.maintenance.reports.report_making import make_reports
from memories.maintenance.reports.site import LEAST_OWNERS, make_site
from memories.models import SiteReport
from memories.models.report import today
from memsite.accounts.models import AuditEntry, User
from memsite.accounts.preferences import set_preferences
from tests.admin.conftest import dispute, remember

REPORTS = "/admin/memories/report/"
SITE = "/admin/memories/sitereport/"


@pytest.fixture
def many_owners(alice: User) -> list[User]:
    """As many owners as the site's report needs to show how scores are spread, each with a report."""
    owners = [alice, *(User.objects.create_user(f"person-{number}") for number in range(1, LEAST_OWNERS))]
    for owner in owners:
        make_reports(today(), owner=owner.pk)
    return owners


def test_look_at_a_report_is_told_to_its_owner(alice: User, charlie_browser: Client) -> None:
    make_reports(today(), owner=alice.pk)
    assert "Quality" in charlie_browser.get(REPORTS).content.decode()
    assert AuditEntry.objects.filter(owner=alice, act="look", subject="reports").exists()


def test_report_of_the_site_is_seen_by_staff_alone(
    alice: User, alice_browser: Client, charlie_browser: Client
) -> None:
    make_reports(today(), owner=alice.pk)
    report = make_site(today())
    assert "97.5" in charlie_browser.get(SITE).content.decode()
    assert charlie_browser.get(f"{SITE}{report.pk}/change/").status_code == 200
    assert alice_browser.get(SITE).status_code == 302
    assert not AuditEntry.objects.filter(owner=alice).exists()


def test_reports_are_not_written_by_hand(alice: User, charlie_browser: Client) -> None:
    make_site(today())
    assert charlie_browser.get(f"{SITE}add/").status_code == 403
    charlie_browser.post(
        SITE, {"action": "delete_selected", "_selected_action": [str(SiteReport.objects.get().pk)]}
    )
    assert SiteReport.objects.exists()


def test_site_report_shows_charts_and_no_text(alice: User, charlie_browser: Client) -> None:
    remember(alice, "Plays the cello.")
    dispute(alice)
    make_reports(today(), owner=alice.pk)
    make_site(today())
    page = charlie_browser.get(SITE).content.decode()
    for title in ("Mean score of all owners", "Memories stored", "Memories by status", "Jobs that ended"):
        assert title in page
    for text in ("cello", "Graz", "alice"):
        assert text not in page.partition('id="content"')[2]


def test_site_counts_memories_by_status(alice: User, bob: User) -> None:
    remember(alice, "Plays the cello.")
    dispute(bob)
    for owner in (alice, bob):
        make_reports(today(), owner=owner.pk)
    assert make_site(today()).body["by_status"] == {"active": 1, "disputed": 2}


def test_spread_of_scores_is_counted_in_tenths(many_owners: list[User]) -> None:
    body = make_site(today()).body
    assert len(body["scores"]) == 10
    assert sum(body["scores"]) == len(many_owners)
    assert body["scores"][9] == len(many_owners)


def test_spread_of_few_owners_is_not_made(alice: User, charlie_browser: Client) -> None:
    make_reports(today(), owner=alice.pk)
    assert make_site(today()).body["scores"] is None
    assert "How many owners have which score" not in charlie_browser.get(SITE).content.decode()


def test_page_without_a_report_says_when_the_first_is_made(charlie_browser: Client) -> None:
    assert "the first one is made tonight" in charlie_browser.get(SITE).content.decode()


@pytest.mark.django_db
def test_report_of_an_older_release_has_the_charts_that_it_can() -> None:
    old = SiteReport(day=today(), score=80.0, body={"owners": 1, "memories": 7})
    charts = "".join(draw_charts([old]))
    assert "Mean score of all owners" in charts
    assert "Memories by status" not in charts


def test_statements_of_the_site_report_do_not_depend_on_the_days(charlie_browser: Client) -> None:
    charlie_browser.get(SITE)  # Whatever is cached from then on.
    counts = []
    for days in (1, 30):
        for back in range(days):
            SiteReport.objects.get_or_create(day=today() - timedelta(days=back), defaults={"score": 90.0})
        with CaptureQueriesContext(connection) as queries:
            charlie_browser.get(SITE)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_site_report_says_how_many_people_have_memory_on(alice: User, bob: User, charlie: User) -> None:
    set_preferences(bob.pk, memory_on=False)
    people = User.objects.filter(is_active=True).count()
    body = make_site(today()).body
    assert body["people"] == people
    assert body["memory_on"] == round(1 - 1 / people, 4)
