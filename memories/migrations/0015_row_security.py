"""Rows of memories are seen by their owner alone."""

from django.db import migrations

from memsite.serving.postgres import owner_policy

TABLES = (
    "memories_entity",
    "memories_erasure",
    "memories_event",
    "memories_givenmessages",
    "memories_graphrebuild",
    "memories_ledger",
    "memories_memory",
    "memories_memoryaccess",
    "memories_memoryembedding",
    "memories_memorylink",
    "memories_memorysource",
    "memories_mention",
    "memories_reflection",
    "memories_relation",
    "memories_renormalisation",
    "memories_report",
)


class Migration(migrations.Migration):
    dependencies = [("memories", "0014_owner_by_memory")]

    operations = [owner_policy(table) for table in TABLES]
