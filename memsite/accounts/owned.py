"""The base of every table that belongs to people."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import migrations, models

from memsite.ids import new_id


class Owned(models.Model):
    """A row of one owner: primary key `id`, and unique (owner, id) beside it.

    The pair is what other tables of the same owner refer to, so no reference can cross owners.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,  # every index leads with owner; one of owner alone would be one too many
        editable=False,
    )

    class Meta:
        abstract = True
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["owner", "id"], name="%(app_label)s_%(class)s_owner_id")
        ]


def within_owner(to: str | type[models.Model], **options: Any) -> models.ForeignKey[Any, Any]:
    """A foreign key whose constraint is (owner, id), made in the migration's SQL.

    The database cascades; Django neither checks nor collects, so set-based deletes stay one statement.
    """
    options.setdefault("related_name", "+")
    return models.ForeignKey(to, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, **options)


def owner_foreign_key(table: str, column: str, target: str, *, unlink: bool = False) -> migrations.RunSQL:
    """The constraint behind `within_owner`: (owner_id, column) refers to (owner_id, id) of `target`.

    The rows go with what they refer to; `unlink` empties the column instead. Checked at commit, so
    rows that refer to each other can come in any order.
    """
    name = f"{table}_{column}_within_owner"
    action = f"SET NULL ({column})" if unlink else "CASCADE"
    return migrations.RunSQL(
        f"ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY (owner_id, {column})"
        f" REFERENCES {target} (owner_id, id) ON DELETE {action} DEFERRABLE INITIALLY DEFERRED",
        f"ALTER TABLE {table} DROP CONSTRAINT {name}",
    )
