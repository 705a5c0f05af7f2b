"""A data directory of its own for each test, and imports done at once."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from memsite.accounts.models import User
from memsite.serving.postgres import acting_for
from porting import importing
from porting.importing import Options, Upload
from porting.models import Import

#: Imports a content for a person, and returns the import as it is afterwards.
ImportFor = Callable[..., Import]


@pytest.fixture(autouse=True)
def own_data_directory(settings: Settings, tmp_path: Path) -> Path:
    settings.MEMSITE_DATA_DIR = tmp_path
    return tmp_path


def pack(members: Mapping[str, Any]) -> bytes:
    """Return a zip archive of these files; what is not bytes becomes JSON."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members.items():
            archive.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return target.getvalue()


def as_upload(content: Any, name: str = "file") -> Upload:
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    return Upload(name, io.BytesIO(raw))


def import_for(owner: User, *contents: Any, options: Options | None = None) -> Import:
    """Import contents as a person does, without a queue."""
    with acting_for(owner.pk):
        row = importing.begin_import(
            [as_upload(one) for one in contents], options or Options(), owner=owner.pk, actor="person"
        )
        importing.start_import(row.pk, owner=owner.pk)
        importing.run_import(row.pk, owner=owner.pk)
        row.refresh_from_db()
    return row


@pytest.fixture
def imported() -> ImportFor:
    return import_for
