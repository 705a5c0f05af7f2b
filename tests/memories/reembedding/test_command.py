"""`manage.py reembed`, as whoever runs the site meets it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings as site_settings
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from memories.maintenance.reembedding import embedding_switch
from memories.models import MemoryEmbedding
from memories.storage.embedding_in_use import get_active_embedder
from memsite.accounts.models import User
from memsite.llm.embedding.embedding import LOCAL_MODEL
from tests.llm_server import LLMServer, status
from tests.memories.reembedding.conftest import OTHER, write, write_notes


def _reembed(*arguments: str) -> str:
    told = StringIO()
    call_command("reembed", *arguments, "--rate=0", "--progress=off", stdout=told, stderr=told)
    return told.getvalue()


def test_command_changes_the_model_and_names_the_settings(alice: User) -> None:
    write_notes(alice, 5)
    told = _reembed("--to", f"openai:{OTHER}")
    assert "5 memories embedded, 0 refused" in told
    assert f"{OTHER} is now in use" in told
    assert "MEMSITE_EMBEDDING_MODEL" in told


def test_command_run_again_finds_nothing_to_do(alice: User) -> None:
    write_notes(alice, 5)
    _reembed("--to", OTHER)
    assert f"{OTHER} was in use already" in _reembed("--to", OTHER)


def test_command_goes_back_and_cannot_once_the_old_is_dropped(alice: User) -> None:
    write_notes(alice, 5)
    _reembed("--to", OTHER)
    assert f"{LOCAL_MODEL} is now in use" in _reembed("--rollback")
    assert "5 vectors deleted" in _reembed("--drop-old")
    with pytest.raises(CommandError, match="no former"):
        _reembed("--rollback")


def test_command_tells_how_a_change_stands(alice: User, embeddings_server: LLMServer) -> None:
    write_notes(alice, 5)
    embeddings_server.always(status(401))
    embeddings_server.script(lambda exchange: exchange.send_json({"data": [{"embedding": [1.0, 2.0]}]}))
    with pytest.raises(CommandError, match="goes on from here"):
        _reembed("--to", OTHER)
    told = _reembed("--status")
    assert f"in use: {LOCAL_MODEL}" in told
    assert f"changing to: {OTHER}" in told
    assert "not embedded yet: 5" in told
    assert "401" in told


def test_change_can_be_given_up(alice: User, embeddings_server: LLMServer) -> None:
    test_command_tells_how_a_change_stands(alice, embeddings_server)
    assert f"the change to {OTHER} was given up" in _reembed("--cancel")
    assert embedding_switch.get_switch_state().target == ""


def test_model_without_a_measured_scale_is_refused_until_it_is_measured(alice: User) -> None:
    write_notes(alice, 2)
    with pytest.raises(CommandError, match="--profile"):
        _reembed("--to", "unheard-of")
    assert get_active_embedder().model == LOCAL_MODEL
    assert "measured on" in _reembed("--to", "unheard-of", "--profile")
    assert get_active_embedder().profile.origin == "measured"


def test_model_for_code_is_warned_of(alice: User) -> None:
    write_notes(alice, 2)
    assert "program code" in _reembed("--to", "some-code-embedder", "--profile")


@pytest.mark.django_db(transaction=True)
def test_killed_command_is_run_again(alice: User, embeddings_server: LLMServer, settings: Settings) -> None:
    write_notes(alice, 30)
    process = subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "manage.py", "reembed", "--to", OTHER, "--batch=2", "--rate=8", "--progress=off"],
        cwd=site_settings.BASE_DIR,
        env=_environment(embeddings_server, Path(settings.MEMSITE_DATA_DIR)),
    )
    while process.poll() is None and MemoryEmbedding.objects.filter(model=OTHER).count() < 4:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert get_active_embedder().model == LOCAL_MODEL
    _reembed("--to", OTHER)
    assert embedding_switch.count_vectors_by_model() == {LOCAL_MODEL: 30, OTHER: 30}
    assert get_active_embedder().model == OTHER


def _environment(server: LLMServer, data_dir: Path) -> dict[str, str]:
    database = connection.settings_dict
    options = {name: database[name] for name in ("HOST", "PORT", "USER") if database[name]}
    query = "&".join(f"{name.lower()}={value}" for name, value in options.items())
    return os.environ | {
        "DATABASE_URL": f"postgresql:///{database['NAME']}?{query}",
        "MEMSITE_DATA_DIR": str(data_dir),
        "MEMSITE_SECRET_KEY": "only-for-this-test",
        "MEMSITE_EMBEDDING_BASE_URL": server.url,
    }


def test_memory_of_another_model_is_never_compared(alice: User, bob: User) -> None:
    write(alice, "The kettle is red.")
    _reembed("--to", OTHER)
    write(bob, "The kettle is red.")
    assert set(MemoryEmbedding.objects.filter(owner_id=bob.pk).values_list("model", flat=True)) == {OTHER}
