from __future__ import annotations

from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    dependencies = [("threads", "0010_citation_relevance")]

    operations = [
        migrations.AddField("reply", "draft", models.TextField(blank=True, default="")),
        migrations.AddField("reply", "heartbeat_at", models.DateTimeField(db_default=Now())),
        migrations.AddIndex(
            "reply",
            models.Index(fields=["owner"], name="threads_reply_running", condition=models.Q(status="running")),
        ),
    ]
