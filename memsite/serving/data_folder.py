"""Whether the data directory can take more data, and what to do if not."""

from __future__ import annotations

import errno
import os
import shutil
from enum import StrEnum
from pathlib import Path
from typing import Final

#: Free bytes below which a disk counts as full: PostgreSQL needs 16 MB for the next piece of its write-ahead
#: log, and stops without it.
FULL_BELOW: Final = 32 * 1024**2


class FolderProblem(StrEnum):
    """Why the data directory takes no more data."""

    FULL = "full"
    READ_ONLY = "read-only"

    @property
    def advice(self) -> str:
        """One sentence that says what is wrong and what to do."""
        return _ADVICE[self]


_ADVICE: Final = {
    FolderProblem.FULL: (
        "The disk of the data directory (MEMSITE_DATA_DIR) is full: free some space there. "
        "A running site then goes on by itself."
    ),
    FolderProblem.READ_ONLY: (
        "The data directory (MEMSITE_DATA_DIR) cannot be written: make it writable for the user that runs "
        "the site, or set MEMSITE_DATA_DIR to another folder."
    ),
}
_PROBLEMS: Final = {
    errno.ENOSPC: FolderProblem.FULL,
    errno.EDQUOT: FolderProblem.FULL,
    errno.EROFS: FolderProblem.READ_ONLY,
    errno.EACCES: FolderProblem.READ_ONLY,
    errno.EPERM: FolderProblem.READ_ONLY,
}


def find_folder_problem(folder: Path) -> FolderProblem | None:
    """Return why this folder takes no more data; None if it does, or does not exist."""
    try:
        if not os.access(folder, os.W_OK):
            return FolderProblem.READ_ONLY if folder.exists() else None
        return FolderProblem.FULL if shutil.disk_usage(folder).free < FULL_BELOW else None
    except OSError:
        return None


def explain_file_error(error: OSError) -> str | None:
    """Return why a file could not be written, with its name and what to do; None for another error."""
    problem = _PROBLEMS.get(error.errno or 0)
    named = f": {error.filename}" if error.filename else ""
    return problem and f"{error.strerror}{named}. {problem.advice}"
