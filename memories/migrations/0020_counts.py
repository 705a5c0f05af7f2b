"""Count an owner's memories by layer, kind and status from an index alone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0019_newest_relations")]

    operations = [
        migrations.AddIndex(
            "memory",
            models.Index(fields=["owner", "layer", "kind", "status"], name="memories_memory_counts"),
        ),
    ]
