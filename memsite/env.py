"""Read environment variables as typed values. A bad value stops the start with an error that names it.

Every function takes the variable's full name. An unset or empty variable gives the default.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Sequence
from decimal import Decimal
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar, get_args, get_origin, get_type_hints
from urllib.parse import unquote, urlsplit

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})
# A name of dot-separated labels, or an IPv6 address.
_HOST = re.compile(r"\w(?:[\w-]*\w)?(?:\.\w(?:[\w-]*\w)?)*\.?|(?=[0-9a-f.]*+:)[0-9a-f:.]++(?:%\w+)?")
_HOST_AND_PORT = re.compile(r"(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?")
_ORIGIN = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?")


T = TypeVar("T")

#: A share of a whole, or a relevance or similarity, as the type of a field in a group of settings.
Share = Annotated[float, (0.0, 1.0)]
#: Default by variable of every setting that belongs to a group read so far.
GROUPED: Final[dict[str, object]] = {}


class BadSetting(Exception):
    """An environment variable has a value that cannot be used."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"setting {name}: {problem}")
        self.name = name


def text(name: str, default: str = "") -> str:
    """Return the value without surrounding white space."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool) -> bool:
    """Return a boolean: on/off, true/false, yes/no or 1/0, in any case."""
    value = text(name).lower()
    if not value:
        return default
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    raise BadSetting(name, f"{value!r} is neither on nor off")


def integer(name: str, default: int, *, minimum: int = 0, maximum: int = 2**31 - 1) -> int:
    """Return a whole number within [minimum, maximum]."""
    value = text(name)
    if not value:
        return default
    try:
        number = int(value)
    except ValueError:
        raise BadSetting(name, f"{value!r} is not a whole number") from None
    if not minimum <= number <= maximum:
        raise BadSetting(name, f"{number} is not between {minimum} and {maximum}")
    return number


def number(name: str, default: float, *, minimum: float = 0.0, maximum: float = 1e9) -> float:
    """Return a decimal number within [minimum, maximum]."""
    value = text(name)
    if not value:
        return default
    try:
        parsed = float(value)
    except ValueError:
        raise BadSetting(name, f"{value!r} is not a number") from None
    if not minimum <= parsed <= maximum:
        raise BadSetting(name, f"{parsed} is not between {minimum} and {maximum}")
    return parsed


def choice(name: str, options: Sequence[str], default: str) -> str:
    """Return one of the options, given in any case."""
    value = text(name).lower() or default
    if value not in options:
        raise BadSetting(name, f"{value!r} is none of {', '.join(options)}")
    return value


def listing(name: str, default: Sequence[str] = ()) -> list[str]:
    """Return the values of a list separated by commas."""
    value = text(name)
    return [part.strip() for part in value.split(",") if part.strip()] if value else list(default)


def networks(name: str) -> list[str]:
    """Return addresses and networks separated by commas, such as `127.0.0.1, 10.0.0.0/8, ::1`."""
    found = listing(name)
    for part in found:
        try:
            ip_network(part)
        except ValueError:
            raise BadSetting(
                name, f"{part!r} is neither an address nor a network such as 10.0.0.0/8"
            ) from None
    return found


def hosts(name: str) -> list[str]:
    """Return hosts separated by commas, with a port or without: `hooks.lan, 10.0.0.7:8080, [::1]:8080`."""
    found = [part.lower() for part in listing(name)]
    for part in found:
        if not _HOST_AND_PORT.fullmatch(part) and not _HOST.fullmatch(part):
            raise BadSetting(name, f"{part!r} is not a host such as hooks.example.org or 10.0.0.7:8080")
    return found


def origins(name: str) -> list[str]:
    """Return web origins separated by commas, such as `https://chat.example.org, http://localhost:3000`."""
    found = listing(name)
    for part in found:
        if not _ORIGIN.fullmatch(part):
            raise BadSetting(name, f"{part!r} is not an origin such as https://chat.example.org")
    return found


def secret(name: str, default: str = "") -> str:
    """Return a secret: from NAME, or from the file named by NAME_FILE (container secrets)."""
    file = text(f"{name}_FILE")
    if not file:
        return text(name, default)
    if text(name):
        raise BadSetting(name, f"set either {name} or {name}_FILE, not both")
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise BadSetting(f"{name}_FILE", f"cannot read it ({error.strerror})") from None


def path(name: str, default: Path) -> Path:
    """Return an absolute path; `~` is expanded, and a relative path starts at the working directory."""
    value = text(name)
    return (Path(value).expanduser() if value else default).absolute()


def rate(name: str, default: str) -> tuple[int, int] | None:
    """Return a rate such as `600/min` as (requests, seconds); `off` gives None. Units: s, min, hour, day."""
    value = text(name, default).lower()
    if value in _FALSE:
        return None
    match = re.fullmatch(r"(\d+)\s*/\s*(s|sec|second|m|min|minute|h|hour|d|day)", value)
    if not match or int(match[1]) < 1:
        raise BadSetting(name, f"{value!r} is not a rate such as 600/min, nor off")
    return int(match[1]), {"s": 1, "m": 60, "h": 3600, "d": 86400}[match[2][0]]


def prices(name: str) -> dict[str, tuple[Decimal, Decimal]]:
    """Return prices of models, given as `name=in/out,…`, as (in, out) per million tokens by model."""
    found: dict[str, tuple[Decimal, Decimal]] = {}
    for part in listing(name):
        model, _, price = part.rpartition("=")
        match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)\s*/\s*(\d{1,6}(?:\.\d{1,6})?)", price.strip())
        if not model.strip() or not match:
            raise BadSetting(name, f"{part!r} is not a price such as model=0.15/0.60")
        found[model.strip()] = (Decimal(match[1]), Decimal(match[2]))
    return found


def smtp(name: str) -> dict[str, str | int | bool]:
    """Return Django's mail settings from `smtp://user:password@host:port` (`smtps://` for TLS from the
    start).

    Raises:
        BadSetting: For an invalid address. The message never contains a password.
    """
    try:
        url = urlsplit(secret(name))
    except ValueError:
        raise BadSetting(name, "not well formed; is the password percent-encoded?") from None
    if url.scheme not in {"smtp", "smtps"} or url.path.strip("/") or url.query or url.fragment:
        raise BadSetting(name, "expected smtp://user:password@host:port or smtps://…, percent-encoded")
    if not _HOST.fullmatch(url.hostname or ""):
        raise BadSetting(name, "its host is not a name or an address")
    try:
        port = url.port
    except ValueError:
        port = 0
    if port == 0:
        raise BadSetting(name, "its port is not a number from 1 to 65535")
    tls_from_start = url.scheme == "smtps"
    return {
        "EMAIL_HOST": url.hostname or "",
        "EMAIL_PORT": port or (465 if tls_from_start else 587),
        "EMAIL_HOST_USER": unquote(url.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(url.password or ""),
        "EMAIL_USE_SSL": tls_from_start,
        "EMAIL_USE_TLS": not tls_from_start and bool(url.username),
    }


def group(settings: type[T], name: str) -> T:
    """Return a group of settings: each field from the variable MEMSITE_<name>_<FIELD>, else its default.

    Args:
        settings: A dataclass with a default for each field. A field is a `bool`, a `Literal` of strings, or
            an `int` or `float`, which `Annotated[int, (minimum, maximum)]` bounds.

    Raises:
        BadSetting: If a value has another type or is out of bounds, or `settings` raises ValueError for the
            values together.
    """
    types = get_type_hints(settings, include_extras=True)
    values: dict[str, Any] = {}
    for field in dataclasses.fields(settings):  # type: ignore[arg-type]  # typeshed cannot say "a dataclass's type"
        variable = f"MEMSITE_{name}_{field.name}".upper()
        GROUPED[variable] = field.default
        values[field.name] = _typed(variable, types[field.name], field.default)
    try:
        return settings(**values)
    except ValueError as error:
        raise BadSetting(f"MEMSITE_{name}_…", str(error)) from None


def _typed(variable: str, kind: Any, default: Any) -> Any:  # noqa: ANN401 - a type, and a value of it
    if kind is bool:
        return flag(variable, default=default)
    if get_origin(kind) is Literal:
        return choice(variable, get_args(kind), default)
    plain, bounds = get_args(kind) if get_origin(kind) is Annotated else (kind, (0, 10**9))
    read = integer if plain is int else number
    return read(variable, default, minimum=bounds[0], maximum=bounds[1])
