"""Let a program give a thread the id that the conversation has there, unique for each owner."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("threads", "0013_sent_context")]

    operations = [
        migrations.AddField("thread", "external_id", models.CharField(blank=True, max_length=200, null=True)),
        migrations.AddConstraint(
            "thread",
            models.UniqueConstraint(fields=["owner", "external_id"], name="threads_thread_external_id_unique"),
        ),
        migrations.AddConstraint(
            "thread",
            models.CheckConstraint(condition=~Q(("external_id", "")), name="threads_thread_external_id_filled"),
        ),
    ]
