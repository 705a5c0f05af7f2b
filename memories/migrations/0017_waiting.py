"""Index what waits for a person and what is pinned: the count on every page, and the start of the list."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("memories", "0016_stated_at")]

    operations = [
        migrations.AddIndex(
            "memory",
            models.Index(
                fields=["owner", "created_at", "id"],
                condition=Q(status__in=["pending", "disputed"]),
                name="memories_memory_waiting",
            ),
        ),
        migrations.AddIndex(
            "memory",
            models.Index(
                fields=["owner", "created_at", "id"], condition=Q(pinned=True), name="memories_memory_pinned"
            ),
        ),
    ]
