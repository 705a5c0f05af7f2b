"""Programs that people connected: connect, list, disconnect, and recognise by an access token."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from oauth2_provider.models import AccessToken, Grant, RefreshToken, clear_expired
from oauth2_provider.models import Application as Client

from memsite.accounts.keys import LAST_USED_EVERY
from memsite.accounts.models import ConnectedProgram, User
from memsite.accounts.oauth.discovery import SCOPES, is_oauth_on, is_our_resource
from memsite.errors import NotAuthenticated, NotFound
from memsite.serving.postgres import across_owners, acting_for

#: How long a refresh token, and a registration that nobody uses, are kept.
UNUSED_DAYS: Final = 30


@dataclass(frozen=True, slots=True)
class ProgramCaller:
    """A program that called with an access token: what an `ApiKey` is for a program that called with a key.

    Attributes:
        id: Of the connection, which a new token does not change.
        name: The program's name, else the host that it is known by.
    """

    id: UUID
    owner: User
    name: str
    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProgramLine:
    """A connected program as its person reads it.

    Attributes:
        host: The host that vouches for the program, else the one that it sends people to.
        scopes: All that its present tokens allow.
    """

    id: UUID
    name: str
    host: str
    scopes: tuple[str, ...]
    connected_at: datetime
    last_used_at: datetime | None


def get_client_host(client: Client) -> str:
    """Return the host of a program's document; "" for one that registered itself."""
    is_document = client.registration_source == Client.RegistrationSource.CIMD
    return urlsplit(client.client_id).hostname or "" if is_document else ""


def name_client(client: Client) -> str:
    """Return a program's name, else the host that it is known by."""
    return client.name or _find_host(client)


def _find_host(client: Client) -> str:
    return get_client_host(client) or urlsplit(client.redirect_uris.split()[0]).hostname or ""


def connect_program(client: Client, *, owner: User) -> ConnectedProgram:
    """Connect a program for a person; do nothing if it is connected."""
    row, _created = ConnectedProgram.objects.get_or_create(owner=owner, client=client)
    return row


def lock_connection(client: Client, *, owner: User) -> bool:
    """Lock a person's connection with a program until the transaction ends. Return whether there is one."""
    with acting_for(owner.pk):
        rows = ConnectedProgram.objects.select_for_update(no_key=True).filter(owner=owner, client=client)
        return rows.first() is not None


def list_programs(*, owner: UUID) -> list[ProgramLine]:
    """Return the programs that hold a refresh token of this person, the newest first. Makes two queries."""
    scopes: dict[int, set[str]] = defaultdict(set)
    live = RefreshToken.objects.filter(
        user_id=owner, revoked=None, access_token__expires__gt=timezone.now() - timedelta(days=UNUSED_DAYS)
    )
    for client_id, scope in live.values_list("application_id", "access_token__scope"):
        scopes[client_id] |= set(scope.split())
    rows = ConnectedProgram.objects.filter(owner_id=owner, client__in=list(scopes)).select_related("client")
    return [
        ProgramLine(
            id=row.pk,
            name=name_client(row.client),
            host=_find_host(row.client),
            scopes=tuple(scope for scope in SCOPES if scope in scopes[row.client_id]),
            connected_at=row.connected_at,
            last_used_at=row.last_used_at,
        )
        for row in rows.order_by("-connected_at")
    ]


@transaction.atomic
def disconnect_program(program_id: UUID, *, owner: UUID) -> str:
    """Disconnect a program at once: delete its connection, codes and tokens. Return its name.

    Raises:
        NotFound: If it is not the owner's.
    """
    rows = ConnectedProgram.objects.filter(owner_id=owner, pk=program_id).select_related("client")
    row = rows.select_for_update(of=("self",)).first()
    if row is None:
        raise NotFound("There is no such program.")
    row.delete()
    for model in (Grant, RefreshToken, AccessToken):
        model.objects.filter(user_id=owner, application=row.client).delete()
    return name_client(row.client)


def recognise_token(token: str) -> ProgramCaller:
    """Return the program that calls `/mcp` with an access token, and for whom. Costs two queries.

    Args:
        token: The token as the caller sent it.

    Raises:
        NotAuthenticated: With the same message whatever is wrong: unknown, expired or revoked, of a person
            who may not sign in, of a program that was disconnected, or for no or another resource.
    """
    checksum = hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
    rows = AccessToken.objects.select_related("user", "application").filter(token_checksum=checksum)
    row = rows.first() if is_oauth_on() else None
    program = None if row is None or not _is_usable(row) else _use(row)
    if row is None or program is None:
        raise NotAuthenticated("This access token is not valid for this resource.")
    granted = set(row.scope.split())
    return ProgramCaller(
        id=program.pk,
        owner=row.user,
        name=name_client(row.application),
        scopes=tuple(scope for scope in SCOPES if scope in granted),
    )


def _is_usable(row: AccessToken) -> bool:
    is_ours = bool(row.resource) and all(is_our_resource(uri) for uri in row.resource)
    has_person = row.user is not None and row.user.is_active and row.application is not None
    return is_ours and has_person and not row.is_expired()


def _use(row: AccessToken) -> ConnectedProgram | None:
    """Return the connection of a token, and note its use at most once a minute."""
    now = timezone.now()
    with acting_for(row.user_id):
        rows = ConnectedProgram.objects.filter(owner_id=row.user_id, client_id=row.application_id)
        program = rows.first()
        if program and (program.last_used_at is None or now - program.last_used_at > LAST_USED_EVERY):
            rows.update(last_used_at=now)
    return program


@across_owners()
def prune_registrations() -> int:
    """Delete expired codes and tokens, and programs that nobody used for 30 days. Return how many programs.

    A program without any token has none because its last one ended 30 days ago, or was never issued.
    """
    clear_expired()
    unused = Client.objects.all()
    for model in (Grant, AccessToken, RefreshToken):
        unused = unused.exclude(Exists(model.objects.filter(application=OuterRef("pk"))))
    old = list(unused.filter(created__lt=timezone.now() - timedelta(days=UNUSED_DAYS)))
    for client in old:
        client.delete()
    return len(old)
