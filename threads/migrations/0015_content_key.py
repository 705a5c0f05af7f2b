"""Give each message a key of what it says, by which a history that a client sends again is recognised.

Existing messages get theirs in batches, each in a transaction of its own: after an interruption, the migration
continues with the messages that have none.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations, models
from django.db.models import Q

from threads.storage import compute_content_key

BATCH = 1_000


def fill_content_keys(apps: Any, editor: Any) -> None:
    """Compute the keys of all messages that have none."""
    rows = apps.get_model("threads", "Message").objects.filter(content_key=None).exclude(role="system")
    offloads = apps.get_model("threads", "Offload").objects
    after = None
    while True:
        page = list((rows.filter(id__gt=after) if after else rows).order_by("id")[:BATCH])
        if not page:
            return
        away = [row.pk for row in page if row.is_compacted]
        whole = dict(offloads.filter(message_id__in=away).values_list("message_id", "content")) if away else {}
        keys = [_compute(row, whole.get(row.pk, row.content)) for row in page]
        with editor.connection.cursor() as cursor:
            cursor.execute(
                "UPDATE threads_message AS m SET content_key = k.key"
                " FROM unnest(%s::uuid[], %s::uuid[]) AS k(id, key) WHERE m.id = k.id",
                [[row.pk for row in page], keys],
            )
        after = page[-1].pk


def _compute(row: Any, content: str) -> Any:
    return compute_content_key(
        row.role, content, tool_calls=row.tool_calls, tool_call_id=row.tool_call_id, state=row.state
    )


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("threads", "0014_external_id")]

    operations = [
        migrations.AddField("thread", "application_id", models.UUIDField(editable=False, null=True)),
        migrations.AddField("thread", "resends_history", models.BooleanField(editable=False, null=True)),
        migrations.AddField("message", "content_key", models.UUIDField(editable=False, null=True)),
        migrations.RunPython(fill_content_keys, migrations.RunPython.noop),
        migrations.AddIndex(
            "message",
            models.Index(
                condition=Q(("content_key__isnull", False)),
                fields=["owner", "content_key"],
                name="threads_message_content_key",
            ),
        ),
    ]
