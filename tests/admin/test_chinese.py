"""Every page of the admin in Chinese: no English outside stored text, names and identifiers."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.test import Client

from memories.maintenance.reports.report_making import make_reports
from memories.maintenance.reports.site import make_site
from memories.models import MemoryLink, Report, SiteReport
from memories.models.report import today
from memsite.accounts.applications import create_application
from memsite.accounts.keys import issue_key
from memsite.accounts.models import AuditEntry, User
from memsite.accounts.signing import create_invitation
from memsite.jobs import enqueue, run_due_jobs
from memsite.jobs.models import Job
from tests.admin.conftest import MEMORIES, choose, confirm, dispute, page_of, remember
from threads.messages.transcript import create_thread

#: Stored text and identifiers: elements that hold nothing else.
_STORED = {"script", "style", "code", "datalist", "time"}
#: Names, identifiers and words that are the same in Chinese; stored text that labels a checkbox; what
#: Django's icons of yes and no say, which it does not translate.
_SAME = {
    *("Anna", "lives", "in", "Graz", "Linz", "True", "False"),
    *("Memsite", "API", "IP", "UTC", "ID", "JSON", "msk", "alice", "charlie", "editor", "Notes", "Sailing"),
    *("read", "write", "admin", "user", "person", "default", "en", "zh", "localhost", "AM", "PM"),
}
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]+")
_ID = re.compile(r"…?[0-9a-f]{6,}(?:-[0-9a-f]{4,})*|tests\.jobs\.\S+")
_VOID = {"input", "br", "img", "link", "meta", "hr", "use", "path", "col"}


class Words(HTMLParser):
    """The English words of a page, outside stored text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[bool] = []
        self.found: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        for name in ("aria-label", "title", "placeholder", "alt"):
            self._note(given.get(name) or "")
        if tag not in _VOID:
            is_stored = tag in _STORED or given.get("dir") == "auto"
            self.open.append(is_stored or (bool(self.open) and self.open[-1]))

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID and self.open:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if not (self.open and self.open[-1]):
            self._note(data)

    def _note(self, text: str) -> None:
        text = _ID.sub("", text)
        self.found |= {word for word in _WORD.findall(text) if word not in _SAME}


@pytest.fixture
def pages(alice: User, charlie: User) -> dict[str, str]:
    """The addresses of every list and row page of the admin, with rows in each."""
    memory = remember(alice, "弹大提琴。")
    dispute(alice)
    create_thread(owner=alice.pk, title="Sailing")
    issue_key(alice, name="editor", application=create_application(alice, "Notes"))
    create_invitation(charlie)
    make_reports(today(), owner=alice.pk)
    make_site(today())
    enqueue("tests.jobs.sample_tasks.refuse", owner=alice.pk)
    run_due_jobs()
    AuditEntry.objects.create(owner=alice, actor="charlie", act="settle", subject="memories")
    rows = {
        "memories/memory": memory,
        "memories/memorylink": MemoryLink.objects.get(kind="disputes"),
        "memories/report": Report.objects.filter(kind="quality").get(),
        "memories/sitereport": SiteReport.objects.get(),
        "threads/thread": None,
        "jobs/job": Job.objects.filter(owner_id=alice.pk).first(),
        "accounts/user": None,  # its page lists the names of permissions, which are stored
        "accounts/apikey": alice.api_keys.get(),
        "accounts/application": alice.applications.get(),
        "accounts/invitation": None,
        "accounts/auditentry": AuditEntry.objects.filter(owner=alice).first(),
        "jobs/heartbeat": None,
    }
    found = {"first page": "/admin/", "acts": f"{MEMORIES}acts/", "invite": "/admin/accounts/invitation/add/"}
    for name, row in rows.items():
        found[f"list of {name}"] = f"/admin/{name}/"
        if row is not None:
            found[f"row of {name}"] = f"/admin/{name}/{row.pk}/change/"
    return found


@pytest.fixture
def chinese(charlie_browser: Client) -> Client:
    charlie_browser.defaults["HTTP_ACCEPT_LANGUAGE"] = "zh-hans"
    return charlie_browser


def test_no_page_holds_an_english_word(pages: dict[str, str], chinese: Client, alice: User) -> None:
    memory = remember(alice, "养蜂。", pending=True)
    confirm(chinese, "pin", memory)
    english = {name: Words(chinese.get(url).content.decode()).found for name, url in pages.items()}
    assert {name: words for name, words in english.items() if words} == {}


@pytest.mark.parametrize("action", ["approve", "forget", "restore", "merge", "change_kind", "pin", "unpin"])
def test_no_preview_holds_an_english_word(alice: User, chinese: Client, action: str) -> None:
    first, second = remember(alice, "弹大提琴。"), remember(alice, "养蜂。", pending=True)
    assert Words(page_of(choose(chinese, action, first, second))).found == set()


def test_page_is_in_chinese(alice: User, chinese: Client) -> None:
    page = chinese.get(MEMORIES).content.decode()
    assert 'lang="zh-hans"' in page
    for words in ("记忆", "置信度", "来源", "状态"):
        assert words in page
