"""Programs of others on `/v1`, `/api/events` and webhooks of a running site with a scripted model server."""

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
    run_node,
    run_pytest,
)
from tests.programs.running_site import RunningSite, running_site
from tests.programs.upstream import MODEL, SMALL_TASKS, scripted_upstream

pytestmark = pytest.mark.programs

HERE = Path(__file__).parent
INSTALLED = PROGRAMS / "v1"
NODE = find_node("v1")
#: Nothing of our own configuration; LangChain's suite has asynchronous tests without marks.
ALONE = ["-c", os.devnull, "--rootdir", ".", "--confcutdir", "."]
#: One event loop for all tests, as a program has: ChatOpenAI keeps one client for all loops, which fails with
#: the connections of a loop that is closed (https://github.com/langchain-ai/langchain/issues/35783).
ONE_LOOP = [
    *("-o", "asyncio_default_test_loop_scope=session"),
    *("-o", "asyncio_default_fixture_loop_scope=session"),
]
OPTIONS = [*ALONE, "-o", "asyncio_mode=auto", *ONE_LOOP, "-W", "ignore"]
#: It compares the times of a recorded session, and there is none.
WITHOUT = ["-k", "not test_stream_time"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    require(PYTHON, NODE)
    folder = tmp_path_factory.mktemp("site")
    with scripted_upstream() as upstream, running_site(folder, **settings_for(upstream.url)) as running:
        yield running


def settings_for(upstream: str) -> dict[str, str]:
    """Return the settings of a site whose model server is this one."""
    return {
        "OPENAI_BASE_URL": upstream,
        "OPENAI_API_KEY": "none",
        "MEMSITE_MODEL_PRIMARY": MODEL,
        "MEMSITE_MODEL_FAST": SMALL_TASKS,
        "MEMSITE_MODEL_BREAKER": "off",  # failures are asked for, one after the other
        "MEMSITE_WEBHOOK_HOSTS": "127.0.0.1",
    }


@pytest.mark.parametrize(
    ("tests", "program", "package"),
    [
        (["openai_client.py"], "OpenAI's client for Python", "openai"),
        (["agents_sdk.py"], "OpenAI Agents SDK", "openai-agents"),
        (
            ["langchain_suite.py::TestChatCompletions"],
            "langchain-tests with ChatOpenAI, chat completions",
            "langchain-tests",
        ),
        (
            ["langchain_suite.py::TestResponses"],
            "langchain-tests with ChatOpenAI, Responses",
            "langchain-tests",
        ),
    ],
)
def test_python_program_works(
    site: RunningSite, record: Record, tmp_path: Path, tests: list[str], program: str, package: str
) -> None:
    options = [*OPTIONS, *WITHOUT, *tests]
    found, printed = run_pytest(options, HERE / "python", site.environment, tmp_path / "report.xml")
    record(program, find_python_version(package), found)
    assert found.is_success, printed


@pytest.mark.parametrize(
    ("name", "program", "package"),
    [
        ("openai", "OpenAI's client for JavaScript", "openai"),
        ("ai_sdk", "AI SDK with @ai-sdk/openai", "ai"),
        ("events", "EventSource, cut 100 times", "eventsource"),
        ("webhooks", "Standard Webhooks for JavaScript", "standardwebhooks"),
    ],
)
def test_node_program_works(site: RunningSite, record: Record, name: str, program: str, package: str) -> None:
    test = INSTALLED / f"{name}.test.mjs"  # beside its packages, where Node looks for them
    shutil.copyfile(HERE / "node" / test.name, test)
    found, printed = run_node([test], INSTALLED, site.environment, NODE)
    record(program, find_node_version("v1", package), found)
    assert found.is_success, printed
