"""The nightly pass, killed again and again by SIGKILL and run again, ends where an undisturbed one does."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.db import connection

from memories.maintenance.forgetting import nightly
from memories.models import Event, Memory
from memories.storage.events import get_index_state
from memsite.accounts.models import User
from tests.memories.forgetting.rows import NOW, state, unsaved

_ROOT = Path(__file__).parents[3]
_NIGHT = f"""
import django; django.setup()
from datetime import datetime
from memories.maintenance.forgetting import nightly
print("ready", flush=True)
nightly.run(datetime.fromisoformat("{NOW.isoformat()}"))
"""


def _start() -> subprocess.Popen[bytes]:
    name = connection.settings_dict["NAME"]
    address = f"postgresql://memsite@/{name}?host={connection.settings_dict['HOST']}"
    environment = os.environ | {"DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": "memsite.settings"}
    return subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-c", _NIGHT], cwd=_ROOT, env=environment, stdout=subprocess.PIPE
    )


def _fill(owner: User) -> None:
    rows = [unsaved(owner, f"Row {n}.", days=1 + n % 500, lifespan="long") for n in range(3000)]
    Memory.objects.bulk_create(rows, batch_size=500)


@pytest.mark.kill
@pytest.mark.django_db(transaction=True)
def test_killed_night_is_finished_by_the_next(alice: User, bob: User, charlie: User) -> None:
    owners = (alice, bob, charlie)
    for owner in owners:
        _fill(owner)
    for delay in (0.0, 0.05, 0.1, 0.2, 0.4):
        process = _start()
        assert process.stdout is not None
        with process, process.stdout as told:
            told.readline()
            time.sleep(delay)
            process.kill()
    nightly.run_nightly(NOW)
    outcomes = [[row[1:] for row in state(owner)] for owner in owners]
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert nightly.find_due(NOW) == []
    for owner in owners:
        events = Event.objects.filter(owner=owner)
        changed = Memory.objects.filter(owner=owner).exclude(updated_at__lt=NOW).count()
        assert [event.sequence for event in events] == list(range(1, changed + 1))
        assert get_index_state(owner=owner.pk)[0] == len({event.batch_id for event in events})
