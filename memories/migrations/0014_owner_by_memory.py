"""Drop constraints on the owner of rows that refer to a memory: that reference implies its owner."""

from django.conf import settings
from django.db import migrations, models
from django.db.models.deletion import CASCADE

PARTS = ("memoryaccess", "memoryembedding", "memorylink", "memorysource", "mention", "relation")


class Migration(migrations.Migration):
    dependencies = [("memories", "0013_given_messages")]

    operations = [
        migrations.AlterField(
            model,
            "owner",
            models.ForeignKey(
                settings.AUTH_USER_MODEL,
                on_delete=CASCADE,
                related_name="+",
                db_index=False,
                db_constraint=False,
                editable=False,
            ),
        )
        for model in PARTS
    ]
