"""Reports on the quality of memories."""

from __future__ import annotations

from typing import Any

from memsite.resources.upkeep import seconds_of
from memsite.results import Mended, Page, Queued, Report, ReportSummary
from memsite.wire import (
    Call,
    Mode,
    Resource,
    call_as,
    call_as_either,
    call_for_page,
    operation,
    without_nones,
)

_PATH = "/api/memories/reports"


class Reports(Resource[Mode]):
    """Reports and their findings."""

    @operation
    def list(self, /, **query: Any) -> Call[Page[ReportSummary]]:
        """Return a page of reports, newest first; `kind` is `quality` or `conflicts`."""
        return call_for_page(ReportSummary, _PATH, query)

    @operation
    def make(self, kind: str | None = None, *, wait: bool | float | None = None) -> Call[Report | Queued]:
        """Make today's report now."""
        body = without_nones(kind=kind, wait=wait)
        return call_as_either(
            Report, Queued, "POST", _PATH, body=body, wait=seconds_of(wait), repeatable=True
        )

    @operation
    def latest(self, kind: str | None = None) -> Call[Report]:
        """Return the newest report of a kind."""
        return call_as(Report, "GET", f"{_PATH}/latest", params={"kind": kind})

    @operation
    def get(self, report_id: str) -> Call[Report]:
        """Return one report with its findings."""
        return call_as(Report, "GET", f"{_PATH}/{report_id}")

    @operation
    def mend(
        self, report_id: str, finding: str, *, act: str | None = None, keep: str | None = None
    ) -> Call[Mended]:
        """Resolve a finding; `keep` is the memory that is true."""
        body = without_nones(finding=finding, act=act, keep=keep)
        return call_as(Mended, "POST", f"{_PATH}/{report_id}/mend", body=body)
