"""Preferences are seen by their owner alone."""

from django.db import migrations

from memsite.serving.postgres import owner_policy

TABLES = (
    "accounts_preferences",
)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_addresses")]

    operations = [owner_policy(table) for table in TABLES]
