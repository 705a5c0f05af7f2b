"""API keys: issue, recognise, revoke.

A key has the form `msk_<prefix>_<secret>`: the prefix finds the row by an index, and the secret has 256
random bits. A single SHA-256 of so much randomness cannot be guessed, so requests need no slow hash. The
comparison takes the same time wherever the digests differ.

While the database does not answer, a key that was recognised in the last minute is known by a file, which all
processes of the site share. The file names the key by its digest, and says what the key may do.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, models, transaction
from django.utils import timezone

from memsite.accounts.models import ApiKey, Application, Scope, User
from memsite.accounts.names import check_visible_name
from memsite.errors import Conflict, InvalidInput, NotAuthenticated, NotFound
from memsite.events.webhooks import redact
from memsite.values import parse_id

M = TypeVar("M", bound=models.Model)

#: What each key begins with.
KEY_START: Final = "msk_"
_NAME_CHARACTERS: Final = 100
#: last_used_at is written at most this often, so that most reads cause no write.
LAST_USED_EVERY: Final = timedelta(minutes=1)
_NO_DIGEST: Final = bytes(32)
#: Seconds for which a key that was valid is recognised without the database.
_RECENT_SECONDS: Final = 60.0
#: Seconds after which the file of a key in use is written again, and old files are looked for.
_WRITE_EVERY: Final = 10.0
_PRUNE_EVERY: Final = 60.0
#: Seconds between two queries of a database that is away, and those that one may take.
_LOOK_EVERY: Final = 1.0
_LONGEST_LOOK: Final = 15.0
#: When this process wrote the files of keys, by digest, and when it last deleted old ones.
_written: Final[dict[bytes, float]] = {}
_pruned: float = 0.0


class Outage:
    """Whether the database is away, as far as this process knows, and when to query it again.

    A query of a database that is away takes seconds, and requests have few threads for their queries.

    Attributes:
        next_look: When the database is queried again, by `time.monotonic`; None if it is not away.
    """

    def __init__(self) -> None:
        self.next_look: float | None = None
        self._lock = threading.Lock()

    def may_look(self) -> bool:
        """Return whether to query the database; while it is away, one request at a time may."""
        with self._lock:
            now = time.monotonic()
            if self.next_look is not None:
                if now < self.next_look:
                    return False
                self.next_look = now + _LONGEST_LOOK
            return True

    def note(self, *, is_away: bool) -> None:
        """Note what a query found."""
        with self._lock:
            self.next_look = time.monotonic() + _LOOK_EVERY if is_away else None


#: What this process knows of the database.
outage: Final = Outage()


def issue_key(
    owner: User,
    *,
    name: str,
    scopes: Sequence[str] = (Scope.READ, Scope.WRITE),
    expires_at: datetime | None = None,
    application: Application | None = None,
) -> tuple[ApiKey, str]:
    """Issue a new key.

    Returns:
        The key's row, and the key itself, which cannot be retrieved later.

    Raises:
        InvalidInput: For a blank name, no scope, an unknown scope, or an expiry that has passed.
        Conflict: If the owner has `MEMSITE_MAX_KEYS` usable keys.
    """
    name = redact(check_visible_name(name))[:_NAME_CHARACTERS]
    unknown = sorted(set(scopes) - set(Scope.values))
    if unknown or not scopes:
        raise InvalidInput(f"Scopes are one or more of {', '.join(Scope.values)}.", {"scopes": unknown})
    if expires_at is not None and expires_at <= timezone.now():
        raise InvalidInput("The expiry has already passed.", {"expires_at": "in the past"})
    prefix, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    key = f"{KEY_START}{prefix}_{secret}"
    row = ApiKey(
        owner=owner,
        application=application,
        name=name,
        prefix=prefix,
        digest=_digest(key),
        scopes=sorted(set(scopes)),
        expires_at=expires_at,
    )
    _save_within_limit(row)
    return row, key


@transaction.atomic
def _save_within_limit(row: ApiKey) -> None:
    """Save a new key; Conflict if its owner has too many.

    Locks the owner, so that two requests take turns.
    """
    User.objects.select_for_update(no_key=True).only("pk").get(pk=row.owner_id)
    keys = ApiKey.objects.filter(owner_id=row.owner_id, revoked_at=None)
    if keys.exclude(expires_at__lte=timezone.now()).count() >= settings.MEMSITE_MAX_KEYS:
        raise Conflict(f"You have {settings.MEMSITE_MAX_KEYS} API keys; revoke one first.")
    row.save(force_insert=True)


def recognise_key(key: str, *, address: str | None = None) -> ApiKey:
    """Return the usable row of a key, with owner and application loaded. Costs one query.

    Args:
        key: The key as the caller sent it.
        address: IP address of the caller; stored as the key's last one.

    Raises:
        NotAuthenticated: With the same message whatever is wrong with the key.
    """
    prefix, _, secret = key.removeprefix(KEY_START).partition("_")
    row = None
    if key.startswith(KEY_START) and secret and prefix.isascii() and prefix.isalnum():
        row = _find(prefix)
    expected = bytes(row.digest) if row else _NO_DIGEST
    matches = hmac.compare_digest(_digest(key), expected)
    if row is None or not matches or not row.is_usable or not row.owner.is_active:
        raise NotAuthenticated("This API key is not valid.")
    _note_use(row, address)
    return row


def recognise_recent_key(key: str, *, address: str | None = None) -> tuple[ApiKey, bool]:
    """Recognise a key like `recognise_key`, or from a cache while the database does not answer.

    Args:
        key: As in `recognise_key`.
        address: As in `recognise_key`.

    Returns:
        The row, and whether the database answered. Without it, the row is that of a key that a process of
        the site recognised in the last 60 seconds, and says only whose it is and what it may do.

    Raises:
        NotAuthenticated: As `recognise_key`.
        DatabaseError: If the database does not answer and the key was not used before.
    """
    digest = _digest(key)
    if not outage.may_look() and (recent := _recall(digest)) is not None:
        return recent, False
    try:
        row = recognise_key(key, address=address)
    except NotAuthenticated:
        _forget(digest)
        raise
    except (DatabaseError, InterfaceError):
        outage.note(is_away=True)
        recent = _recall(digest)
        if recent is None:
            raise
        return recent, False
    outage.note(is_away=False)
    _remember(digest, row)
    return row, True


def list_keys(*, owner: User) -> list[ApiKey]:
    """Return all keys of one person, newest first, including revoked ones."""
    return list(ApiKey.objects.filter(owner=owner).select_related("application"))


def revoke_key(key_id: str, *, owner: User) -> ApiKey:
    """Revoke a key at once and permanently. Raises NotFound if it is not the owner's."""
    identifier = parse_id(key_id)
    row = ApiKey.objects.filter(owner=owner, id=identifier).first() if identifier else None
    if row is None:
        raise NotFound("There is no such API key.")
    if row.revoked_at is None:
        row.revoked_at = timezone.now()
        row.save(update_fields=["revoked_at"])
    _forget(bytes(row.digest))
    return row


