"""What Memsite asks of a database server."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memsite.serving.postgres.database import embedded_parameters, parameters_of
from memsite.serving.postgres.server_check import (
    UnreachableDatabase,
    UnusableDatabase,
    as_version,
    check,
    pgvector_problem,
)


@pytest.mark.parametrize(
    ("text", "version"), [("0.8.5", (0, 8, 5)), ("0.10", (0, 10)), ("1.0.0-rc1", (1, 0)), ("", ())]
)
def test_version_is_compared_by_number(text: str, version: tuple[int, ...]) -> None:
    assert as_version(text) == version


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
    assert check(parameters_of(os.environ["DATABASE_URL"])) == []


def test_superuser_is_advised_against() -> None:
    superuser = {**parameters_of(os.environ["DATABASE_URL"]), "user": "postgres"}
    assert "superuser" in check(superuser)[0]


def test_absent_server_is_told_apart_from_an_unusable_one(tmp_path: Path) -> None:
    with pytest.raises(UnreachableDatabase, match="cannot connect"):
        check(embedded_parameters(tmp_path))
    assert issubclass(UnreachableDatabase, UnusableDatabase)
