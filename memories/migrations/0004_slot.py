"""What a triple is about, as a column: statements about one thing are found by it.

Rows that are stored already get their slot from the renormalisation that runs when the site starts.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0003_reflection"), ("accounts", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="memory",
            name="slot",
            field=models.CharField(blank=True, default="", editable=False, max_length=32),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("slot", ""), _negated=True),
                fields=["owner", "slot"],
                name="memories_memory_slot",
            ),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(
                    ("ended_at", None),
                    ("forgotten_at", None),
                    ("retired_at", None),
                    models.Q(("layer", "episodic"), _negated=True),
                ),
                fields=["owner", "layer", "kind"],
                name="memories_memory_known",
            ),
        ),
    ]
