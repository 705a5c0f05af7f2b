"""Wait until a site has no work left, and check what must be true then."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime
from typing import Final

import psycopg

from bench.durability.killer import Kill
from bench.durability.site import Site
from memsite.jobs.conf import WORKERS
from memsite.serving.processes.processes import wait_until

_WORK: Final = """
SELECT (SELECT count(*) FROM jobs_job WHERE status IN ('queued', 'running'))
    + (SELECT count(*) FROM threads_message WHERE learnt_at IS NULL) AS number
"""
_LEFT: Final = {
    "jobs queued or running": "SELECT count(*) AS number FROM jobs_job WHERE status IN ('queued', 'running')",
    "tickets": "SELECT count(*) AS number FROM django_q_ormq",
    "leases held": "SELECT count(*) AS number FROM jobs_lease WHERE expires_at > now()",
    "messages not learnt from": "SELECT count(*) AS number FROM threads_message WHERE learnt_at IS NULL",
}
_STRUCK: Final = "SELECT count(*) AS number FROM jobs_job WHERE attempts > 1"
_DEAD: Final = "SELECT count(*) AS number FROM jobs_job WHERE status = 'dead'"
_DONE_AFTER: Final = """
SELECT min(done.finished_at) AS at FROM jobs_job AS mine JOIN jobs_job AS done
    ON done.id = mine.id OR (done.unique_key = mine.unique_key AND done.created_at >= mine.created_at)
WHERE mine.id = %s AND done.status = 'done' AND done.finished_at > %s
"""
_PAUSE: Final = 0.2  # seconds
_SETTLED_LOOKS: Final = 3  # in a row, because a scheduled job may start in between
_MEMBERS: Final = WORKERS + 2  # those that run tasks, one that fetches tickets, one that records results
_WHOLE_WITHIN: Final = 90.0  # seconds


def drain(site: Site, seconds: float) -> float:
    """Wait until no work is left; return the seconds it took, `seconds` if work remained."""
    begin, quiet = time.monotonic(), 0
    while quiet < _SETTLED_LOOKS and time.monotonic() - begin < seconds:
        quiet = quiet + 1 if _waiting(site) == 0 else 0
        time.sleep(_PAUSE)
    return time.monotonic() - begin


def nothing_left(site: Site) -> list[str]:
    """Check that no job, ticket, lease or message waits."""
    if wait_until(lambda: not _left(site), 10.0):  # scheduled jobs that start meanwhile are done quickly
        return []
    return _left(site)


def whole(site: Site) -> list[str]:
    """Check that the site has all its processes, and no others."""
    if wait_until(lambda: not _odd(site), _WHOLE_WITHIN):
        return []
    return _odd(site)


def done_after(site: Site, kills: Sequence[Kill]) -> tuple[list[float], int]:
    """Return seconds from the last kill that hit a job until its work was done, and how many never were."""
    struck: dict[str, datetime] = {job: kill.at for kill in kills for job in kill.jobs}
    ends = {job: site.ask(_DONE_AFTER, job, at)[0]["at"] for job, at in struck.items()}
    took = [(end - struck[job]).total_seconds() for job, end in ends.items() if end is not None]
    return sorted(took), sum(end is None for end in ends.values())


def struck_jobs(site: Site) -> tuple[int, int]:
    """Return how many jobs needed more than one attempt, and how many used up all of them."""
    [struck], [dead] = site.ask(_STRUCK), site.ask(_DEAD)
    return struck["number"], dead["number"]


def _waiting(site: Site) -> int | None:
    try:
        number: int = site.ask(_WORK)[0]["number"]
    except psycopg.Error:
        return None  # the database is still unavailable
    return number


def _left(site: Site) -> list[str]:
    counts = {what: site.ask(statement)[0]["number"] for what, statement in _LEFT.items()}
    return [f"{number} {what}" for what, number in counts.items() if number]


def _odd(site: Site) -> list[str]:
    family = site.family()
    wanted = {
        "web": (family.web(), 2),
        "worker": (family.worker(), 1),
        "cluster": (family.cluster(), 1),
        "processes of the cluster": (family.members(), _MEMBERS),
        "database": (family.database(), 1),
        "strangers": (family.strangers(), 0),
    }
    return [
        f"{what}: {len(found)}, not {number}"
        for what, (found, number) in wanted.items()
        if len(found) != number
    ]
