"""Request and response bodies of the accounts API."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, Field

from memsite.accounts.names import is_blank
from memsite.rest.parsing import Body, Moment

ScopeName = Literal["read", "write", "admin"]


def _visible(name: str) -> str:
    if name and is_blank(name):
        raise ValueError("a name needs at least one visible character")
    return name


Name = Annotated[str, AfterValidator(_visible)]
KindName = Annotated[str, Field(pattern=r"^[a-z]{1,16}$")]


class KeyIn(Body):
    """A key to issue. `application`: the name of one of your applications, created if it is new."""

    name: Name = Field(min_length=1, max_length=100)
    scopes: list[ScopeName] = Field(default=["read", "write"], min_length=1)
    expires_at: Moment | None = None
    application: Name = Field("", max_length=100)


class KeyOut(BaseModel):
    """An API key, without the key itself."""

    id: UUID
    name: str
    prefix: str
    scopes: list[ScopeName]
    application: str | None
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    last_used_address: str | None
    revoked_at: datetime | None


class IssuedKeyOut(KeyOut):
    """The only answer that contains the key itself."""

    key: str


class KeysOut(BaseModel):
    """All keys of the caller."""

    results: list[KeyOut]


class PreferencesPatch(Body):
    """The preferences to change; missing ones stay the same."""

    memory_on: bool | None = None
    auto_extract: bool | None = None
    citations_on: bool | None = None
    kept_kinds: list[KindName] | None = Field(
        None,
        max_length=20,
        description="kinds of memories that do not wait for confirmation although `auto_extract` is off",
    )
    refused_kinds: list[KindName] | None = Field(
        None,
        max_length=20,
        description="kinds of memories that are never learnt; this wins over `kept_kinds`",
    )
    language: Literal["", "en", "zh-hans"] | None = None


class PreferencesOut(BaseModel):
    """The caller's preferences."""

    memory_on: bool
    auto_extract: bool
    citations_on: bool
    kept_kinds: list[str]
    refused_kinds: list[str]
    language: str
