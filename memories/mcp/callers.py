"""Identify the caller of a tool by the token of the request and the client's name for itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from asgiref.typing import HTTPScope
from mcp.server.context import ServerRequestContext

from memsite.accounts.authentication import (
    END_USER_HEADER,
    BearerCaller,
    parse_bearer_key,
    recognise_bearer,
)
from memsite.accounts.keys import KEY_START
from memsite.accounts.oauth import is_oauth_on, recognise_token
from memsite.errors import InvalidInput, MemsiteError
from memsite.rest.errors import translate_error
from memsite.rest.throttling import count_request, name_address_caller, name_person_caller
from memsite.serving.postgres import acting_for

#: Key in a request's scope: its BearerCaller; None if the database did not say whether there is one.
CALLER: Final = "memsite.caller"
#: Characters of an actor's name, as events store it.
_ACTOR_CHARACTERS: Final = 64


@dataclass(frozen=True, slots=True)
class Caller:
    """For whom a tool acts.

    Attributes:
        owner: Whose memories it reads and writes.
        scopes: What it may do.
        actor: The name that events record.
    """

    owner: UUID
    scopes: frozenset[str]
    actor: str


def authenticate(scope: HTTPScope) -> BearerCaller:
    """Return the sender of a request, and count the request against the rate limit of its person.

    An unknown sender counts against the limit of its address.

    Raises:
        NotAuthenticated: If it sends no valid token.
        TooManyRequests: If a limit is exceeded.
        Unavailable: If the database does not answer.
        MemsiteError: As `recognise_bearer` does.
    """
    address = scope["client"][0] if scope["client"] else ""
    with acting_for(None):
        try:
            return _authenticate(scope, address)
        except Exception as error:
            translated = translate_error(error)
            raise translated or error from error


def _authenticate(scope: HTTPScope, address: str) -> BearerCaller:
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    header, external_id = headers.get(b"authorization", ""), headers.get(END_USER_HEADER.lower().encode())
    try:
        caller = _recognise_program(header, external_id) or recognise_bearer(
            header, external_id, address=_find_ip(address)
        )
    except MemsiteError:
        count_request(name_address_caller(address))
        raise
    count_request(name_person_caller(caller.person))
    return caller


def _recognise_program(header: str, external_id: str | None) -> BearerCaller | None:
    """Return the program that sends a token of OAuth; None if what it sends is a key, or nothing."""
    token = parse_bearer_key(header)
    if token is None or token.startswith(KEY_START) or not is_oauth_on():
        return None
    program = recognise_token(token)
    if external_id is not None:
        raise InvalidInput(f"{END_USER_HEADER} needs the key of an application; this is a token of OAuth.")
    return BearerCaller(program.owner, program.owner.pk, program.name, frozenset(program.scopes))


def _find_ip(address: str) -> str | None:
    name = name_address_caller(address)
    return None if name == name_address_caller("") else address


def get_caller(context: ServerRequestContext[Any, Any]) -> Caller | None:
    """Return the caller of a message; None while the database does not answer."""
    found: BearerCaller | None = context.request.scope.get(CALLER) if context.request else None
    if found is None:
        return None
    client = context.session.client_params
    name = client.client_info.name if client else ""
    return Caller(found.user.pk, found.scopes, _name_actor(name) or _name_actor(found.name))


def _name_actor(name: str) -> str:
    """Return the actor for a client's name; "" for a name without visible characters."""
    shown = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
    return f"mcp:{shown}"[:_ACTOR_CHARACTERS] if shown else ""
