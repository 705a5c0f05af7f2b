"""Applications, their settings and their end users."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

import jwt
from cryptography.fernet import InvalidToken
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from memsite.accounts.models import Application, User
from memsite.accounts.names import check_visible_name
from memsite.accounts.signing import make_cipher
from memsite.errors import Conflict, InvalidInput, NotAllowed, NotAuthenticated, NotFound, Unavailable
from memsite.values import new_id

MAX_EXTERNAL_ID: Final = 255
SECRET_CHARACTERS: Final = 500
_SECRET_USE: Final = b"memsite.accounts.applications"
_HEADER: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
#: Headers with a meaning of their own, which cannot name an end user.
_TAKEN_HEADERS: Final = frozenset({"authorization", "cookie", "host", "content-type", "content-length"})
_CLOCK_SKEW: Final = 30  # seconds that a program's clock may differ from ours


def create_application(owner: User, name: str) -> Application:
    """Create an application of this person.

    Raises:
        InvalidInput: For a blank name.
        Conflict: If the person has an application of that name.
    """
    name = check_visible_name(name)
    try:
        with transaction.atomic():
            return Application.objects.create(owner=owner, name=name)
    except IntegrityError:
        raise Conflict("You already have an application of this name.", {"name": "taken"}) from None


def find_or_create_application(owner: User, name: str) -> Application:
    """Return this person's application of that name; create it on first use.

    Raises:
        InvalidInput: For a blank name.
    """
    application, _ = Application.objects.get_or_create(owner=owner, name=check_visible_name(name))
    return application


def get_application(application_id: UUID | None, *, owner: User) -> Application:
    """Return a person's application. Raises NotFound if it is not theirs."""
    found = Application.objects.filter(owner=owner, id=application_id).first() if application_id else None
    if found is None:
        raise NotFound("There is no such application.")
    return found


def change_application(application: Application, changes: Mapping[str, Any]) -> Application:
    """Change an application's settings.

    Args:
        changes: Columns of the application; `token_secret` in plain, empty to remove it.

    Raises:
        InvalidInput: If a header cannot name an end user, or the secret is too long.
    """
    values = dict(changes)
    if "user_header" in values:
        values["user_header"] = _check_header(values["user_header"])
    if "token_secret" in values:
        values["token_secret"] = _encrypt_secret(values["token_secret"])
    for name, value in values.items():
        setattr(application, name, value)
    application.save(update_fields=list(values))
    return application


def verify_user_token(application: Application, token: str) -> str:
    """Return the end user that a program's signed token names (HS256, with `sub` and `exp`).

    Raises:
        NotAuthenticated: If the application has no secret, or the token is invalid or has expired.
        Unavailable: If the site's secret key has changed.
    """
    secret = _decrypt_secret(application.token_secret)
    if not secret:
        raise NotAuthenticated("This application has no secret to verify the user's token with.")
    try:
        claims = jwt.decode(
            token,
            secret,
            algorithms=["HS256"],
            leeway=_CLOCK_SKEW,
            options={"require": ["exp", "sub"], "verify_aud": False},
        )
    except (jwt.InvalidTokenError, ValueError, TypeError):
        raise NotAuthenticated("The user's token is not valid.") from None
    return str(claims["sub"])


def _check_header(name: str) -> str:
    lower = name.strip().lower()
    if lower and (not _HEADER.fullmatch(lower) or lower in _TAKEN_HEADERS or lower.startswith("memsite-")):
        raise InvalidInput("This cannot be a header that names the end user.", {"user_header": "not a name"})
    return lower


def _encrypt_secret(secret: str) -> str:
    if len(secret) > SECRET_CHARACTERS:
        raise InvalidInput(
            f"A secret has at most {SECRET_CHARACTERS} characters.", {"token_secret": "too long"}
        )
    return make_cipher(_SECRET_USE).encrypt(secret.encode()).decode() if secret else ""


def _decrypt_secret(stored: str) -> str:
    if not stored:
        return ""
    try:
        return make_cipher(_SECRET_USE).decrypt(stored).decode()
    except InvalidToken:
        raise Unavailable("The secret cannot be read: the site's secret key has changed.") from None


def get_end_user(application: Application, external_id: str, *, may_create: bool = True) -> User:
    """Return the application's end user with this external id; create it on first use.

    The person has no password and cannot sign in.

    Args:
        application: The end user's application; the same external id of another application is another
            person.
        external_id: The application's own id of the person, 1 to 255 printable characters.
        may_create: Whether a new end user may be created; a key that may only read creates none.

    Raises:
        InvalidInput: If the id cannot be used.
        NotFound: If there is no such end user, and none may be created; if the application was deleted
            meanwhile.
        NotAllowed: If the end user was deactivated.
    """
    if not external_id or len(external_id) > MAX_EXTERNAL_ID or not external_id.isprintable():
        raise InvalidInput(f"Memsite-User takes 1 to {MAX_EXTERNAL_ID} printable characters.")
    user = User.objects.filter(application=application, external_id=external_id).first()
    if user is None and not may_create:
        raise NotFound("There is no such end user. A key with the scope 'write' makes it on first use.")
    if user is None:
        user = _provision(application, external_id)
    if not user.is_active:
        raise NotAllowed("This end user has been deactivated.")
    return user


def list_end_users(
    owner: User, *, application: Application | None = None, name: str = "", external_id: str = ""
) -> QuerySet[User]:
    """Return the end users of a person's applications, optionally of one application (row or name) or
    external id.
    """
    rows = User.objects.filter(application__owner=owner).select_related("application")
    given = {"application": application, "application__name": name, "external_id": external_id}
    return rows.filter(**{field: value for field, value in given.items() if value})


def _provision(application: Application, external_id: str) -> User:
    tag = hashlib.sha256(external_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    # The second name is for a site where somebody took the first one before such names were reserved.
    for name in (f"app-{application.id.hex}-{tag}", f"app-{application.id.hex}-{new_id().hex}"):
        user = User(username=name, application=application, external_id=external_id)
        user.set_unusable_password()
        try:
            # Of two simultaneous first requests, the second one finds the row of the first.
            User.objects.bulk_create([user], ignore_conflicts=True)
        except IntegrityError:
            raise NotFound("This application has been deleted.") from None
        found = User.objects.filter(application=application, external_id=external_id).first()
        if found is not None:
            return found
    raise Conflict("This end user could not be made; please try again.")
