"""Index requirements for programming with the others."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("memories", "0023_restated")]

    operations = [
        migrations.RemoveIndex("memory", "memories_memory_requires"),
        migrations.AddIndex(
            "memory",
            models.Index(
                fields=["owner"],
                condition=Q(status="active", tags__overlap=["always", "diet", "craft"]),
                name="memories_memory_requires",
            ),
        ),
    ]
