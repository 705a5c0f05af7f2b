"""Let an audit entry name the batch of its act, by which it can be undone."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_deletion_requests")]

    operations = [
        migrations.AddField(
            model_name="auditentry",
            name="batch_id",
            field=models.UUIDField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="auditentry",
            index=models.Index(
                condition=Q(("batch_id__isnull", False)),
                fields=["batch_id"],
                name="accounts_auditentry_batch",
            ),
        ),
    ]
