"""Passwords on command lines, in SQL, and in configuration files without `=`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memories.gate.matches import SecretMatch
from memories.gate.secrets.values import (
    is_mixed,
    is_password_like,
    is_program_text,
    is_technical_term,
    is_template,
)
from memories.gate.view import View
from memories.gate.vocabulary import alternatives, table

KINDS: Final = ("password", "password_hash", "product_key", "wifi_password")

# A value, quoted or bare. Shell variables do not count (`is_template`).
_ARGUMENT: Final = (
    r"(?:\"(?P<double>[^\"\n]{1,120})\"|'(?P<single>[^'\n]{1,120})'|(?P<bare>[^\s\"'<>|;]{2,120}+))"
)
_REST: Final = r"[^\n|;]{0,120}?"  # words between the program and its option

_HASH: Final = re.compile(
    r"\$(?:apr1|1|2[abxy]|5|6|7|y|argon2id?|argon2i|pbkdf2[\w-]{0,12}|scrypt)\$[A-Za-z0-9./+$=,-]{20,200}+"
)
_PRODUCT_KEY: Final = re.compile(r"(?<![A-Za-z0-9-])[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}(?![A-Za-z0-9-])")
_MAIL_PAIR: Final = re.compile(
    r"(?<![\w.+-])(?!git@)[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,32}){1,4}"
    r"(?::|[|;] ?|, ?| / )(?P<pair>[^\s,;|]{5,64}+)"
)
# `login: anna / …`, `root / …`, `NAS -> admin -> …`, `192.168.1.1, admin, …`; not `user phone: …`. The value
# ends at Chinese, Japanese or Korean text.
_USER_PAIR: Final = re.compile(
    r"(?<![\w./])(?i:(?:(?:my )?(?:login|log-in|creds?|credentials?|zugangsdaten|anmeldedaten|identifiants"
    r"|credenciales|credenziali|user|username|账号|帐号|账户|ssh)(?: is| are|是)?[ :=]{1,3}"
    r"(?!(?:" + alternatives("attributes") + r")\s?:\s)[\w.@+-]{1,64}|root(?! cause)|admin|administrator))"
    r"\s?(?:/|:|->|,|\||\s\()\s?(?P<pair>[^\s,;\"'/()|\u2e80-\u9fff\uac00-\ud7af]{4,64}+)"
)
_USER_PAIR_MARK: Final = re.compile(
    r"login|log-in|cred|zugangs|anmelde|identifiant|user|账|帐|ssh|root|admin", re.IGNORECASE
)
_CLOCK: Final = re.compile(r".*\w=|\d{1,2}\.\d|\d{2,5}/|\d{1,2}[:.h]\d{2}|\d{4}-")
_PRODUCT_KEY_DASHES: Final = 4
_SHORTEST_PAIR: Final = 4
_WIFI: Final = re.compile(r"WIFI:(?:[A-OQ-Z]:[^;]{0,64}+;){0,4}P:(?P<pair>(?:[^;\\]|\\.){1,64}+)")


_START: Final = r"(?<![\w-])"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. `marks` are lower-case strings of which every matching text contains one."""

    marks: tuple[str, ...]
    pattern: re.Pattern[str]


def _marks(names: str) -> tuple[str, ...]:
    return tuple(name.replace("_", " ") for name in names.split())


def _rules() -> Iterator[Rule]:
    """Yield the rules of `commands.toml`."""
    for row in table("commands", "command"):
        programs = _marks(row["programs"])
        names = "|".join(map(re.escape, programs))
        pattern = rf"{_START}(?:{names})\b{_REST}{row['takes'].replace('VALUE', _ARGUMENT)}"
        yield Rule(programs, re.compile(pattern))
    for row in table("commands", "line"):
        pattern = row["written"].replace("REST", _REST).replace("VALUE", _ARGUMENT)
        start = _START if pattern[0].isalpha() else ""
        yield Rule(_marks(row["marks"]), re.compile(start + pattern, re.IGNORECASE | re.MULTILINE))


_RULES: Final = tuple(_rules())


def find_commands(view: View) -> Iterator[SecretMatch]:
    """Yield passwords on command lines, in SQL, in calls and in configuration files."""
    text, lower = view.text, view.lower
    for rule in _RULES:
        if any(mark in lower for mark in rule.marks):
            for match in rule.pattern.finditer(text):
                yield from _argument(match)
    if "WIFI:" in text:
        yield from (SecretMatch("wifi_password", *each.span("pair")) for each in _WIFI.finditer(text))
    if "$" in text:
        yield from (SecretMatch("password_hash", *each.span()) for each in _HASH.finditer(text))
    if text.count("-") >= _PRODUCT_KEY_DASHES:
        yield from _product_keys(text)
    yield from _pairs(text)


def _argument(match: re.Match[str]) -> Iterator[SecretMatch]:
    group = next((name for name in ("pair", "double", "single", "bare") if match.groupdict().get(name)), None)
    if group is None:
        return
    value = match.group(group)
    core = value.strip("\"'")
    if is_template(core) or core.startswith(("$", "-", "/", "%")) or is_technical_term(core):
        return
    if group == "bare" and is_program_text(core) and not is_mixed(core):
        return
    yield SecretMatch("password", *match.span(group))


def _product_keys(text: str) -> Iterator[SecretMatch]:
    for match in _PRODUCT_KEY.finditer(text):
        if is_mixed(match.group()):
            yield SecretMatch("product_key", *match.span())


def _pairs(text: str) -> Iterator[SecretMatch]:
    """Yield passwords of `mail:password`, and of user and password separated by a slash, colon or arrow."""
    rules = [_USER_PAIR] if _USER_PAIR_MARK.search(text) else []
    if "@" in text:
        rules.append(_MAIL_PAIR)
    for rule in rules:
        for match in rule.finditer(text):
            value = match.group("pair").rstrip(".,;:!?")
            if len(value) >= _SHORTEST_PAIR and (is_password_like(value) or _is_simple(value)):
                yield SecretMatch("password", match.start("pair"), match.start("pair") + len(value))


def _is_simple(value: str) -> bool:
    """Return whether a value is letters and digits, which is a password only after a user name."""
    usual = is_technical_term(value) or is_program_text(value) or is_template(value)
    return is_mixed(value) and not usual and not _CLOCK.match(value)
