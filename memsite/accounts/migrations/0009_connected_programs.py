"""Programs that people connected by OAuth."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import memsite.values
from memsite.serving.postgres import owner_policy


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_application_settings"),
        ("oauth2_provider", "0022_refreshtoken_token_family_index"),
    ]

    operations = [
        migrations.CreateModel(
            name="ConnectedProgram",
            fields=[
                (
                    "id",
                    models.UUIDField(default=memsite.values.new_id, editable=False, primary_key=True, serialize=False),
                ),
                ("connected_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("last_used_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "client",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.OAUTH2_PROVIDER_APPLICATION_MODEL,
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="connected_programs",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "id"), name="accounts_connectedprogram_owner_id"),
                    models.UniqueConstraint(fields=("owner", "client"), name="accounts_connectedprogram_once"),
                ],
            },
        ),
        owner_policy("accounts_connectedprogram"),
    ]
