"""Rules for every table of people's rows."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection, models
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

OUR_APPS = {"accounts", "events", "memories", "metering", "porting", "threads"}
#: Tables without an owner: the people themselves, invitations (before anyone has an account), the state of a
#: model's server, the sums of all reports of a day, the embedding model in use, an application's
#: counter, and the claims of open streams.
NOT_OWNED = {
    "accounts.User",
    "accounts.Invitation",
    "metering.Breaker",
    "memories.SiteReport",
    "memories.EmbeddingSwitch",
    "events.ApplicationCounter",
    "events.StreamClaim",
}
#: Indexes that do not lead with the owner, each with its reason.
ACROSS_OWNERS = {
    "events_logentry_application": "an application reads the events of all its end users in one order",
    "events_logentry_unnumbered": "finds the events that have no number in that order yet",
    "events_logentry_age": "the schedule deletes what is old",
    "events_webhookdelivery_age": "the schedule deletes what is old",
    "accounts_auditentry_batch": "staff undo one act of theirs for all of its owners",
}
TABLES = [model for model in apps.get_models() if model._meta.app_label in OUR_APPS]
OWNED = [model for model in TABLES if model._meta.label not in NOT_OWNED]


def _names(value: object) -> str:
    return value.__name__ if isinstance(value, type) else str(value)


@pytest.mark.parametrize("model", OWNED, ids=_names)
def test_owned_table_has_id_and_owner_as_a_key(model: type[models.Model]) -> None:
    unique = [c.fields for c in model._meta.constraints if isinstance(c, models.UniqueConstraint)]
    assert model._meta.pk.name == "id"
    assert ("owner", "id") in unique


@pytest.mark.parametrize("model", OWNED, ids=_names)
def test_every_index_leads_with_the_owner(model: type[models.Model]) -> None:
    for index in model._meta.indexes:
        assert index.fields[0] == "owner" or index.name in ACROSS_OWNERS, index.name
    for constraint in model._meta.constraints:
        if isinstance(constraint, models.UniqueConstraint) and constraint.fields:
            assert constraint.fields[0] == "owner", constraint.name


@pytest.mark.parametrize(
    "model", [m for m in OWNED if m._meta.app_label in {"memories", "porting", "threads"}], ids=_names
)
@pytest.mark.django_db
def test_reference_between_rows_carries_the_owner(model: type[models.Model]) -> None:
    for field in model._meta.concrete_fields:
        if not field.is_relation or field.name == "owner":
            continue
        assert _foreign_key_columns(model, field) == ["owner_id", field.column], field


@pytest.mark.django_db
def test_models_and_migrations_say_the_same() -> None:
    loader = MigrationLoader(connection)
    found = MigrationAutodetector(loader.project_state(), ProjectState.from_apps(apps)).changes(loader.graph)
    assert not {app for app in found if app in OUR_APPS | {"jobs", "rest"}}


@pytest.mark.django_db
def test_deployment_checks_find_nothing_to_mend(settings: Any) -> None:
    call_command("check", fail_level="WARNING")


def _foreign_key_columns(model: type[models.Model], field: models.Field[Any, Any]) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT array_agg(a.attname::text ORDER BY k.place)
            FROM pg_constraint AS c
            CROSS JOIN unnest(c.conkey) WITH ORDINALITY AS k (number, place)
            JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.number
            WHERE c.contype = 'f' AND c.conrelid = %s::regclass
            GROUP BY c.oid HAVING %s = ANY(array_agg(a.attname::text))
            """,
            [model._meta.db_table, field.column],
        )
        rows = cursor.fetchall()
    return rows[0][0] if rows else []
