"""Keys in plain hex, UUIDs or letters, recognised only by the name of the vendor before them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memories.gate.matches import SecretMatch
from memories.gate.secrets.values import is_generated

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
KINDS: Final = tuple(kind for kind, _, _ in _VENDORS)
_BOUNDARY: Final = "[A-Za-z0-9/+_-]"
_RULES: Final = tuple(
    (kind, name, re.compile(rf"(?<!{_BOUNDARY})(?:{shape})(?!{_BOUNDARY})"))
    for kind, names, shape in _VENDORS
    for name in names
)
_ANNOUNCEMENT: Final = re.compile(r"key|token|secret|auth|credential|密钥|秘钥|令牌")
_REACH: Final = 90  # characters from the start of the vendor's name to the key
_STRIDE: Final = 12  # characters between two names that are examined, which keeps texts of many names fast
_MOST_ROOM: Final = 200
_PLAIN: Final = re.compile(r"[0-9a-f-]+")


def find_vendor_context(text: str, lower: str) -> Iterator[SecretMatch]:
    """Yield values in the vendor's format after its name and a word such as "key" or "token"."""
    if not _ANNOUNCEMENT.search(lower):
        return
    for kind, name, shape in _RULES:
        at = lower.find(name)
        while at >= 0:
            yield from _after(kind, shape, text, lower, at)
            at = lower.find(name, at + _STRIDE)


def _after(kind: str, shape: re.Pattern[str], text: str, lower: str, at: int) -> Iterator[SecretMatch]:
    match = shape.search(text, at, at + _MOST_ROOM)
    if match is None or match.start() > at + _REACH or not _ANNOUNCEMENT.search(lower, at, match.start()):
        return
    if _PLAIN.fullmatch(match.group()) or is_generated(match.group()):
        yield SecretMatch(kind, match.start(), match.end())
