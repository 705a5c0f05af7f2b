"""Collect the static files only if one of them has changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def collect_static_files() -> None:
    """Update STATIC_ROOT. Hashing and compressing take seconds; checking for changes takes almost no time."""
    stamp, state = Path(settings.STATIC_ROOT) / ".collected", _state()
    if stamp.exists() and stamp.read_text(encoding="ascii") == state:
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(state, encoding="ascii")


def _state() -> str:
    """Return a digest of the names, sizes and times of all static files."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return digest.hexdigest()
