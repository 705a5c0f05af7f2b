"""A model's word that a slot takes one value becomes a proposal: it ends nothing any more.

A row on which a person set `single_valued` later (an event kept the value before) stays as it is.
"""

from django.db import migrations

PROPOSE = """
UPDATE memories_memory AS m
SET single_valued = FALSE, metadata = m.metadata || '{"single_valued_proposed": true}'::jsonb
WHERE m.single_valued AND m.written_by = 'model' AND NOT EXISTS (
    SELECT 1 FROM memories_event AS e
    WHERE e.owner_id = m.owner_id AND e.memory_id = m.id AND e.before ? 'single_valued'
)
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0010_gone")]

    operations = [migrations.RunSQL(PROPOSE, migrations.RunSQL.noop)]
