"""Compute the keys of the messages that were stored before there were keys.

In batches, each committed for itself: after an interruption, the migration continues with the messages that
have none.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations

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

    dependencies = [("threads", "0015_content_key")]

    operations = [migrations.RunPython(fill_content_keys, migrations.RunPython.noop)]
