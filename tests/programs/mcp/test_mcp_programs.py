"""The protocol's own conformance suite and clients of others, on a live `/mcp`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from memories.models import Memory
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from tests.memories.mcp.live_site import live_site
from tests.programs.conftest import Record
from tests.programs.installed import PROGRAMS, find_node, find_node_version, require, run
from tests.programs.mcp.keyed_proxy import keyed_proxy
from tests.programs.results import Result

pytestmark = [pytest.mark.programs, pytest.mark.django_db(transaction=True)]

HERE = Path(__file__).parent
INSTALLED = PROGRAMS / "mcp"
NODE = find_node("mcp")
CONFORMANCE = INSTALLED / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    require(NODE, CONFORMANCE)


@pytest.fixture
def site(alice: User) -> Iterator[str]:
    with live_site() as served:
        yield served


@pytest.fixture
def key(alice: User) -> str:
    return issue_key(alice, name="programs")[1]


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_conformance_suite_fails_only_what_its_sample_server_alone_has(
    site: str, key: str, revision: str, tmp_path: Path, record: Record
) -> None:
    baseline = HERE / f"baseline-{revision}.yml"
    with keyed_proxy(site, key) as proxy:
        done = run(
            [
                *(NODE, CONFORMANCE, "server", "--url", f"{proxy}/mcp", "--requirements", revision),
                *("--expected-failures", baseline),
            ],
            tmp_path,
            {},
        )
    version = find_node_version("mcp", "@modelcontextprotocol/conformance")
    record(f"MCP conformance suite, {revision}", version, _count_checks(done.stdout, done.returncode))
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]


def test_typescript_client_adds_finds_and_reads(site: str, key: str, alice: User, record: Record) -> None:
    program = INSTALLED / "client.mjs"  # beside its packages, where Node looks for them
    program.write_text((HERE / "client.mjs").read_text(encoding="utf-8"), encoding="utf-8")
    done = run([NODE, program, f"http://{site}/mcp", key], INSTALLED, {})
    has_failed = done.returncode != 0
    version = find_node_version("mcp", "@modelcontextprotocol/client")
    record("MCP client for TypeScript", version, Result(int(not has_failed), failed=int(has_failed)))
    assert not has_failed, done.stderr
    seen = json.loads(done.stdout)
    assert seen["tools"] == ["memory", "search", "fetch"]
    assert seen["text"] == Memory.objects.get(owner=alice).content == "Alice keeps bees in Porto"
    assert "bees" in seen["profile"]


def _count_checks(printed: str, code: int) -> Result:
    """Return the number of checks; the suite ends with 0 if only the listed ones failed."""
    total = re.search(r"Total: (\d+) passed, (\d+) failed", printed)
    assert total is not None, printed[-8000:]
    passed, failed = int(total[1]), int(total[2])
    return Result(passed, failed) if code == 0 else Result(passed, failed=max(failed, 1))
