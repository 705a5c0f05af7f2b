"""Secrets in URLs: passwords before the host, tokens in the query, paths of webhooks.

Only the secret part is a finding, so that scheme, user, host and path stay readable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memories.gate.matches import SecretMatch
from memories.gate.secrets.values import is_generated, is_template, looks_random
from memories.gate.vocabulary import words

_WEBHOOKS: Final = (
    (
        "slack_webhook",
        "slack.com",
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/-]{20,200})",
    ),
    (
        "discord_webhook",
        "/webhooks/",
        r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/(\d{10,24}/[A-Za-z0-9_-]{40,100})",
    ),
    ("teams_webhook", "webhook", r"office(?:365)?\.com/webhook(?:b2)?/([A-Za-z0-9@/-]{60,300})"),
    (
        "dingtalk_webhook",
        "dingtalk.com",
        r"oapi\.dingtalk\.com/robot/send\?access_token=([0-9a-zA-Z]{32,80})",
    ),
    ("feishu_webhook", "/open-apis/bot/", r"/open-apis/bot/(?:v2/)?hook/([0-9a-zA-Z-]{20,64})"),
    (
        "wechat_webhook",
        "qyapi.weixin",
        r"qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=([0-9a-zA-Z-]{20,64})",
    ),
    ("zapier_webhook", "hooks.zapier.com", r"hooks\.zapier\.com/hooks/catch/([0-9A-Za-z/]{8,80})"),
    (
        "ifttt_key",
        "ifttt.com",
        r"maker\.ifttt\.com/[a-z/]{0,20}[\w/{}-]{0,80}/(?:key|use)/([A-Za-z0-9_-]{16,60})",
    ),
)
_COMPILED_WEBHOOKS: Final = tuple((kind, mark, re.compile(pattern)) for kind, mark, pattern in _WEBHOOKS)

# A password may contain `@` and ends at the last one before the path; with `/` in it, it ends at the first
# one. The test for any `@` comes first, because it costs a hundredth of the search for the right one.
_USERINFO: Final = re.compile(
    r"://(?P<user>[^\s:@/?#\"'<>`\\\[]{0,256}+)"
    r"(?::(?!\d{1,5}[/?#])(?=[^\s\"'<>`@]{0,512}+@)"
    r"(?P<password>[^\s/\"'<>`]{1,512}(?=@[\w\[$%{.-])|[^\s\"'<>`]{1,512}?(?=@[\w\[$%{.-]))|(?=@))"
)
#: Passwords of examples and of fresh installations. They protect nothing on a host of nobody.
_DEFAULT_PASSWORDS: Final = words(
    """
    password passwd pass pwd secret changeme changeit change_me admin root user username guest test testing
    example sample demo default postgres mysql mariadb mongo redis rabbitmq minio elastic neo4j sa dev local
    """
)
#: Hosts of one's own machine, and of examples.
_NOBODYS_HOST: Final = re.compile(
    r"@(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\]|host(?:name)?|server|(?:[\w-]{1,63}\.){0,4}?example(?:\.[a-z]{2,6})?)"
    r"(?![\w.-])"
)
_PARAMETER: Final = re.compile(r"[?&#]([A-Za-z][\w.-]{0,40}+)=([^\s&#;\"'<>`\\]{1,4000}+)")
_PASSWORD_NAMES: Final = frozenset({"password", "passwd", "pwd", "pass", "passphrase"})
_TOKEN_NAMES: Final = words(
    """
    access_token accesstoken auth_token authtoken token id_token refresh_token session_token private_token
    api_key apikey api-key key appkey app_key app_secret appsecret client_secret secret sig signature sas
    x-amz-signature x-amz-security-token x-goog-signature auth authkey auth_key session sessionid session_id
    sid jwt otp code subscription-key subscriptionkey
    """
)


def find_webhooks(text: str) -> Iterator[SecretMatch]:
    """Yield the secret path or key of webhooks. Anyone who knows it can post."""
    for kind, mark, pattern in _COMPILED_WEBHOOKS:
        if mark in text:
            for match in pattern.finditer(text):
                yield SecretMatch(kind, match.start(1), match.end(1))


def find_userinfo(text: str) -> Iterator[SecretMatch]:
    """Yield the password of `scheme://user:password@host`, or a token in place of the user."""
    for match in _USERINFO.finditer(text):
        user, password = match.group("user"), match.group("password")
        if password is not None:
            if not (is_template(password) or _is_default(user, password, text, match.end())):
                yield SecretMatch("url_password", *match.span("password"))
        elif looks_random(user):
            yield SecretMatch("url_token", *match.span("user"))


def _is_default(user: str, password: str, text: str, end: int) -> bool:
    """Return whether a password is the name of its user or one of examples, on a host that is nobody's."""
    is_default = password == user or password.lower() in _DEFAULT_PASSWORDS
    return is_default and _NOBODYS_HOST.match(text, end) is not None


def find_parameters(text: str) -> Iterator[SecretMatch]:
    """Yield the values of query parameters that contain credentials."""
    for match in _PARAMETER.finditer(text):
        name, value = match.group(1).lower(), match.group(2)
        if is_template(value):
            continue
        if name in _PASSWORD_NAMES or (name in _TOKEN_NAMES and is_generated(value)):
            kind = "url_password" if name in _PASSWORD_NAMES else "url_token"
            yield SecretMatch(kind, match.start(2), match.end(2))


URL: Final = re.compile(r"\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s\"'<>`]*+|\bwww\.[^\s\"'<>`]*+")
DATA_URL: Final = re.compile(r"data:[\w/+.;=-]{0,80};base64,[A-Za-z0-9+/=_-]*+")


def find_url_spans(text: str) -> list[tuple[int, int]]:
    """Return the positions of URLs, and of `data:` URLs, which contain images and fonts."""
    spans: list[tuple[int, int]] = []
    if "://" in text or "www." in text:
        spans += [match.span() for match in URL.finditer(text)]
    if ";base64," in text:
        spans += [match.span() for match in DATA_URL.finditer(text)]
    return spans


KINDS: Final = ("url_password", "url_token", *(kind for kind, _, _ in _WEBHOOKS))
