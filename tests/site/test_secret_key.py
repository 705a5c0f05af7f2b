from __future__ import annotations

from pathlib import Path

import pytest

from memsite.env import BadSetting
from memsite.serving.secret_key import load_secret_key


def test_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    made = load_secret_key(tmp_path / "var")
    assert len(made) > 40
    assert load_secret_key(tmp_path / "var") == made
    assert (tmp_path / "var" / "secret_key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("place", ["file", "file/var"])
def test_data_directory_that_is_a_file_is_named(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSetting, match=r"MEMSITE_DATA_DIR: .*file.* is not a folder"):
        load_secret_key(tmp_path / place)
