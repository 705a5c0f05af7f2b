"""The Python client's own tests, in a process of their own: its package has the name of the site's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from drf_spectacular.generators import SchemaGenerator

CLIENT = Path(__file__).parents[2] / "clients" / "python"


@pytest.fixture(scope="module")
def schema_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("schema") / "schema.json"
    file.write_text(json.dumps(SchemaGenerator().get_schema(request=None, public=True), default=str))
    return file


def test_python_client_passes_its_tests(schema_file: Path) -> None:
    ours = ("PYTEST_", "DJANGO_", "MEMSITE_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environment |= {"MEMSITE_TEST_SCHEMA": str(schema_file), "PYTHONPATH": str(CLIENT / "src")}
    plugins = ("-p", "no:django", "-p", "no:randomly", "-p", "no:cacheprovider")
    command = (sys.executable, "-m", "pytest", "-q", *plugins, "tests")
    run = subprocess.run(  # noqa: S603 - our own command
        command, cwd=CLIENT, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
