from __future__ import annotations

import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from memsite.accounts.owned import owner_foreign_key
from memsite.values import new_id
from memsite.serving.postgres import owner_policy


def _within_owner(to: str) -> models.ForeignKey:
    return models.ForeignKey(
        to,
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.DO_NOTHING,
        related_name="+",
    )


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("threads", "0012_row_security"),
    ]

    operations = [
        migrations.AddField("reply", "followed_at", models.DateTimeField(null=True)),
        migrations.CreateModel(
            "SentContext",
            [
                ("id", models.UUIDField(default=new_id, editable=False, primary_key=True, serialize=False)),
                ("system_prompt", models.TextField(blank=True, default="")),
                ("summary", models.TextField(blank=True, default="")),
                ("task_state", models.TextField(blank=True, default="")),
                ("messages", models.JSONField(default=list)),
                (
                    "memories",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), default=list, size=None
                    ),
                ),
                ("mark", models.CharField(blank=True, default="", max_length=64)),
                ("left_out", models.JSONField(default=list)),
                ("summarised", models.IntegerField(default=0)),
                ("token_stats", models.JSONField(default=dict)),
                ("budget", models.JSONField(default=dict)),
                ("notes", models.JSONField(default=dict)),
                ("digest", models.BinaryField(max_length=16)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("question", _within_owner("threads.message")),
                ("thread", _within_owner("threads.thread")),
            ],
            options={
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "id"), name="threads_sentcontext_owner_id")
                ],
                "indexes": [models.Index(fields=["owner", "question"], name="threads_sentcontext_question")],
            },
        ),
        owner_foreign_key("threads_sentcontext", "question_id", "threads_message"),
        owner_foreign_key("threads_sentcontext", "thread_id", "threads_thread"),
        owner_policy("threads_sentcontext"),
    ]
