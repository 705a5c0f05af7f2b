"""A data directory that takes no more data is named, with what to do."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import OperationalError
from django.test import RequestFactory

import manage
from memsite.env import BadSetting
from memsite.rest.errors import translate_error
from memsite.serving import data_folder, secret_key
from memsite.serving.data_folder import FolderProblem, explain_file_error, find_folder_problem
from memsite.web.errors import ErrorPageMiddleware


def test_folder_with_space_has_no_problem(tmp_path: Path) -> None:
    assert find_folder_problem(tmp_path) is None


def test_folder_that_does_not_exist_yet_has_no_problem(tmp_path: Path) -> None:
    assert find_folder_problem(tmp_path / "later") is None


def test_disk_with_less_than_the_database_needs_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_folder, "FULL_BELOW", 10**18)
    assert find_folder_problem(tmp_path) == FolderProblem.FULL


def test_folder_that_cannot_be_written_is_read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert find_folder_problem(tmp_path) == FolderProblem.READ_ONLY


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "free some space"),
        (errno.EROFS, "make it writable"),
        (errno.EACCES, "make it writable"),
    ],
)
def test_command_that_cannot_write_a_file_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, number: int, advice: str
) -> None:
    def fail(_argv: object) -> None:
        raise OSError(number, os.strerror(number), "/data/lock")

    monkeypatch.setattr(manage, "execute_from_command_line", fail)
    with pytest.raises(SystemExit, match=rf"/data/lock.*MEMSITE_DATA_DIR.*{advice}"):
        manage.main()


def test_other_error_of_a_file_is_not_explained() -> None:
    assert explain_file_error(OSError(errno.ENOENT, "No such file or directory", "/data/lock")) is None


def test_secret_key_that_cannot_be_written_names_the_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: Any) -> int:
        raise OSError(errno.EROFS, "Read-only file system", "secret_key.1")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(BadSetting, match=r"MEMSITE_DATA_DIR.*make it writable"):
        secret_key.load_secret_key(tmp_path)


@pytest.fixture
def disk_full() -> OperationalError:
    """The error of a statement for which the server had no space, as Django raises it."""
    error = OperationalError("could not extend file")
    error.__cause__ = psycopg.errors.DiskFull("could not extend file")
    return error


def test_program_is_told_that_the_disk_of_the_database_is_full(disk_full: OperationalError) -> None:
    translated = translate_error(disk_full)
    assert translated is not None
    assert translated.status == 503
    assert "disk of the database is full" in translated.message


def test_person_is_told_that_the_disk_is_full(disk_full: OperationalError) -> None:
    middleware = ErrorPageMiddleware(lambda _request: pytest.fail("not called"))
    answer = middleware.process_exception(RequestFactory().get("/memories/"), disk_full)
    assert answer is not None
    assert answer.status_code == 503
    assert "disk of this site is full" in answer.content.decode()
