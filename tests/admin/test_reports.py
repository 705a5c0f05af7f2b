"""Reports in the admin: an owner's are looked at in the owner's sight, the site's are nobody's."""

from __future__ import annotations

from django.test import Client

from memories.maintenance.reports.report_making import make_reports
from memories.maintenance.reports.site import make_site
from memories.models import SiteReport
from memories.models.report import today
from memsite.accounts.models import AuditEntry, User

REPORTS = "/admin/memories/report/"
SITE = "/admin/memories/sitereport/"


def test_look_at_a_report_is_told_to_its_owner(alice: User, charlie_browser: Client) -> None:
    make_reports(today(), owner=alice.pk)
    assert "quality of" in charlie_browser.get(REPORTS).content.decode()
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
