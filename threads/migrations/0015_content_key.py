"""Give each message a key of what it says, by which a history that a client sends again is recognised."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("threads", "0014_external_id")]

    operations = [
        migrations.AddField("thread", "application_id", models.UUIDField(editable=False, null=True)),
        migrations.AddField("thread", "resends_history", models.BooleanField(editable=False, null=True)),
        migrations.AddField("message", "content_key", models.UUIDField(editable=False, null=True)),
        migrations.AddIndex(
            "message",
            models.Index(
                condition=Q(("content_key__isnull", False)),
                fields=["owner", "content_key"],
                name="threads_message_content_key",
            ),
        ),
    ]
