"""Which user the database runs as, and what that user can reach."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memsite.serving.processes import os_users
from memsite.serving.processes.os_users import (
    NoWayIn,
    OsUser,
    find_closed_folder,
    find_database_user,
    make_launch,
)

STRANGER = OsUser("stranger", 64_999, 64_999)


def test_ordinary_user_runs_it_as_themselves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert find_database_user(tmp_path) is None


def test_root_takes_another_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    user = find_database_user(tmp_path / "absent")
    assert user is not None
    assert user.uid != 0


def test_own_command_is_left_as_it_is() -> None:
    assert make_launch(["true"], None, []).argv == ["true"]


def test_folder_closed_to_others_is_found_on_the_way(tmp_path: Path) -> None:
    (tmp_path / "closed" / "inner").mkdir(parents=True)
    (tmp_path / "closed").chmod(0o700)
    way = find_closed_folder(tmp_path / "closed" / "inner", STRANGER)
    assert way is not None
    assert (tmp_path / "closed").is_relative_to(way)


def test_folders_open_to_everyone_need_no_capability() -> None:
    started = make_launch(["/bin/true"], STRANGER, [Path("/")])
    assert started.argv == ["/bin/true"]
    assert started.keywords["user"] == STRANGER.uid


def test_closed_folder_takes_a_capability(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr(os_users, "_passing_capability", lambda: "dac_read_search")
    monkeypatch.setattr("shutil.which", lambda _name: "/usr/bin/setpriv")
    started = make_launch(["postgres"], STRANGER, [tmp_path])
    assert "--ambient-caps=+dac_read_search" in started.argv
    assert started.argv[-2:] == ["--", "postgres"]


def test_closed_folder_without_a_capability_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr(os_users, "_passing_capability", lambda: None)
    with pytest.raises(NoWayIn, match="MEMSITE_DATA_DIR"):
        make_launch(["postgres"], STRANGER, [tmp_path])
