"""Say where webhooks may lead: to public addresses by https, and to the hosts that the operator names.

A name may lead elsewhere at any time, so it is checked when it is saved and before each attempt, and the
attempt connects only to an address that is checked once more (see `sending`).
"""

from __future__ import annotations

import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import requests
from django.conf import settings
from requests_hardened.ip_filter import EXTRA_BLOCKED_NET_RANGES

from memsite.errors import InvalidInput

_NOT_PUBLIC: Final = "This address is not public. The site's operator can allow it by MEMSITE_WEBHOOK_HOSTS."
_PORTS: Final = {"http": 80, "https": 443}
#: What `ipaddress` takes for global: site-local addresses, IPv4 addresses translated by SIIT (RFC 2765), and
#: the address by which each machine of one cloud reaches its host.
_NOT_GLOBAL: Final = tuple(
    ipaddress.ip_network(one) for one in ("fec0::/10", "::ffff:0:0:0/96", "168.63.129.16/32")
)
#: Names, and ends of names, that are this machine's or a private network's, whether they resolve now or not.
_PRIVATE_NAMES: Final = ("localhost", "localdomain", "local", "internal", "home.arpa", "lan")
#: Seconds for which a request waits for the addresses of a name; after that they count as unknown.
RESOLVE_SECONDS: Final = 2.0
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

#: Resolves names: `getaddrinfo` has no time limit, and a name server may keep it for half a minute.
_resolving: Final = ThreadPoolExecutor(4, thread_name_prefix="resolve")


@dataclass(frozen=True, slots=True)
class Destination:
    """The parsed URL of a webhook.

    Attributes:
        url: The URL as it is requested.
        is_named: Whether the operator named the host, which may then be private and use plain http.
    """

    url: str
    host: str
    port: int
    is_named: bool


class RefusedAddress(InvalidInput):
    """A URL leads to an address that is not public."""


def check_url(url: str) -> Destination:
    """Return where a URL leads. A name that cannot be resolved now is accepted; an attempt then fails.

    Raises:
        InvalidInput: If it is no URL to which the site may send.
        RefusedAddress: If it leads to an address that is not public.
    """
    destination = _read_url(url)
    if not destination.is_named:
        _check_addresses(destination)
    return destination


def _read_url(url: str) -> Destination:
    """Return the parts of a URL, from the very text that will be requested."""
    if not url.isprintable() or any(character.isspace() or character == "\\" for character in url):
        raise _refuse("A URL has no spaces, backslashes or control characters.")
    try:
        requested = requests.Request("POST", url).prepare().url or ""
        parts = urlsplit(requested)
        has_user = "@" in urlsplit(url).netloc or "@" in parts.netloc
        host, port = (parts.hostname or "").rstrip("."), parts.port or _PORTS.get(parts.scheme, 0)
    except (requests.RequestException, ValueError):
        raise _refuse("This is not a URL such as https://example.com/hook.") from None
    if parts.scheme not in _PORTS or not host or "%" in host:  # a zone of this machine, or an escape
        raise _refuse("This is not a URL such as https://example.com/hook.")
    if has_user:
        raise _refuse("A URL must not hold a user name or a password.")
    if parts.fragment:
        raise _refuse("A URL must not have a fragment (#…).")
    is_named = _is_named(host, port)
    if parts.scheme != "https" and not is_named:
        raise _refuse("Only https is allowed, except for hosts that the operator names.")
    return Destination(requested, host, port, is_named)


def _is_named(host: str, port: int) -> bool:
    named = {one.lower() for one in settings.MEMSITE_WEBHOOK_HOSTS}
    shown = f"[{host}]" if ":" in host else host
    return bool(named & {host, shown, f"{shown}:{port}"})


def _check_addresses(destination: Destination) -> None:
    if _is_private_name(destination.host):
        raise RefusedAddress(_NOT_PUBLIC, {"url": "refused"})
    try:
        addresses = list_addresses(destination.host, destination.port)
    except (OSError, UnicodeError):
        return
    if not all(is_public(address) for address in addresses):
        raise RefusedAddress(_NOT_PUBLIC, {"url": "refused"})


def _is_private_name(host: str) -> bool:
    """Return whether a name means nothing outside a private network; those without a dot never do."""
    if "." not in host and ":" not in host:
        return True
    return any(f".{host}".endswith(f".{end}") for end in _PRIVATE_NAMES)


def list_addresses(host: str, port: int) -> list[Address]:
    """Return the addresses of a host.

    Raises:
        OSError: If the name cannot be resolved within RESOLVE_SECONDS.
    """
    pending = _resolving.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    try:
        found = pending.result(RESOLVE_SECONDS)
    finally:
        pending.cancel()
    return [ipaddress.ip_address(str(one[4][0]).partition("%")[0]) for one in found]


def is_public(address: Address) -> bool:
    """Return whether an address belongs to the public internet, with nothing translated into it."""
    if address.version == 6:  # noqa: PLR2004 - of the protocol
        address = address.ipv4_mapped or address
    is_special = address.is_multicast or address.is_reserved or address.is_unspecified
    is_special = is_special or any(address in net for net in _NOT_GLOBAL)
    return (
        address.is_global and not is_special and not any(address in net for net in EXTRA_BLOCKED_NET_RANGES)
    )


def _refuse(message: str) -> InvalidInput:
    return InvalidInput(message, {"url": "refused"})
