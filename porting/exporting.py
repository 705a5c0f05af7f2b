"""Write everything a person has as one zip archive, in pieces, without holding it in memory.

manifest.json      format, version, counts, and the SHA-256 of every other file; the last one
memories.ndjson    one memory a line, of every status, then the links between them
events.ndjson      what happened to the memories, one change a line
threads/<id>.json  each thread with its branches, messages, summaries and task state
settings.json      the person's choices
README.txt         what these files are
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from django.forms.models import model_to_dict
from django.utils import timezone

from memories.curation.porting import list_event_records, list_link_records, list_memory_records
from memsite.accounts.preferences import get_preferences
from memsite.errors import NotFound
from porting.formats import ARCHIVE, VERSION
from threads.messages import export_json
from threads.models import Thread
from threads.storage import get_thread, list_threads

_PAGE: Final = 200  # threads whose ids are read at once
_PREFERENCES: Final = ("memory_on", "auto_extract", "citations_on", "kept_kinds", "refused_kinds", "language")
README: Final = """\
Everything that Memsite keeps about you, exported on {date}.
Memsite 中关于您的全部数据，导出于 {date}。

manifest.json      counts, and the SHA-256 of every other file
memories.ndjson    one memory a line: what is remembered, what was true once, what is forgotten; then the
                   links between memories
events.ndjson      what happened to the memories and when
threads/           your conversations, one file each. Temporary ones are not kept, so they are not here.
settings.json      your choices about the memory

All files are JSON in UTF-8. To bring them into Memsite again, upload this archive as it is under
Settings - Data - Import.
"""


class _Sink(io.RawIOBase):
    """The output of the archive: bytes that wait to be sent. It cannot seek, as a download cannot."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        """Return True, as io asks."""
        return True

    def write(self, part: Any) -> int:  # noqa: ANN401 - any readable buffer
        """Keep the bytes until they are taken."""
        self._parts.append(bytes(part))
        return len(part)

    def take(self) -> bytes:
        """Return the bytes written since the last call."""
        taken, self._parts = b"".join(self._parts), []
        return taken


@dataclass(slots=True)
class _Archive:
    """An archive that is being written, and what its manifest will say."""

    sink: _Sink
    zip: zipfile.ZipFile
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, pieces: Iterable[str]) -> Iterator[bytes]:
        """Write one file, and yield the bytes of the archive as they come."""
        digest, size = hashlib.sha256(), 0
        now = timezone.now()
        info = zipfile.ZipInfo(name, (now.year, now.month, now.day, now.hour, now.minute, now.second))
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o600 << 16
        with self.zip.open(info, "w", force_zip64=True) as file:
            for piece in pieces:
                raw = piece.encode("utf-8", "replace")
                digest.update(raw)
                size += len(raw)
                file.write(raw)
                yield self.sink.take()
        yield self.sink.take()
        self.files[name] = {"sha256": digest.hexdigest(), "bytes": size}


def export_everything(*, owner: UUID) -> Iterator[bytes]:
    """Yield the archive of everything an owner has.

    Each page is read on its own, so that no transaction is open while a client reads. What is written
    meanwhile may be left out or included.
    """
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as file:
        archive = _Archive(sink, file)
        yield from archive.add("README.txt", [README.format(date=f"{timezone.now():%Y-%m-%d %H:%M} UTC")])
        yield from archive.add("settings.json", [_settings(owner)])
        yield from archive.add("memories.ndjson", _list_memories(archive, owner))
        yield from archive.add("events.ndjson", _list_events(archive, owner))
        for thread in _list_threads(owner):
            yield from archive.add(f"threads/{thread.pk}.json", export_json(thread, owner=owner))
            archive.counts["threads"] += 1
        yield from archive.add("manifest.json", [_manifest(archive)])
    yield sink.take()


def _settings(owner: UUID) -> str:
    chosen = model_to_dict(get_preferences(owner), fields=_PREFERENCES)
    return json.dumps({"record": "preferences", **chosen}, ensure_ascii=False, indent=2) + "\n"


def _list_memories(archive: _Archive, owner: UUID) -> Iterator[str]:
    for memory in list_memory_records(owner=owner):
        archive.counts["memories"] += 1
        yield memory.model_dump_json() + "\n"
    for link in list_link_records(owner=owner):
        archive.counts["links"] += 1
        yield link.model_dump_json() + "\n"


def _list_events(archive: _Archive, owner: UUID) -> Iterator[str]:
    for event in list_event_records(owner=owner):
        archive.counts["events"] += 1
        yield event.model_dump_json() + "\n"


def _list_threads(owner: UUID) -> Iterator[Thread]:
    """Yield the threads that are not temporary, in the order of their ids."""
    rows = list_threads(owner=owner, is_temporary=False).order_by("id").values_list("id", flat=True)
    page = list(rows[:_PAGE])
    while page:
        for thread_id in page:
            with suppress(NotFound):  # deleted meanwhile
                yield get_thread(thread_id, owner=owner)
        page = list(rows.filter(id__gt=page[-1])[:_PAGE])


def _manifest(archive: _Archive) -> str:
    value = {
        "format": ARCHIVE,
        "version": VERSION,
        "exported_at": timezone.now().isoformat(),
        "counts": {name: archive.counts[name] for name in ("memories", "links", "events", "threads")},
        "files": archive.files,
    }
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
