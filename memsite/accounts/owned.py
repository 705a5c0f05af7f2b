"""The base of every table whose rows belong to a person."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import migrations, models

from memsite.values import new_id


class Owned(models.Model):
    """A row of one owner: primary key `id`, and a unique (owner, id).

    Other tables of the same owner refer to this pair, so that no reference can cross owners.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,  # every index leads with owner, so one of owner alone would be redundant
        editable=False,
    )

    class Meta:
        abstract = True
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["owner", "id"], name="%(app_label)s_%(class)s_owner_id")
        ]


class OwnedPart(Owned):
    """A row that refers to another row of its owner, and so exists only beside an existing owner.

    Its owner needs no constraint of its own: the constraint (owner, id) of that reference implies it. The
    database checks every constraint of every inserted row when the transaction commits.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
        db_constraint=False,
        editable=False,
    )

    class Meta(Owned.Meta):
        abstract = True


def within_owner(to: str | type[models.Model], **options: Any) -> models.ForeignKey[Any, Any]:
    """Return a foreign key whose constraint (owner, id) is created by the migration's SQL.

    The database cascades; Django neither checks nor collects, so that deleting a set of rows is one
    statement.
    """
    options.setdefault("related_name", "+")
    return models.ForeignKey(to, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, **options)


def owner_foreign_key(table: str, column: str, target: str, *, unlink: bool = False) -> migrations.RunSQL:
    """Return the constraint behind `within_owner`: (owner_id, column) refers to (owner_id, id) of `target`.

    Rows are deleted with the row they refer to; with `unlink` the column is set to null instead. The
    constraint is checked at commit, so that rows that refer to each other can be written in any order.
    """
    name = f"{table}_{column}_within_owner"
    action = f"SET NULL ({column})" if unlink else "CASCADE"
    return migrations.RunSQL(
        f"ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY (owner_id, {column})"
        f" REFERENCES {target} (owner_id, id) ON DELETE {action} DEFERRABLE INITIALLY DEFERRED",
        f"ALTER TABLE {table} DROP CONSTRAINT {name}",
    )
