"""What Memsite asks of a database server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memsite.serving.postgres import server_check
from memsite.serving.postgres.database import get_embedded_parameters, parse_parameters
from memsite.serving.postgres.server_check import (
    UnreachableDatabase,
    UnusableDatabase,
    check_roles,
    check_server,
    parse_version,
    pgvector_problem,
)


@pytest.mark.parametrize(
    ("text", "version"), [("0.8.5", (0, 8, 5)), ("0.10", (0, 10)), ("1.0.0-rc1", (1, 0)), ("", ())]
)
def test_version_is_compared_by_number(text: str, version: tuple[int, ...]) -> None:
    assert parse_version(text) == version


@pytest.mark.parametrize(
    ("offered", "installed"), [("0.8.0", None), ("0.8.5", "0.8.0"), ("0.10.1", "0.10.0")]
)
def test_new_enough_pgvector_is_no_problem(offered: str, installed: str | None) -> None:
    assert pgvector_problem(offered, installed) is None


@pytest.mark.parametrize(
    ("offered", "installed", "advice"),
    [
        (None, None, "install its package"),
        ("0.7.4", None, "0.7.4 is too old"),
        ("0.8.5", "0.5.1", "ALTER EXTENSION vector UPDATE"),
    ],
)
def test_problem_with_pgvector_says_what_to_do(
    offered: str | None, installed: str | None, advice: str
) -> None:
    assert advice in (pgvector_problem(offered, installed) or "")


def test_good_server_with_a_plain_role_passes_without_advice() -> None:
    assert check_server(parse_parameters(os.environ["DATABASE_URL"])) == []


def test_superuser_is_advised_against() -> None:
    superuser = {**parse_parameters(os.environ["DATABASE_URL"]), "user": "postgres"}
    assert "superuser" in check_server(superuser)[0]


@pytest.fixture
def superuser() -> Iterator[psycopg.Connection[Any]]:
    """A superuser's connection to the site's database; what it does is undone."""
    with psycopg.connect(
        **{**parse_parameters(os.environ["DATABASE_URL"]), "user": "postgres"}
    ) as connection:
        yield connection
        connection.rollback()


def _become(connection: psycopg.Connection[Any], role: str) -> None:
    connection.execute(f"SET SESSION AUTHORIZATION {role}")


def test_role_that_owns_its_tables_is_accepted_with_advice(superuser: psycopg.Connection[Any]) -> None:
    superuser.execute(
        "CREATE ROLE single LOGIN; CREATE TABLE its_own (); ALTER TABLE its_own OWNER TO single"
    )
    _become(superuser, "single")
    (advice,) = check_roles(superuser)
    assert "owns its tables" in advice
    assert "docs/install.md" in advice


def test_role_that_inherits_from_the_owner_counts_as_the_owner(superuser: psycopg.Connection[Any]) -> None:
    superuser.execute("CREATE ROLE heir LOGIN; GRANT memsite_owner TO heir WITH INHERIT TRUE")
    _become(superuser, "heir")
    assert "owns its tables" in check_roles(superuser)[0]


@pytest.mark.parametrize("attributes", ["", "BYPASSRLS"])
def test_role_without_a_usable_one_for_all_owners_is_refused(
    superuser: psycopg.Connection[Any], attributes: str
) -> None:
    superuser.execute(f"CREATE ROLE plain LOGIN; CREATE ROLE plain_all {attributes}")
    _become(superuser, "plain")
    with pytest.raises(UnusableDatabase, match="GRANT plain_all TO plain"):
        check_roles(superuser)


@pytest.mark.django_db
def test_deployment_check_reports_a_role_that_owns_its_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_check, "check_roles", lambda _: ["the role owns its tables"])
    assert [message.id for message in server_check.check_deployment()] == ["memsite.W001"]


@pytest.mark.django_db
def test_deployment_check_has_nothing_to_say_of_three_roles() -> None:
    assert server_check.check_deployment() == []


def test_absent_server_is_told_apart_from_an_unusable_one(tmp_path: Path) -> None:
    with pytest.raises(UnreachableDatabase, match="cannot connect"):
        check_server(get_embedded_parameters(tmp_path))
    assert issubclass(UnreachableDatabase, UnusableDatabase)
