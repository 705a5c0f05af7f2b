"""For whom the present code acts in the database: one owner, all owners, or the owner of the tables.

PostgreSQL knows three roles, named after the one that the site connects as (`memsite`):

memsite         serves web and worker; owns nothing, so that row-level security binds it
memsite_all     bypasses row-level security: for the admin and the schedules over all owners
memsite_owner   owns the tables: for migrations and VACUUM

`memsite` is a member of the other two without inheriting from them, and becomes one by SET ROLE. If a role is
missing, because the server has one role for everything, the site stays what it connects as.

The functions here only note for whom the code acts. `memsite.serving.postgres.engine` sets it at the server
before the next statement. So this needs no connection, survives a new one, and applies in every thread that
runs in a copy of the context.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID


class Role(StrEnum):
    """A role, by what follows the site's own role in its name."""

    SITE = ""
    ALL_OWNERS = "_all"
    TABLE_OWNER = "_owner"


#: Become the role of this suffix. If it is missing, or not granted, become what the session connected as.
TAKE_ROLE: Final = """
SELECT set_config('role', coalesce((
    SELECT rolname FROM pg_roles
    WHERE rolname = session_user || %s AND pg_has_role(session_user, oid, 'MEMBER')
), 'none'), false)
"""


@dataclass(frozen=True, slots=True)
class Actor:
    """For whom statements are executed.

    Attributes:
        owner: Whose rows the policies show; None for nobody's.
        role: The role that executes them.
    """

    owner: UUID | None = None
    role: Role = Role.SITE


NOBODY: Final = Actor()
_actor: ContextVar[Actor] = ContextVar("memsite_database_actor", default=NOBODY)


def actor() -> Actor:
    """Return for whom the present code acts."""
    return _actor.get()


def act_as(actor: Actor) -> None:
    """Act for somebody from here to the end of the context, usually of the request."""
    _actor.set(actor)


def act_for(owner: UUID) -> None:
    """Act for one owner from here to the end of the context, usually of the request."""
    act_as(Actor(owner))


@contextmanager
def acting_as(actor: Actor) -> Iterator[None]:
    """Act for somebody within the block."""
    token = _actor.set(actor)
    try:
        yield
    finally:
        _actor.reset(token)


@contextmanager
def acting_for(owner: UUID | None) -> Iterator[None]:
    """Act for one owner within the block or the decorated function; with None, for nobody."""
    with acting_as(Actor(owner)):
        yield


@contextmanager
def across_owners() -> Iterator[None]:
    """See the rows of all owners within the block or the decorated function.

    tests/policy/test_row_security.py lists who may.
    """
    with acting_as(Actor(role=Role.ALL_OWNERS)):
        yield


@contextmanager
def as_table_owner() -> Iterator[None]:
    """Act as the role that owns the tables within the block: for migrations and VACUUM."""
    with acting_as(Actor(role=Role.TABLE_OWNER)):
        yield
