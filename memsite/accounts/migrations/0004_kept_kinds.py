"""Let a person name kinds of memories that are kept without asking."""

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_row_security")]

    operations = [
        migrations.AddField(
            "preferences",
            "kept_kinds",
            ArrayField(models.CharField(max_length=16), blank=True, default=list, size=None),
        ),
    ]
