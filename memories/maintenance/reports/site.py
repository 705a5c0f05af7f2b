"""Make the site's report from all owners' reports of a day, and delete old reports."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import connection
from django.utils import timezone

from memories.models import Report, ReportKind, SiteReport
from memsite.accounts.models import Preferences
from memsite.serving.postgres import across_owners

#: With fewer owners, the spread would reveal the score of one of them.
LEAST_OWNERS: Final = 5
#: Days that reports are kept, and days that they keep their findings and a model's answers.
KEPT_DAYS: Final = 400
FINDINGS_DAYS: Final = 30

_SUMMED: Final = (
    "learnt", "in_use", "steady", "fading", "contradicted", "copies", "unsure", "stale", "never_used",
    "low_value", "waiting", "forgotten", "kept", "not_embedded", "batches", "failed", "answered", "fell_back",
    "useful", "useless", "put_away",
)  # fmt: skip
_SUMS: Final = ", ".join(f"coalesce(sum((body->'figures'->>'{name}')::bigint), 0)" for name in _SUMMED)
_FIGURES: Final = f"""
SELECT count(*), avg(score), min(score), percentile_cont(0.5) WITHIN GROUP (ORDER BY score), max(score),
    coalesce(sum((body->'totals'->>'total')::bigint), 0), {_SUMS}
FROM memories_report WHERE kind = '{ReportKind.QUALITY}' AND day = %(day)s
"""  # noqa: S608 - built from the constants above, nothing from outside
_TERMS: Final = f"""
SELECT term->>'name', avg((term->>'value')::float8)
FROM memories_report, jsonb_array_elements(body->'terms') AS term
WHERE kind = '{ReportKind.QUALITY}' AND day = %(day)s GROUP BY 1 ORDER BY 1
"""  # noqa: S608 - as above
_STATUSES: Final = f"""
SELECT status.key, sum(status.value::bigint)
FROM memories_report, jsonb_each_text(body->'totals'->'by_status') AS status
WHERE kind = '{ReportKind.QUALITY}' AND day = %(day)s GROUP BY 1 ORDER BY 1
"""  # noqa: S608 - as above
_SCORES: Final = f"""
SELECT least(floor(score / 10), 9)::int, count(*) FROM memories_report
WHERE kind = '{ReportKind.QUALITY}' AND day = %(day)s AND score IS NOT NULL GROUP BY 1
"""  # noqa: S608 - as above
_THIN: Final = """
UPDATE memories_report SET body = body - 'findings' - 'judged'
WHERE day < %(day)s AND day >= %(until)s AND (body ? 'findings' OR body ? 'judged')
"""


@across_owners()
def make_site(day: date) -> SiteReport:
    """Make the site's report of the day, or replace it. Across owners: for the schedule only."""
    with connection.cursor() as cursor:
        cursor.execute(_FIGURES, {"day": day})
        owners, mean, lowest, middle, highest, total, *sums = cursor.fetchone()
        cursor.execute(_TERMS, {"day": day})
        terms = dict(cursor.fetchall())
        cursor.execute(_STATUSES, {"day": day})
        statuses = {status: int(count) for status, count in cursor.fetchall()}
        cursor.execute(_SCORES, {"day": day})
        scores = dict(cursor.fetchall())
    people = get_user_model().objects.filter(is_active=True).count()
    without = Preferences.objects.filter(memory_on=False, owner__is_active=True).count()
    spread = {"lowest": lowest, "middle": middle, "highest": highest}
    body: dict[str, Any] = {
        "owners": owners,
        "memories": int(total),
        "people": people,
        "memory_on": round(1 - without / people, 4) if people else None,
        "figures": {name: int(number) for name, number in zip(_SUMMED, sums, strict=True)},
        "terms": terms,
        "by_status": statuses,
        "spread": spread if owners >= LEAST_OWNERS else None,
        "scores": [scores.get(tenth, 0) for tenth in range(10)] if owners >= LEAST_OWNERS else None,
    }
    values = {"score": mean, "body": body, "created_at": timezone.now()}
    report, _made = SiteReport.objects.update_or_create(day=day, defaults=values)
    return report


@across_owners()
def prune(day: date) -> int:
    """Delete old reports and the findings of less old ones, and return how many reports. For the schedule."""
    gone, _by_table = Report.objects.filter(day__lt=day - timedelta(days=KEPT_DAYS)).delete()
    limits = {"day": day - timedelta(days=FINDINGS_DAYS), "until": day - timedelta(days=2 * FINDINGS_DAYS)}
    with connection.cursor() as cursor:
        cursor.execute(_THIN, limits)
    return gone


@across_owners()
def owners_to_report() -> list[Any]:
    """Return the owners who ever had a memory written. Across owners: for the schedule only."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT owner_id FROM memories_ledger ORDER BY owner_id")
        return [row[0] for row in cursor.fetchall()]
