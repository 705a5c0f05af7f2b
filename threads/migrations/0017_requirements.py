"""A sent context says which requirements it held."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("threads", "0016_fill_content_keys")]

    operations = [
        migrations.AddField(
            "sentcontext",
            "requirements",
            django.contrib.postgres.fields.ArrayField(models.UUIDField(), default=list, size=None),
        ),
    ]
