"""Secrets recognised by the words around them: `password: …`, `API_KEY=…`, "my password is …", 密码是….

Keys in plain hex, UUIDs or letters are recognised only by the name of the vendor before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memories.gate.matches import SecretMatch
from memories.gate.secrets.announced import is_secret
from memories.gate.secrets.keywords import ALSO, BEFORE, KEYWORDS, LINK, Keyword, is_part_of_other_word
from memories.gate.secrets.values import (
    Value,
    is_generated,
    is_mixed,
    is_program_text,
    is_technical_term,
    read_value,
)
from memories.gate.view import View, make_views

_LINKS: Final = (
    "assign",
    "markup",
    "tag",
    "argument",
    "fallback",
    "verb",
    "eastern",
    "glued",
    "asked",
    "bare",
)
_SHORTEST_BEFORE: Final = 5  # characters of a value before its keyword
_MOST_VALUES: Final = 12  # after one keyword
_LAST_TOKEN: Final = re.compile(r"[!-~]{1,100}$")
_OPTION: Final = re.compile(r"(?<!\S)--[\w-]*$")
_ROOTS: Final = tuple(dict.fromkeys(root for keyword in KEYWORDS for root in keyword.roots))
_NOUN_AFTER: Final = re.compile(r"s?[ \t](?!for\b|and\b|on\b|at\b|to\b)[a-z]{2,}")
_NAME_END: Final = re.compile(r"s?(?:[_-]?(?:prod|production|dev|test|staging|live|main|old|new|\d{1,2}))?$")

_HEX32: Final = r"[0-9a-f]{32}"
_HEX40: Final = r"[0-9a-f]{40}"
_UUID: Final = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"

# kind, lower-case names of the vendor, formats of its keys
_VENDORS: Final = (
    ("aws_secret_key", ("aws", "amazon", "secretaccesskey", "secret_access_key"), r"[A-Za-z0-9/+]{40}"),
    ("heroku_key", ("heroku",), _UUID),
    ("datadog_key", ("datadog", "dd_api", "dd_app"), f"{_HEX40}|{_HEX32}"),
    ("cloudflare_key", ("cloudflare", "cf_api"), r"[0-9a-f]{37}|[A-Za-z0-9_-]{40}"),
    ("twilio_auth_token", ("twilio",), _HEX32),
    ("cohere_key", ("cohere",), r"[A-Za-z0-9]{40}"),
    ("mistral_key", ("mistral",), r"[A-Za-z0-9]{32}"),
    ("algolia_key", ("algolia",), _HEX32),
    ("fastly_token", ("fastly",), r"[A-Za-z0-9_-]{32}"),
    ("okta_token", ("okta",), r"00[A-Za-z0-9_-]{40}"),
    ("paypal_secret", ("paypal",), r"E[A-Za-z0-9_-]{79}"),
    ("snyk_token", ("snyk",), _UUID),
    ("wechat_app_secret", ("wechat", "weixin", "微信", "appsecret", "公众号", "小程序"), _HEX32),
    ("alibaba_secret_key", ("aliyun", "alibaba", "阿里云", "accesskeysecret"), r"[A-Za-z0-9]{30}"),
    ("tencent_secret_key", ("tencent", "qcloud", "腾讯云", "secretkey"), r"[A-Za-z0-9]{32}"),
    ("weights_and_biases_key", ("wandb", "weights & biases", "weights and biases"), _HEX40),
    ("circleci_key", ("circleci",), _HEX40),
    ("trello_token", ("trello",), r"[0-9a-f]{64}|[0-9a-f]{32}"),
    ("zendesk_token", ("zendesk",), r"[A-Za-z0-9]{40}"),
    ("consul_token", ("consul",), _UUID),
)
_KEY_BOUNDARY: Final = "[A-Za-z0-9/+_-]"
_VENDOR_RULES: Final = tuple(
    (kind, name, re.compile(rf"(?<!{_KEY_BOUNDARY})(?:{shape})(?!{_KEY_BOUNDARY})"))
    for kind, names, shape in _VENDORS
    for name in names
)
_ANNOUNCEMENT: Final = re.compile(r"key|token|secret|auth|credential|密钥|秘钥|令牌")
_MOST_VENDOR_DISTANCE: Final = 90  # characters from the start of the vendor's name to the key
_VENDOR_STRIDE: Final = (
    12  # characters between two names that are examined, which keeps texts of many names fast
)
_VENDOR_ROOM: Final = 200
_PLAIN_KEY: Final = re.compile(r"[0-9a-f-]+")

KINDS: Final = (*(keyword.kind for keyword in KEYWORDS), *(kind for kind, _, _ in _VENDORS))


def find_context(view: View) -> Iterator[SecretMatch]:
    """Yield the values announced by keywords, one kind after the other."""
    lower = view.lower
    present = [root for root in _ROOTS if root in lower]
    for keyword in KEYWORDS if present else ():
        if any(root in present for root in keyword.roots):
            yield from _announced_by(keyword, view)


def _announced_by(keyword: Keyword, view: View) -> Iterator[SecretMatch]:
    for match in keyword.pattern.finditer(view.lower):
        if is_part_of_other_word(view.lower, match):
            continue
        found = False
        for value in _values(keyword.kind, view, match):
            found = True
            yield SecretMatch(keyword.kind, value.start, value.end)
        if not found:
            yield from _before(keyword.kind, view, match)


def _values(kind: str, view: View, keyword: re.Match[str]) -> Iterator[Value]:
    link = LINK.match(view.lower, keyword.end())
    if link is None:
        return
    name = next(name for name in _LINKS if link.group(name) is not None)
    if name == "bare" and _OPTION.search(view.text, max(0, keyword.start() - 32), keyword.start()):
        name = "assign"
    elif name == "asked":
        name = "bare"  # an answer is as sure as a value after a space
    operator = link.group("assign") or link.group("verb") or link.group("close")
    value = read_value(view.text, link.end(), name, operator)
    for _ in range(_MOST_VALUES):
        if value is None or not is_secret(kind, value):
            return
        yield value
        also = ALSO.match(view.text, value.end)
        value = read_value(view.text, also.end(), "bare") if also else None


def _before(kind: str, view: View, keyword: re.Match[str]) -> Iterator[SecretMatch]:
    """Yield the value of "hunter2 is my password".

    It must mix letters and digits, and the clause must end there.
    """
    if kind not in {"password", "api_key", "private_key", "token", "secret"}:
        return
    start = max(0, keyword.start() - 160)
    window = view.text[start : keyword.start()]
    match = BEFORE.search(window)
    if match is None or _NOUN_AFTER.match(view.lower, keyword.end()):
        return
    last = _LAST_TOKEN.search(window, max(0, match.start() - 100), match.start())
    value = last.group().strip("\"'`.,;:()[]*") if last else ""
    if last and _is_announced(kind, value):
        at = start + window.index(value, last.start())
        yield SecretMatch(kind, at, at + len(value))


def _is_announced(kind: str, value: str) -> bool:
    if (
        len(value) < _SHORTEST_BEFORE
        or not is_mixed(value)
        or is_technical_term(value)
        or is_program_text(value)
    ):
        return False
    return kind == "password" or is_generated(value)


def find_vendor_context(text: str, lower: str) -> Iterator[SecretMatch]:
    """Yield values in the vendor's format after its name and a word such as "key" or "token"."""
    if not _ANNOUNCEMENT.search(lower):
        return
    for kind, name, shape in _VENDOR_RULES:
        at = lower.find(name)
        while at >= 0:
            yield from _after_vendor(kind, shape, text, lower, at)
            at = lower.find(name, at + _VENDOR_STRIDE)


def _after_vendor(kind: str, shape: re.Pattern[str], text: str, lower: str, at: int) -> Iterator[SecretMatch]:
    match = shape.search(text, at, at + _VENDOR_ROOM)
    if (
        match is None
        or match.start() > at + _MOST_VENDOR_DISTANCE
        or not _ANNOUNCEMENT.search(lower, at, match.start())
    ):
        return
    if _PLAIN_KEY.fullmatch(match.group()) or is_generated(match.group()):
        yield SecretMatch(kind, match.start(), match.end())


def secret_kind_of_name(name: str) -> str | None:
    """Return the kind of secret in a field of this name, such as `api_key` for `openaiApiKey`, or None."""
    lower = next(make_views(name)).lower
    return _kind_at_end(lower) or _kind_at_end(_NAME_END.sub("", lower, count=1))


def _kind_at_end(name: str) -> str | None:
    read = f"{name}:" if name.endswith("pass") else name
    for keyword in KEYWORDS:
        if any(match.end() == len(name) for match in keyword.pattern.finditer(read)):
            return keyword.kind
    return None
