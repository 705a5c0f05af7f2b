"""API keys: issue, recognise, revoke.

A key has the form `msk_<prefix>_<secret>`: the prefix finds the row by an index, and the secret has 256
random bits. A single SHA-256 of so much randomness cannot be guessed, so requests need no slow hash. The
comparison takes the same time wherever the digests differ.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final, TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, models, transaction
from django.utils import timezone

from memsite.accounts.models import ApiKey, Application, Scope, User
from memsite.accounts.names import check_visible_name
from memsite.errors import Conflict, InvalidInput, NotAuthenticated, NotFound
from memsite.values import parse_id

M = TypeVar("M", bound=models.Model)

#: What each key begins with.
KEY_START: Final = "msk_"
#: last_used_at is written at most this often, so that most reads cause no write.
LAST_USED_EVERY: Final = timedelta(minutes=1)
_NO_DIGEST: Final = bytes(32)
#: Seconds for which a key that was valid is recognised without the database, and how many such keys.
_RECENT_SECONDS: Final = 60.0
_MOST_RECENT: Final = 10_000
#: Keys by their digest, with the time until which they are recognised without the database.
_recent: Final[dict[bytes, tuple[ApiKey, float]]] = {}


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
    name = check_visible_name(name)
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
    """Do the same as `recognise_key`; while the database does not answer, know the keys used before.

    Args:
        key: As in `recognise_key`.
        address: As in `recognise_key`.

    Returns:
        The row, and whether the database answered. Without it, the row is that of a key that this process
        recognised in the last 60 seconds.

    Raises:
        NotAuthenticated: As `recognise_key`.
        DatabaseError: If the database does not answer and the key was not used before.
    """
    digest = _digest(key)
    try:
        row = recognise_key(key, address=address)
    except NotAuthenticated:
        _recent.pop(digest, None)
        raise
    except (OperationalError, InterfaceError):
        recent = _recent.get(digest)
        if recent is None or time.monotonic() > recent[1] or not recent[0].is_usable:
            raise
        return recent[0], False
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
    _forget(row)
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


def _remember(digest: bytes, row: ApiKey) -> None:
    _recent.pop(digest, None)  # the newest are last
    _recent[digest] = (row, time.monotonic() + _RECENT_SECONDS)
    while len(_recent) > _MOST_RECENT:
        _recent.pop(next(iter(_recent)), None)


def _forget(row: ApiKey) -> None:
    """Forget a key that was revoked. Other processes notice when they see it next."""
    for digest, (recent, _) in list(_recent.items()):
        if recent.pk == row.pk:
            _recent.pop(digest, None)


def _note_use(row: ApiKey, address: str | None) -> None:
    now = timezone.now()
    if row.last_used_at is None or now - row.last_used_at > LAST_USED_EVERY:
        used = {"last_used_at": now, "last_used_address": address or row.last_used_address}
        ApiKey.objects.filter(owner=row.owner, pk=row.pk).update(**used)
