"""Settings of applications at the OpenAI-compatible endpoint."""

import django.contrib.postgres.fields
from django.db import migrations, models

from memsite.accounts.models import list_default_headers


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_audit_batch")]

    operations = [
        migrations.AddField(
            "application",
            "headers",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("x-openwebui-user-jwt", "Openwebui Token"),
                        ("x-openwebui-user-id", "Openwebui User"),
                        ("x-litellm-end-user-id", "Litellm User"),
                        ("x-sm-user-id", "Supermemory User"),
                        ("x-openwebui-chat-id", "Openwebui Chat"),
                        ("x-conversation-id", "Conversation"),
                        ("x-litellm-session-id", "Litellm Session"),
                        ("session-id", "Codex Session"),
                    ],
                    max_length=64,
                ),
                blank=True,
                default=list_default_headers,
                size=None,
            ),
        ),
        migrations.AddField("application", "user_header", models.CharField(blank=True, default="", max_length=64)),
        migrations.AddField(
            "application",
            "token_secret",
            models.CharField(blank=True, default="", editable=False, max_length=1000),
        ),
        migrations.AddField("application", "require_user", models.BooleanField(default=False)),
        migrations.AddField("application", "finds_side_requests", models.BooleanField(default=True)),
    ]
