"""A citation says whether its memory was recalled or respected. Those from before were recalled."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("threads", "0017_requirements")]

    operations = [
        migrations.AddField(
            "citation",
            "role",
            models.CharField(
                choices=[("recalled", "Recalled"), ("respected", "Respected")],
                db_default="recalled",
                default="recalled",
                max_length=12,
            ),
        ),
    ]
