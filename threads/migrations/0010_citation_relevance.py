from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("threads", "0009_extracted_after")]

    operations = [
        migrations.AddField("citation", "relevance", models.FloatField(null=True)),
    ]
