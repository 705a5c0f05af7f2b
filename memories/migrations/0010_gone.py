"""What no longer stands is found by its fingerprint too."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0009_wording")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(
                    ("ended_at", None), ("forgotten_at", None), ("retired_at", None), _negated=True
                ),
                fields=["owner", "fingerprint"],
                name="memories_memory_gone",
            ),
        ),
    ]
