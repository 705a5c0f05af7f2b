"""Rows of the event log are seen by their owner alone."""

from django.db import migrations

from memsite.serving.postgres import owner_policy

TABLES = (
    "events_eventcounter",
    "events_logentry",
)


class Migration(migrations.Migration):
    dependencies = [("events", "0001_initial")]

    operations = [owner_policy(table) for table in TABLES]
