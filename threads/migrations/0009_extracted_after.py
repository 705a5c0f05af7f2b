from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("threads", "0008_summary_retry")]

    operations = [
        migrations.AddField("thread", "extracted_after", models.UUIDField(editable=False, null=True)),
    ]
