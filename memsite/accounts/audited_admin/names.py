"""Set the translated names of models and their fields, for the admin."""

from __future__ import annotations

from typing import Any

from django.db.models import Model
from django.utils.functional import Promise


def name_model(model: type[Model], one: Promise, many: Promise, **fields: Promise) -> None:
    """Set the verbose names of a model and of its fields, for the admin.

    They are set here, not on the model, because Django writes a model's own verbose names into its
    migrations.

    Args:
        model: The model.
        one: Its name in the singular.
        many: Its name in the plural.
        fields: The names of its fields.
    """
    options: Any = model._meta
    options.verbose_name, options.verbose_name_plural = one, many
    for field, name in fields.items():
        options.get_field(field).verbose_name = name
