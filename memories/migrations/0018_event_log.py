"""The event log of each owner continues the numbers of the events of memories.

One statement, which can be repeated: an owner who has a counter keeps it.
"""

from django.db import migrations

CONTINUE = """
INSERT INTO events_eventcounter (id, owner_id, application_id, last, logged_at)
SELECT gen_random_uuid(), l.owner_id, u.application_id, l.event_sequence, now()
FROM memories_ledger AS l JOIN accounts_user AS u ON u.id = l.owner_id
WHERE l.event_sequence > 0
ON CONFLICT (owner_id) DO NOTHING
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0017_waiting"), ("events", "0002_row_security")]

    operations = [migrations.RunSQL(CONTINUE, migrations.RunSQL.noop)]
