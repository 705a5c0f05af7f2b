"""Note when a memory was last said again: nothing that was said before makes it outdated."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0022_requirements")]

    operations = [
        migrations.AddField("memory", "restated_at", models.DateTimeField(null=True, blank=True)),
    ]
