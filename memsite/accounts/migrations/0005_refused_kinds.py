"""Let a person name kinds of memories that are never learnt."""

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_kept_kinds")]

    operations = [
        migrations.AddField(
            "preferences",
            "refused_kinds",
            ArrayField(models.CharField(max_length=16), blank=True, default=list, size=None),
        ),
    ]