_COLUMNS: Final = {
    model: [field.column for field in model._meta.concrete_fields] for model in (ApiKey, User, Application)
}
#: Written as SQL, because building the query took Django longer than PostgreSQL needs to answer it.
_BY_PREFIX: Final = """
SELECT {columns} FROM accounts_apikey AS k
JOIN accounts_user AS u ON u.id = k.owner_id
LEFT JOIN accounts_application AS a ON a.id = k.application_id
WHERE k.prefix = %s
""".format(
    columns=", ".join(
        f'{alias}."{column}"'
        for alias, columns in zip("kua", _COLUMNS.values(), strict=True)
        for column in columns
    )
)


def _find(prefix: str) -> ApiKey | None:
    with connection.cursor() as cursor:
        cursor.execute(_BY_PREFIX, [prefix])
        values = cursor.fetchone()
    if values is None:
        return None
    rest = iter(values)
    row, owner = _read(ApiKey, rest), _read(User, rest)
    row.owner = owner
    row.application = _read(Application, rest) if row.application_id else None
    return row


def _read(model: type[M], values: Iterator[Any]) -> M:
    names = [field.attname for field in model._meta.concrete_fields]
    return model.from_db("default", names, list(islice(values, len(names))))


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def _name_file(digest: bytes) -> Path:
    return Path(settings.MEMSITE_DATA_DIR) / "recent_keys" / digest.hex()


def _remember(digest: bytes, row: ApiKey) -> None:
    """Write the file of a key, unless this process did so a moment ago. A full disk changes nothing else."""
    now = time.monotonic()
    if now - _written.get(digest, -_WRITE_EVERY) < _WRITE_EVERY:
        return
    _written[digest] = now
    kept = {
        "id": str(row.pk),
        "owner": str(row.owner_id),
        "application": str(row.application_id) if row.application_id else None,
        "name": row.name,
        "scopes": row.scopes,
        "expires_at": row.expires_at.isoformat() if row.expires_at else None,
    }
    file = _name_file(digest)
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _prune(file.parent, now)
        descriptor, name = tempfile.mkstemp(dir=file.parent)
        with os.fdopen(descriptor, "w") as written:
            json.dump(kept, written)
        Path(name).replace(file)  # a reader sees a whole file


def _recall(digest: bytes) -> ApiKey | None:
    """Return the key of a file that is recent, if it is usable; its application is not loaded."""
    file = _name_file(digest)
    try:
        if abs(time.time() - file.stat().st_mtime) > _RECENT_SECONDS + _WRITE_EVERY:
            return None
        kept = json.loads(file.read_text())
    except (OSError, ValueError):
        return None
    expiry = kept["expires_at"]
    row = ApiKey(
        id=UUID(kept["id"]),
        owner=User(id=UUID(kept["owner"])),
        application_id=UUID(kept["application"]) if kept["application"] else None,
        name=kept["name"],
        scopes=kept["scopes"],
        expires_at=datetime.fromisoformat(expiry) if expiry else None,
        digest=digest,
    )
    return row if row.is_usable else None


def _forget(digest: bytes) -> None:
    """Delete the file of a key that is not valid, for all processes."""
    _written.pop(digest, None)
    with suppress(OSError):
        _name_file(digest).unlink(missing_ok=True)


def _prune(folder: Path, now: float) -> None:
    """Delete the files of keys that were not used for long, now and then."""
    global _pruned  # noqa: PLW0603 - one clock for the process
    if now - _pruned < _PRUNE_EVERY:
        return
    _pruned = now
    for digest, written in list(_written.items()):
        if now - written > _RECENT_SECONDS:
            _written.pop(digest, None)
    for file in folder.iterdir():
        with suppress(OSError):  # another process deleted it
            if time.time() - file.stat().st_mtime > _RECENT_SECONDS + _WRITE_EVERY:
                file.unlink()


def _note_use(row: ApiKey, address: str | None) -> None:
    now = timezone.now()
    if row.last_used_at is None or now - row.last_used_at > LAST_USED_EVERY:
        used = {"last_used_at": now, "last_used_address": address or row.last_used_address}
        ApiKey.objects.filter(owner=row.owner, pk=row.pk).update(**used)
