"""What a memory says, word by word, as a column: what says the same in the same words is found by it.

Rows that are stored already get their wording from the renormalisation that runs when the site starts.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0008_embedding_switch")]

    operations = [
        migrations.AddField(
            model_name="memory",
            name="wording",
            field=models.BinaryField(default=bytes, editable=False, max_length=16),
        ),
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
