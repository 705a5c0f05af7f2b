from __future__ import annotations

from typing import Any

from django.db import migrations, models
from django.db.models.functions import Now


def retry_failed(apps: Any, _editor: Any) -> None:
    """Summaries whose model had failed before this column was there are asked for again."""
    rows = apps.get_model("threads", "ThreadSummary").objects
    rows.exclude(error="").update(retry_at=Now(), failures=1)


class Migration(migrations.Migration):
    dependencies = [("threads", "0007_compaction")]

    operations = [
        migrations.AddField("threadsummary", "failures", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("threadsummary", "retry_at", models.DateTimeField(null=True)),
        migrations.RunPython(retry_failed, migrations.RunPython.noop),
        migrations.AddIndex(
            "threadsummary",
            models.Index(condition=models.Q(("retry_at__isnull", False)), fields=["owner", "retry_at"], name="threads_summary_retry"),
        ),
    ]
