"""Counting requests waits for no disk; and the shared cache has its table from the start."""

from django.core.management import call_command
from django.db import migrations


def create_cache_table(apps, schema_editor):
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):
    dependencies = [("rest", "0001_initial")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE rest_requestcount SET UNLOGGED", "ALTER TABLE rest_requestcount SET LOGGED"
        ),
        migrations.RunPython(create_cache_table, migrations.RunPython.noop),
    ]
