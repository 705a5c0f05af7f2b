from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from memsite.accounts.owned import owner_foreign_key
from memsite.serving.postgres import owner_policy
from memsite.values import new_id


def _owner(**options: bool) -> models.ForeignKey:
    return models.ForeignKey(
        db_index=False,
        editable=False,
        on_delete=django.db.models.deletion.CASCADE,
        related_name="+",
        to=settings.AUTH_USER_MODEL,
        **options,
    )


class Migration(migrations.Migration):
    initial = True

    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            "Import",
            [
                ("id", models.UUIDField(default=new_id, editable=False, primary_key=True, serialize=False)),
                ("format", models.CharField(max_length=16)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                            ("undone", "Undone"),
                        ],
                        max_length=12,
                    ),
                ),
                ("options", models.JSONField(default=dict)),
                ("files", models.JSONField(default=list)),
                ("preview", models.JSONField(default=dict)),
                ("total", models.IntegerField(default=0)),
                ("done", models.IntegerField(default=0)),
                ("counts", models.JSONField(default=dict)),
                ("warnings", models.JSONField(default=list)),
                ("error", models.CharField(blank=True, default="", max_length=500)),
                ("batch_id", models.UUIDField(default=new_id)),
                ("job_id", models.UUIDField(null=True)),
                ("actor", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("finished_at", models.DateTimeField(null=True)),
                ("owner", _owner()),
            ],
            options={
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "id"), name="porting_import_owner_id")
                ],
                "indexes": [models.Index(fields=["owner", "created_at"], name="porting_import_created")],
            },
        ),
        migrations.CreateModel(
            "ImportedThread",
            [
                ("id", models.UUIDField(default=new_id, editable=False, primary_key=True, serialize=False)),
                ("thread_id", models.UUIDField()),
                ("is_new", models.BooleanField()),
                ("message_ids", models.JSONField(default=list)),
                ("owner", _owner(db_constraint=False)),
                (
                    "source",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="porting.import",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "id"), name="porting_importedthread_owner_id")
                ],
                "indexes": [models.Index(fields=["owner", "source"], name="porting_importedthread_source")],
            },
        ),
        owner_foreign_key("porting_importedthread", "source_id", "porting_import"),
        owner_policy("porting_import"),
        owner_policy("porting_importedthread"),
    ]
