"""When a source said what was learnt from it. Sources that are stored already keep no time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0015_row_security")]

    operations = [
        migrations.AddField(
            model_name="memorysource",
            name="stated_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
