"""The script that makes the tables of an empty database makes what the migrations make."""

from __future__ import annotations

import pytest

from memsite.serving.postgres import SCHEMA
from tests.migrated_schema import dump_migrated_schema


@pytest.mark.parametrize("options", [["--step-by-step"], []], ids=["migrations", "script"])
def test_tables_are_those_of_the_script(options: list[str]) -> None:
    assert dump_migrated_schema(*options) == SCHEMA.read_text(encoding="utf-8"), "run make schema"
