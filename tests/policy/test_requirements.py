"""What the code imports is what the lists of requirements install, not what this machine happens to have."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.policy.sources import PRODUCT, ROOT, find_sources, parse_source

OURS = {*PRODUCT, "bench", "tests", "training", "manage"}
#: Run by Pythons of their own, with what tests/programs/requirements.in and tests/programs/agents list.
OF_PROGRAMS = ROOT / "tests" / "programs" / "v1" / "python"


def _listed(name: str) -> set[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    found = (re.match(r"[\w.-]+(?=\[|==)", line) for line in lines)
    return {_normal(match[0]) for match in found if match}


def _normal(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def _imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(parse_source(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            names.add(node.module.partition(".")[0])
    return names - sys.stdlib_module_names - OURS


@cache
def _carriers() -> Mapping[str, list[str]]:
    return packages_distributions()


def _unlisted(folders: tuple[str, ...], listed: set[str]) -> set[str]:
    carriers = _carriers()
    return {
        f"{path.relative_to(ROOT)}: {name}"
        for path in find_sources(folders)
        if not path.is_relative_to(OF_PROGRAMS)
        for name in _imported(path)
        if not listed & {_normal(one) for one in carriers.get(name, ())}
    }


def test_the_product_imports_only_listed_requirements() -> None:
    assert _unlisted(PRODUCT, _listed("requirements.txt")) == set()


def test_tests_and_benches_import_only_listed_requirements() -> None:
    listed = _listed("requirements.txt") | _listed("requirements-dev.txt")
    assert _unlisted(("tests", "bench"), listed) == set()


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt", ".ci/tools.txt"])
def test_every_requirement_is_pinned_by_a_hash(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", "")
    pins = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert pins
    assert [pin for pin in pins if "==" not in pin or "--hash=sha256:" not in pin] == []


def test_each_change_is_checked_for_known_vulnerabilities() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert "run: make audit" in workflow
