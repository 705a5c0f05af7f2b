"""Keep uploaded files in the data directory, named by numbers, until their import has ended."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final
from uuid import UUID

from django.conf import settings

from memsite.errors import InvalidInput, TooLarge
from memsite.values import new_id, parse_id
from porting.conf import MOST_FILES
from porting.reading import Document, open_documents

_PART: Final = 1 << 20  # bytes
_NAME: Final = 100  # characters
_AGE: Final = 3600.0  # seconds; a younger folder may belong to a request that looks at the files


@dataclass(frozen=True, slots=True)
class Upload:
    """One uploaded file: its name, for messages only, and its content."""

    name: str
    content: IO[Any]


@dataclass(frozen=True, slots=True)
class StoredFiles:
    """The files of one import. `number` is its id."""

    number: UUID
    names: tuple[str, ...]

    @contextmanager
    def open(self) -> Iterator[list[Document]]:
        """Open the files, and yield what can be read in them.

        Raises:
            InvalidInput: If a file is gone, or an archive is damaged.
        """
        folder = find_folder(self.number)
        paths = [(name, folder / str(place)) for place, name in enumerate(self.names)]
        if not all(path.is_file() for _, path in paths):
            raise InvalidInput("The uploaded file is no longer here. Upload it again.")
        with open_documents(paths) as documents:
            yield documents


def find_folder(number: UUID) -> Path:
    """Return where the files of an import are."""
    return get_root() / str(number)


def get_root() -> Path:
    """Return the folder of all uploads."""
    return Path(settings.MEMSITE_DATA_DIR) / "imports"


def store_files(uploads: Sequence[Upload]) -> StoredFiles:
    """Write uploads to the data directory.

    Raises:
        InvalidInput: If there is none, or there are too many.
        TooLarge: If they are larger than MEMSITE_MAX_IMPORT_MB together.
    """
    if not 0 < len(uploads) <= MOST_FILES:
        raise InvalidInput(f"An import has 1 to {MOST_FILES} files.", {"file": "missing or too many"})
    stored = StoredFiles(new_id(), tuple(_clean_name(one.name) for one in uploads))
    folder = find_folder(stored.number)
    folder.mkdir(parents=True, mode=0o700)
    left = settings.MEMSITE_MAX_IMPORT_MB * 1024**2
    try:
        for place, upload in enumerate(uploads):
            left -= _write(upload, folder / str(place), left)
    except BaseException:
        remove_files(stored.number)
        raise
    return stored


def remove_files(number: UUID) -> None:
    """Delete the files of an import, if there are any."""
    shutil.rmtree(find_folder(number), ignore_errors=True)


def list_stored() -> list[UUID]:
    """Return the ids of the imports that have files for an hour or longer."""
    root = get_root()
    before = time.time() - _AGE
    folders = root.iterdir() if root.is_dir() else ()
    names = [path.name for path in folders if path.stat().st_mtime < before]
    return [number for name in names if (number := parse_id(name)) is not None]


def _write(upload: Upload, path: Path, most: int) -> int:
    size = 0
    with path.open("wb") as file:
        while part := upload.content.read(_PART):
            size += len(part)
            if size > most:
                limit = settings.MEMSITE_MAX_IMPORT_MB
                what = f"An import may have {limit} MB (MEMSITE_MAX_IMPORT_MB)."
                raise TooLarge(what, {"megabytes": limit})
            file.write(part)
    if not size:
        raise InvalidInput("The file is empty.", {"file": "empty"})
    return size


def _clean_name(name: str) -> str:
    return "".join(sign for sign in name if sign.isprintable())[-_NAME:] or "file"
