"""Run PostgreSQL as another user if we are root, because it refuses to run as root."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

_CANDIDATES: Final = ("memsite", "postgres", "nobody")
# Linux capabilities, as bits of CapEff, that let a process enter folders closed to its user; weakest first.
_PASSING: Final = (("dac_read_search", 2), ("dac_override", 1))
_SETPCAP: Final = 8


class NoWayIn(Exception):
    """The database's user cannot reach a folder, and we cannot grant access; the message says what to do."""


@dataclass(frozen=True)
class OsUser:
    """A user of the operating system."""

    name: str
    uid: int
    gid: int


@dataclass(frozen=True)
class Launch:
    """A command line and Popen's keywords to run it as another user."""

    argv: list[str]
    keywords: dict[str, Any] = field(default_factory=dict)


def find_database_user(files: Path) -> OsUser | None:
    """Return the user the database runs as; None for our own user, unless we are root.

    As root, it is the owner of the database's files if they exist, else the first existing user of memsite,
    postgres and nobody.

    Raises:
        NoWayIn: If none of these users exists.
    """
    if os.geteuid() != 0:
        return None
    owner = files.stat().st_uid if files.exists() else 0
    entries = [_lookup(owner)] if owner else [_lookup(name) for name in _CANDIDATES]
    for entry in entries:
        if entry is not None:
            return OsUser(entry.pw_name, entry.pw_uid, entry.pw_gid)
    raise NoWayIn("PostgreSQL does not run as root: add a user for it (useradd --system memsite)")


def _lookup(user: int | str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwuid(user) if isinstance(user, int) else pwd.getpwnam(user)
    except KeyError:
        return None


def make_launch(
    argv: Iterable[str], user: OsUser | None, folders: Iterable[Path], death_signal: int = signal.SIGKILL
) -> Launch:
    """Return how to start a command as this user (None: our own user), who must reach these folders.

    A parent folder that is closed to the user (a home, a private temporary folder) is not changed: only the
    process is given the capability to enter it.

    Raises:
        NoWayIn: If we cannot give that capability.
    """
    if user is None:
        return Launch(list(argv))
    closed = next((way for folder in folders if (way := find_closed_folder(folder, user))), None)
    if closed is None:
        return Launch(list(argv), {"user": user.uid, "group": user.gid, "extra_groups": []})
    setpriv, capability = shutil.which("setpriv"), _passing_capability()
    if setpriv is None or capability is None:
        raise NoWayIn(
            f"the database runs as the user {user.name}, who cannot enter {closed}: move MEMSITE_DATA_DIR "
            "and the checkout to folders open to everyone, or start Memsite as an ordinary user"
        )
    identity = [f"--reuid={user.uid}", f"--regid={user.gid}", "--clear-groups"]
    # PostgreSQL looks for its own programs with access(2), which ignores capabilities without this secure
    # bit.
    powers = [f"--inh-caps=+{capability}", f"--ambient-caps=+{capability}", "--securebits=+no_setuid_fixup"]
    # A change of user clears the signal of `make_parent_death_hook`, so setpriv must set it again.
    parting = f"--pdeathsig={signal.Signals(death_signal).name.removeprefix('SIG')}"
    return Launch([setpriv, *identity, *powers, parting, "--", *argv])


def find_closed_folder(folder: Path, user: OsUser) -> Path | None:
    """Return the first folder on the path to this one, itself included, that the user may not enter."""
    way = [*reversed(folder.resolve().parents), folder.resolve()]
    return next((part for part in way if not _may_enter(part.stat(), user)), None)


def _may_enter(status: os.stat_result, user: OsUser) -> bool:
    if status.st_uid == user.uid:
        return bool(status.st_mode & stat.S_IXUSR)
    if status.st_gid == user.gid:
        return bool(status.st_mode & stat.S_IXGRP)
    return bool(status.st_mode & stat.S_IXOTH)


def _passing_capability() -> str | None:
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    effective = next((int(line.split()[1], 16) for line in lines if line.startswith("CapEff")), 0)
    if not effective >> _SETPCAP & 1:
        return None
    return next((name for name, bit in _PASSING if effective >> bit & 1), None)
