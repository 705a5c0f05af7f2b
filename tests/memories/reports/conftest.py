"""Memories with a given age and use, for reports."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memories.maintenance.reports import displayed_report
from memories.maintenance.reports.report_making import make_reports
from memories.models import Memory, Report
from memories.models.report import ReportKind, today
from memories.storage.store import Draft, open_batch
from memories.values import Candidate, Writer
from memories.writing import drafting
from memsite.accounts.models import User

Keep = Callable[..., Memory]
MakeReport = Callable[..., Report]


def _kept(owner: User, content: str, *, age: float = 0, used: float | None = None, **fields: Any) -> Memory:
    """Store a memory.

    Args:
        owner: Its owner.
        content: Its content.
        age: Days since it was written.
        used: Days since its only use; None for never used.
        fields: Other fields, set directly.
    """
    row = drafting.make_draft(
        Candidate(content, written_by=Writer.PERSON), owner=owner.pk, now=timezone.now()
    )
    assert isinstance(row, Draft)
    drafting.embed_drafts([row])
    with open_batch(owner=owner.pk, actor="person") as batch:  # stored without a search for the same memory
        batch.insert(row)
    memory = row.memory
    now = timezone.now()
    fields["created_at"] = now - timedelta(days=age)
    if used is not None:
        fields |= {"access_count": 1, "last_accessed_at": now - timedelta(days=used)}
    Memory.objects.filter(owner_id=owner.pk, pk=memory.pk).update(**fields)
    memory.refresh_from_db()
    return memory


def _made(owner: User, kind: ReportKind = ReportKind.QUALITY) -> Report:
    """Create today's report now, and return it."""
    make_reports(today(), owner=owner.pk)
    report = displayed_report.get_latest_report(kind, owner=owner.pk)
    assert report is not None
    return report


@pytest.fixture
def kept(db: None) -> Keep:
    return _kept


@pytest.fixture
def made(db: None) -> MakeReport:
    return _made
