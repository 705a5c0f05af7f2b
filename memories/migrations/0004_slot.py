"""What a triple is about, as a column: statements about one thing are found by it."""

from django.db import migrations, models
from django.db.models import Q

from memories.text.predicates import slot_of

STANDS = Q(retired_at=None, ended_at=None, forgotten_at=None)
AT_ONCE = 500


def fill(apps, schema_editor):
    Memory = apps.get_model("memories", "Memory")
    User = apps.get_model("accounts", "User")
    rows = Memory.objects.exclude(layer="episodic").exclude(subject="").exclude(predicate="").exclude(object="")
    names, changed = {}, []
    for row in rows.only("id", "owner_id", "subject", "predicate", "object", "speaker").iterator():
        if row.owner_id not in names:
            user = User.objects.get(pk=row.owner_id)
            full = f"{user.first_name} {user.last_name}".strip()
            names[row.owner_id] = [full, user.first_name, user.external_id, user.username]
        slot = slot_of(
            row.subject, row.predicate, row.object, user_names=names[row.owner_id], speaker=row.speaker
        )
        row.slot = slot.digest if slot else ""
        changed.append(row)
        if len(changed) == AT_ONCE:
            Memory.objects.bulk_update(changed, ["slot"])
            changed.clear()
    Memory.objects.bulk_update(changed, ["slot"])


class Migration(migrations.Migration):
    dependencies = [("memories", "0003_reflection"), ("accounts", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="memory",
            name="slot",
            field=models.CharField(blank=True, default="", editable=False, max_length=32),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("slot", ""), _negated=True),
                fields=["owner", "slot"],
                name="memories_memory_slot",
            ),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(
                    ("ended_at", None),
                    ("forgotten_at", None),
                    ("retired_at", None),
                    models.Q(("layer", "episodic"), _negated=True),
                ),
                fields=["owner", "layer", "kind"],
                name="memories_memory_known",
            ),
        ),
    ]
