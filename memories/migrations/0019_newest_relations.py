"""Read the newest relations of an entity by an index, however many it has."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0018_event_log")]

    operations = [
        migrations.AddIndex(
            "relation",
            models.Index(fields=["owner", "subject", "memory"], name="memories_relation_by_subject"),
        ),
        migrations.AddIndex(
            "relation",
            models.Index(fields=["owner", "object", "memory"], name="memories_relation_by_object"),
        ),
        migrations.RemoveIndex("relation", "memories_relation_subject"),
        migrations.RemoveIndex("relation", "memories_relation_object"),
    ]
