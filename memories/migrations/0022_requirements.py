"""Index the few memories that are requirements: each context loads them."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("memories", "0021_sentence_vectors")]

    operations = [
        migrations.AddIndex(
            "memory",
            models.Index(
                fields=["owner"],
                condition=Q(status="active", tags__overlap=["always", "diet"]),
                name="memories_memory_requires",
            ),
        ),
    ]
