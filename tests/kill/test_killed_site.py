"""A writing site with everything in it killed once, and what must be so after: the short run of the bench."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.durability.killer import WEIGHTS
from bench.durability.laws import Law
from bench.durability.proof import prove
from bench.durability.result import Result, Settings

pytestmark = pytest.mark.kill


@pytest.fixture(scope="module")
def result() -> Iterator[Result]:
    folder = Path(tempfile.mkdtemp(prefix="memsite-kill-"))
    settings = Settings(kills=len(WEIGHTS), gap=1.5, pause=0.3)
    yield prove(folder, settings, lambda *_: None)
    shutil.rmtree(folder)


def test_every_kind_of_kill_happened(result: Result) -> None:
    assert {kill.kind for kill in result.kills} == set(WEIGHTS)


@pytest.mark.parametrize("law", Law)
def test_law_holds_after_kills(result: Result, law: Law) -> None:
    assert result.laws[law] == []
