"""What a memory says, word by word, as a column: what says the same in the same words is found by it."""

from django.db import migrations, models

from memories.text.comparison.wording import wording_key

AT_ONCE = 500


def fill(apps, schema_editor):
    Memory = apps.get_model("memories", "Memory")
    changed = []
    for row in Memory.objects.exclude(layer="episodic").only("id", "content").iterator():
        row.wording = wording_key(row.content)
        changed.append(row)
        if len(changed) == AT_ONCE:
            Memory.objects.bulk_update(changed, ["wording"])
            changed.clear()
    Memory.objects.bulk_update(changed, ["wording"])


class Migration(migrations.Migration):
    dependencies = [("memories", "0008_embedding_switch")]

    operations = [
        migrations.AddField(
            model_name="memory",
            name="wording",
            field=models.BinaryField(default=bytes, editable=False, max_length=16),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("wording", b""), _negated=True),
                fields=["owner", "wording"],
                name="memories_memory_wording",
            ),
        ),
        # The planner's samples are kept where no erasure reaches.
        migrations.RunSQL(
            "ALTER TABLE memories_memory ALTER COLUMN wording SET STATISTICS 0", migrations.RunSQL.noop
        ),
    ]
