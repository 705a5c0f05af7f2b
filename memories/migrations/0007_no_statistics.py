"""The planner keeps samples of columns in a table of its own, where no erasure reaches: none of people's text."""

from django.db import migrations

COLUMNS = {
    "memories_memory": (
        "content category tags participants subject predicate object speaker session metadata slot fingerprint terms"
        " entity_terms"
    ),
    "memories_memoryembedding": "vector tokens",
    "memories_memorysource": "reference fingerprint",
    "memories_memorylink": "reason",
    "memories_entity": "name key",
    "memories_relation": "predicate",
    "memories_event": "before",
    "memories_report": "body",
    "memories_reflection": "request error counts outcomes",
    "memories_erasure": "digest",
}


def set_statistics(target: int) -> list[str]:
    return [
        f"ALTER TABLE {table} " + ", ".join(f"ALTER COLUMN {name} SET STATISTICS {target}" for name in names.split())
        for table, names in COLUMNS.items()
    ]


class Migration(migrations.Migration):
    dependencies = [("memories", "0006_report")]

    operations = [migrations.RunSQL(set_statistics(0), set_statistics(-1))]
