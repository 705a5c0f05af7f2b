import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import memsite.values
from memsite.accounts.owned import owner_foreign_key


class Migration(migrations.Migration):

    dependencies = [
        ("threads", "0006_summaries"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField("message", "is_compacted", models.BooleanField(default=False, editable=False)),
        migrations.AddField("branch", "live_tokens", models.BigIntegerField(editable=False, null=True)),
        migrations.AddField("branch", "compacted_to", models.BigIntegerField(editable=False, null=True)),
        migrations.CreateModel(
            name="ContextMetrics",
            fields=[
                ("id", models.UUIDField(default=memsite.values.new_id, editable=False, primary_key=True, serialize=False)),
                ("compactions", models.IntegerField(default=0)),
                ("offloaded", models.IntegerField(default=0)),
                ("restored", models.IntegerField(default=0)),
                ("tokens_before", models.BigIntegerField(default=0)),
                ("tokens_after", models.BigIntegerField(default=0)),
                ("tokens_saved", models.BigIntegerField(default=0)),
                ("compacted_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("owner", models.ForeignKey(db_index=False, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("thread", models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="threads.thread")),
            ],
            options={
                "verbose_name_plural": "context metrics",
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "id"), name="threads_contextmetrics_owner_id"),
                    models.UniqueConstraint(fields=("owner", "thread"), name="threads_contextmetrics_one_a_thread"),
                ],
            },
        ),
        owner_foreign_key("threads_contextmetrics", "thread_id", "threads_thread"),
    ]
