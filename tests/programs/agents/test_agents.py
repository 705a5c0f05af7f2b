"""Agents by their recipes: what a person says through them is one thread, and is remembered the next time."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.llm_server import LLMServer
from tests.programs.agents.agent_programs import AGENTS, AgentProgram
from tests.programs.conftest import Record
from tests.programs.installed import run
from tests.programs.results import Result
from tests.programs.running_site import RunningSite, running_site
from tests.programs.upstream import scripted_upstream
from tests.programs.v1.test_v1_programs import settings_for

pytestmark = pytest.mark.programs

LEARNT_WITHIN = 120.0


@pytest.fixture(scope="module")
def upstream() -> Iterator[LLMServer]:
    with scripted_upstream() as server:
        yield server


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, upstream: LLMServer) -> Iterator[RunningSite]:
    with running_site(tmp_path_factory.mktemp("site"), **settings_for(upstream.url)) as running:
        yield running


@pytest.mark.parametrize("agent", AGENTS, ids=[one.name for one in AGENTS])
def test_agent_remembers_what_a_person_says(
    agent: AgentProgram, site: RunningSite, upstream: LLMServer, record: Record, tmp_path: Path
) -> None:
    if not agent.is_installed:
        pytest.skip(f"{agent.name} is not installed: make test-programs could not get {agent.package}")
    said = f"My cat is called {agent.cat}."
    printed = say(agent, site, tmp_path / "first", said)
    threads = list_titles(site)
    facts = wait_for_facts(site, agent.cat)
    asked = len(upstream.chats)
    printed += say(agent, site, tmp_path / "second", "What is my cat called?")
    passed = {
        "one thread, named by the person's words": [one for one in threads if agent.cat in one] == [said],
        "the fact is learnt": bool(facts),
        "the fact is recalled": any(agent.cat in one.prompt for one in upstream.chats[asked:]),
    }
    result = Result(sum(passed.values()), failed=len(passed) - sum(passed.values()))
    record(agent.name, agent.find_version(), result)
    assert result.is_success, f"{passed} {threads[:5]} {facts}\n{printed}"


def say(agent: AgentProgram, site: RunningSite, folder: Path, text: str) -> str:
    """Call the agent with a sentence in a folder of its own; return what it prints."""
    folder.mkdir()
    call = agent.prepare(site, folder, text)
    done = run(call.command, folder, {**call.variables, "HOME": str(folder), "PWD": str(folder)})
    return done.stdout[-4000:] + done.stderr[-4000:]


def list_titles(site: RunningSite) -> list[str]:
    return [one["title"] for one in ask(site, "GET", "/api/threads?page_size=50")["results"]]


def wait_for_facts(site: RunningSite, name: str) -> list[str]:
    """Return the facts with a name, as soon as there are any."""
    until = time.monotonic() + LEARNT_WITHIN
    while time.monotonic() < until:
        body = {"query": name, "layers": ["semantic"]}
        found = [one["content"] for one in ask(site, "POST", "/api/memories/search", body)["memories"]]
        if facts := [one for one in found if name in one]:
            return facts
        time.sleep(1)
    return []


def ask(site: RunningSite, method: str, path: str, body: object = None) -> Any:
    headers = {"Authorization": f"Bearer {site.key}", "Content-Type": "application/json"}
    content = None if body is None else json.dumps(body).encode()
    request = Request(site.url + path, content, headers, method=method)  # noqa: S310 - our own site
    with urlopen(request, timeout=60) as answer:  # noqa: S310 - our own site
        return json.loads(answer.read())
