"""Deletions that a person requested. They are seen by their owner alone."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import memsite.values
from memsite.serving.postgres import owner_policy


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_refused_kinds")]

    operations = [
        migrations.CreateModel(
            name="DeletionRequest",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memsite.values.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "scope",
                    models.CharField(
                        choices=[("memories", "Memories"), ("account", "Account")], max_length=16
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("due_at", models.DateTimeField()),
                ("begun_at", models.DateTimeField(blank=True, null=True)),
                ("called_off_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("erased", models.JSONField(blank=True, default=dict)),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deletion_requests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "id"), name="accounts_deletionrequest_owner_id"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(
                            ("called_off_at__isnull", True), ("finished_at__isnull", True)
                        ),
                        fields=("owner",),
                        name="accounts_deletionrequest_one_open",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("called_off_at__isnull", True),
                            models.Q(("begun_at__isnull", True), ("finished_at__isnull", True)),
                            _connector="OR",
                        ),
                        name="accounts_deletionrequest_called_off_before_begun",
                    ),
                ],
            },
        ),
        owner_policy("accounts_deletionrequest"),
    ]
