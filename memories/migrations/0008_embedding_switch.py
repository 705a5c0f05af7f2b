"""Which embedding model the site searches by. A site that has embedded goes on with the model that saw most."""

from django.db import migrations, models

SETTLE = """
INSERT INTO memories_embeddingswitch (id, active, dimensions, target, former, generation, total, done, error)
SELECT 1, model, max(vector_dims(vector)), '', '', 0, 0, 0, ''
FROM memories_memoryembedding WHERE model <> ''
GROUP BY model ORDER BY count(*) DESC, model LIMIT 1
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0007_no_statistics")]

    operations = [
        migrations.CreateModel(
            name="EmbeddingSwitch",
            fields=[
                (
                    "id",
                    models.SmallIntegerField(default=1, editable=False, primary_key=True, serialize=False),
                ),
                ("active", models.CharField(max_length=100)),
                ("dimensions", models.PositiveIntegerField()),
                ("target", models.CharField(blank=True, default="", max_length=100)),
                ("former", models.CharField(blank=True, default="", max_length=100)),
                ("generation", models.BigIntegerField(default=0)),
                ("total", models.PositiveBigIntegerField(default=0)),
                ("done", models.PositiveBigIntegerField(default=0)),
                ("error", models.TextField(blank=True, default="")),
                ("started_at", models.DateTimeField(null=True)),
                ("switched_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(id=1), name="memories_embeddingswitch_one_row"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("active", ""), _negated=True),
                            models.Q(("target", models.F("active")), _negated=True),
                        ),
                        name="memories_embeddingswitch_apart",
                    ),
                ],
            },
        ),
        migrations.RunSQL(SETTLE, migrations.RunSQL.noop),
    ]
