"""Count the use of models by purpose."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("metering", "0002_row_security")]

    operations = [
        migrations.AddField(
            "modelusage", "purpose", models.CharField(blank=True, default="", max_length=16)
        ),
        migrations.RemoveConstraint("modelusage", "metering_modelusage_one_a_day"),
        migrations.AddConstraint(
            "modelusage",
            models.UniqueConstraint(
                fields=["owner", "day", "model", "purpose"], name="metering_modelusage_one_a_day"
            ),
        ),
    ]
