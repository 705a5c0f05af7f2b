"""The clients' own tests on a running site, with the libraries that their adapters are for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.programs.conftest import Record
from tests.programs.installed import (
    PROGRAMS,
    PYTHON,
    find_node,
    find_node_version,
    find_python_version,
    require,
    run,
    run_node,
    run_pytest,
)
from tests.programs.running_site import ROOT, RunningSite, running_site

pytestmark = pytest.mark.programs

CLIENTS = ROOT / "clients"
INSTALLED = PROGRAMS / "clients"
NODE = find_node("clients")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    require(PYTHON, NODE)
    with running_site(tmp_path_factory.mktemp("site")) as running:
        yield running


def succeeds(command: list[object], folder: Path, site: RunningSite, **more: str) -> None:
    """Run a program; fail with what it prints if it fails."""
    done = run(command, folder, site.environment | more)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]


@pytest.mark.parametrize(
    ("tests", "program", "package"),
    [
        ("tests/test_live.py", "Client for Python, with httpx", "httpx"),
        ("tests/sdk/test_anthropic.py", "Client for Python, with anthropic", "anthropic"),
        ("tests/sdk/test_langchain.py", "Client for Python, with LangChain", "langchain"),
        ("tests/sdk/test_agents.py", "Client for Python, with OpenAI Agents SDK", "openai-agents"),
    ],
)
def test_python_client_passes_with_its_library(
    site: RunningSite, record: Record, tmp_path: Path, tests: str, program: str, package: str
) -> None:
    options = ["-p", "no:asyncio", tests]  # of another program here; the tests run their own loops
    found, printed = run_pytest(options, CLIENTS / "python", site.environment, tmp_path / "report.xml")
    record(program, find_python_version(package), found)
    assert found.is_success, printed


def test_types_of_the_adapters_fit_their_libraries(site: RunningSite, tmp_path: Path) -> None:
    succeeds([PYTHON, "-m", "mypy", "--cache-dir", tmp_path], CLIENTS / "python", site)


def test_python_client_installs_and_runs(site: RunningSite, tmp_path: Path) -> None:
    source = shutil.copytree(CLIENTS / "python", tmp_path / "python", ignore=shutil.ignore_patterns("tests"))
    succeeds(
        [PYTHON, "-m", "pip", "install", "--quiet", "--target", tmp_path / "made", source], tmp_path, site
    )
    lines = tmp_path / "lines.txt"
    lines.write_text("The harbour of Porto is deep.\n", encoding="utf-8")
    call = "import sys; from memsite.commands import main; sys.exit(main())"
    arguments = ["--url", site.url, "--key", site.key, "import", lines, "--format", "lines"]
    succeeds([PYTHON, "-c", call, *arguments], tmp_path, site, PYTHONPATH=str(tmp_path / "made"))


def test_open_webui_filter_passes_on_a_live_site(site: RunningSite, record: Record, tmp_path: Path) -> None:
    options = ["-c", os.devnull, "--rootdir", ".", "."]
    found, printed = run_pytest(options, CLIENTS / "openwebui", site.environment, tmp_path / "report.xml")
    record("Filter for Open WebUI, its class alone", "–", found)
    assert found.is_success, printed


def test_javascript_client_passes_with_the_ai_sdk(site: RunningSite, record: Record) -> None:
    packed = INSTALLED / "memsite"  # beside its packages, where Node looks for them
    shutil.rmtree(packed, ignore_errors=True)
    shutil.copytree(CLIENTS / "js", packed, ignore=shutil.ignore_patterns("node_modules"))
    found, printed = run_node(sorted((packed / "test").glob("*.test.js")), packed, site.environment, NODE)
    record("Client for JavaScript, with AI SDK", find_node_version("clients", "ai"), found)
    assert found.is_success, printed
    compiler = INSTALLED / "node_modules" / "typescript" / "bin" / "tsc"
    options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck"]
    succeeds([NODE, compiler, *options, "test/types.ts"], packed, site)
    succeeds(["npm", "pack", "--dry-run"], packed, site)
