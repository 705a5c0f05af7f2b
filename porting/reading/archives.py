"""Open uploaded files: plain ones, zip archives, and archives within an archive, one level deep.

Nothing is unpacked to a path. What a member unpacks to is counted while it is read, because an archive may
announce anything.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

from memsite.errors import InvalidInput, TooLarge
from porting.conf import MOST_ENTRIES, MOST_RATIO, MOST_UNPACKED

_MAGIC: Final = (b"PK\x03\x04", b"PK\x05\x06")
_FREE: Final = 1 << 20  # unpacked bytes of a member before its ratio counts
_INNER: Final = 512 * 1024**2  # bytes of an archive within an archive, which is read into a temporary file


@dataclass(slots=True)
class _Count:
    """Bytes that were unpacked from one upload."""

    unpacked: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """One readable file: an upload, or a member of an archive. `open` begins at its start each time."""

    name: str
    open: Callable[[], Any]


class _Counted(io.RawIOBase):
    """A member of an archive, which stops at the limits."""

    def __init__(self, member: IO[bytes], packed: int, name: str, count: _Count) -> None:
        self._member, self._packed, self._name, self._count = member, max(packed, 1), name, count
        self._read = 0

    def readable(self) -> bool:
        """Return True, as io asks."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - any writable buffer
        """Read into a buffer. Raises TooLarge past a limit."""
        try:
            part = self._member.read(len(buffer))
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as error:
            raise InvalidInput(f"{self._name}: the archive is damaged ({type(error).__name__}).") from None
        buffer[: len(part)] = part
        self._read += len(part)
        self._count.unpacked += len(part)
        if self._count.unpacked > MOST_UNPACKED:
            raise TooLarge(f"The archive unpacks to more than {MOST_UNPACKED // 1024**3} GB.")
        if self._read > _FREE and self._read > MOST_RATIO * self._packed:
            raise TooLarge(f"{self._name}: this unpacks to over {MOST_RATIO} times its size.")
        return len(part)

    def close(self) -> None:
        """Close the member, too."""
        self._member.close()
        super().close()


@contextmanager
def open_documents(files: Sequence[tuple[str, Path]]) -> Iterator[list[Document]]:
    """Open uploaded files and yield what can be read in them, in the order of the uploads and archives.

    Args:
        files: The name of each file, for messages, and where it is.

    Raises:
        InvalidInput: If an archive is damaged or encrypted.
        TooLarge: If it has too many members; while reading, if it unpacks to too much.
    """
    with ExitStack() as opened:
        yield [document for name, path in files for document in _list_documents(name, path, opened)]


def _list_documents(name: str, path: Path, opened: ExitStack) -> Iterator[Document]:
    with path.open("rb") as file:
        is_archive = file.read(4) in _MAGIC
    if not is_archive:
        yield Document(name, partial(path.open, "rb"))
        return
    count = _Count()
    archive = _open_archive(path, name, opened)
    for info in _list_members(archive, name):
        document = Document(info.filename, partial(_open_member, archive, info, count))
        with document.open() as member:
            is_inner = member.read(4) in _MAGIC
        if not is_inner:
            yield document
            continue
        unpacked = opened.enter_context(_read_inner(document))
        inner = _open_archive(unpacked, info.filename, opened)
        for one in _list_members(inner, info.filename):
            yield Document(one.filename, partial(_open_member, inner, one, count))


def _open_archive(source: Path | IO[bytes], name: str, opened: ExitStack) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(source)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise InvalidInput(f"{name}: this is not a zip archive that can be read.") from None
    return opened.enter_context(archive)


def _list_members(archive: zipfile.ZipFile, name: str) -> list[zipfile.ZipInfo]:
    members = archive.infolist()
    if len(members) > MOST_ENTRIES:
        raise TooLarge(f"{name}: an archive may have {MOST_ENTRIES} files.")
    found = [one for one in members if not one.is_dir() and one.file_size]
    if any(one.flag_bits & 1 for one in found):
        raise InvalidInput(f"{name}: the archive is encrypted. Unpack it, and pack it without a password.")
    return found


def _open_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, count: _Count) -> Any:  # noqa: ANN401 - a binary file
    try:
        member = archive.open(info)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError):
        raise InvalidInput(f"{info.filename}: the archive is damaged.") from None
    return io.BufferedReader(_Counted(member, info.compress_size, info.filename, count), 1 << 16)


def _read_inner(document: Document) -> IO[bytes]:
    """Return an archive within an archive as a temporary file without a name."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    with document.open() as member:
        while part := member.read(1 << 20):
            file.write(part)
            if file.tell() > _INNER:
                raise TooLarge(f"{document.name}: an archive within the archive is too large.")
    file.seek(0)
    return file
