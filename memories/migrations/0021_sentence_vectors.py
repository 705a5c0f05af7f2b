"""Add the vectors of the bundled sentence model, which the worker fills in beside the token vectors."""

from django.conf import settings
from django.db import migrations, models
from django.db.models.deletion import CASCADE, DO_NOTHING

from memsite.accounts.owned import owner_foreign_key
from memsite.serving.postgres import owner_policy
from memsite.values import new_id

TABLE = "memories_sentencevector"


class Migration(migrations.Migration):
    dependencies = [
        ("memories", "0020_counts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SentenceVector",
            fields=[
                ("id", models.UUIDField(default=new_id, editable=False, primary_key=True, serialize=False)),
                ("model", models.CharField(max_length=100)),
                ("version", models.BigIntegerField()),
                ("vector", models.BinaryField()),
                (
                    "memory",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=DO_NOTHING,
                        related_name="+",
                        to="memories.memory",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        editable=False,
                        on_delete=CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "abstract": False,
                "indexes": [models.Index(fields=["owner", "version"], name="memories_sentence_version")],
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "id"), name="memories_sentencevector_owner_id"),
                    models.UniqueConstraint(
                        fields=("owner", "memory", "model"), name="memories_sentence_once_a_model"
                    ),
                ],
            },
        ),
        owner_foreign_key(TABLE, "memory_id", "memories_memory"),
        # The planner's samples would outlive an erasure.
        migrations.RunSQL(
            f"ALTER TABLE {TABLE} ALTER COLUMN vector SET STATISTICS 0", migrations.RunSQL.noop
        ),
        owner_policy(TABLE),
    ]
