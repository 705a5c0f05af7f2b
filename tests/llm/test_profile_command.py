from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django.fixtures import Settings

from memsite.llm.embedding.local_embedding import LocalEmbedder
from memsite.llm.embedding.profiles import get_profile


@pytest.fixture
def local(settings: Settings) -> None:
    settings.MEMSITE_EMBEDDING = "local"


def test_the_command_prints_what_it_measured_and_the_map(local: None) -> None:
    told = StringIO()
    call_command("profile_embedding", stdout=told, stderr=StringIO())
    assert LocalEmbedder.model in told.getvalue()
    assert "paraphrase, percentile 5" in told.getvalue()
    assert "map (cosine, reference): [[" in told.getvalue()


def test_the_command_writes_a_profile_that_the_site_reads(local: None, tmp_path: Path) -> None:
    file = tmp_path / "profiles.json"
    call_command("profile_embedding", write=file, stdout=StringIO(), stderr=StringIO())
    assert get_profile(LocalEmbedder.model, file).origin == "measured"
