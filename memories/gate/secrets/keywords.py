"""The keywords that announce secrets, and the connections from a keyword to its value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memories.gate.vocabulary import alternatives, word_list


@dataclass(frozen=True, slots=True)
class Keyword:
    """The words that announce one kind of secret, in lower case.

    Attributes:
        roots: Strings of which every word contains one. The pattern runs only on texts with one of them.
    """

    kind: str
    roots: tuple[str, ...]
    pattern: re.Pattern[str]


ROOTS: Final = tuple(
    name.replace("_", " ") for name in word_list("secrets", "password_nouns") if not name.startswith("pas")
)

# Each pattern starts with letters and looks behind afterwards, so that the search can jump to them.
_PASSWORD: Final = re.compile(
    r"(?:" + alternatives("password_nouns") + r")"
    r"|pass(?:code)?(?<![a-z0-9]pass)(?<![a-z] pass)(?=[\"'`]?\s{0,4}[:=])"
    r"|(?:db|ftp|smtp|root|user|admin|mail)_?pass(?![a-z])"
    r"|pass(?<=\bthe pass)(?=\sis\b)|pass(?<=\bmy pass)(?=\s)"
    r"|pw(?<![a-z0-9]pw)(?![a-z0-9])|(?:root|db|user|admin)pw(?![a-z0-9])"
    r"|psk(?![a-z0-9])|pre[ _-]?shared[ _-]?key"
    r"|(?:wlan|wifi|wi-fi|network)[ -](?:key|schlüssel)"
)
_API_KEY: Final = re.compile(
    r"(?:api|access|app|auth|account|storage|service|master|shared|subscription|license|consumer|developer|webhook)"
    r"[ _-]?key|api[ _-]?(?:密钥|秘钥)"
)
_PRIVATE_KEY: Final = re.compile(
    r"(?:private|encryption|encrypt|decryption|signing|hmac|ssh|wallet|session|cipher|crypto|fernet|rsa|des|jwt|cookie|vault|root"
    r"|seed|data|recovery|activation|product|admin|server|client|project|site|internal|deploy|write|read|rails|django|aes)"
    r"(?:[ _-]?\d{2,3})?[ _-]?key(?:[ _-]?(?:base|material|id|b64|base64|hex))?(?![a-z])|私钥|私鑰"
    r"|\b(?!(?:secret|public|primary|foreign|cache|partition|sort|idempotency|host|row|object|message|group|lookup|index|query|pub|hot|natural)"
    r"[_-])[a-z0-9]{2,20}[_-]key(?![a-z_])"
)
_SECRET: Final = re.compile(
    r"secret(?:[ _-]?(?:access[ _-]?)?key)?(?:[ _-]?base)?"
    r"|(?:[a-z]_|\b)(?:salt|pepper)(?![a-z])|(?:erlang|auth|session)[_-]cookie|sonar\.login"
    r"|totp|(?:2fa|mfa|otp)[ _-](?:seed|key|secret)|密钥|密鑰|秘钥|シークレット"
)
_TOKEN: Final = re.compile(r"tokens?|bearer|credentials?|令牌|访问凭证|凭据|凭证|授权码")
_PIN: Final = re.compile(r"pin(?<![a-z0-9_]pin)(?:[ _-]?(?:code|number|no\.?))?(?![a-z])")
_CARD_CODE: Final = re.compile(
    r"cv[vc](?<![a-z]cv[vc])2?(?![a-z])|(?:card )?security code|card verification (?:code|value)"
    r"|安全码|校验码"
)
_ONE_TIME: Final = re.compile(
    r"(?:verification|confirmation|login|2fa|mfa|backup|recovery|one[- ]time|security) codes?"
    r"|otp(?<![a-z]otp)(?![a-z])|验证码|驗證碼|动态码|恢复码"
)

#: If two kinds match a value, the first names it.
KEYWORDS: Final = (
    Keyword(
        "password",
        (
            "pass",
            "pas",
            "pw",
            "psk",
            "key",
            "schlüssel",
            *ROOTS,
        ),
        _PASSWORD,
    ),
    Keyword("api_key", ("key", "密钥", "秘钥"), _API_KEY),
    Keyword("private_key", ("key", "私"), _PRIVATE_KEY),
    Keyword(
        "secret",
        ("secret", "salt", "pepper", "cookie", "sonar", "totp", "2fa", "mfa", "otp", "钥", "鑰", "シー"),
        _SECRET,
    ),
    Keyword("token", ("token", "bearer", "credential", "令牌", "凭", "授权"), _TOKEN),
    Keyword("pin", ("pin",), _PIN),
    Keyword("card_security_code", ("cvv", "cvc", "code", "card v", "安全码", "校验码"), _CARD_CODE),
    Keyword("one_time_code", ("code", "otp", "验证码", "驗證碼", "动态码", "恢复码"), _ONE_TIME),
)

_SUFFIX: Final = (
    r"(?:s|[_-]?(?:prod|production|dev|development|test|staging|live|main|old|new|root|admin|v?\d{1,2}))?"
    r"(?P<close>\\?[\"'`*_)\]]{0,4})"
)
# `name: DB_PASSWORD`, and on the next line `value: …`
_VALUE_FIELD: Final = r"(?:,?\s{0,16}[\"']?value[\"']?)?"
# In a verbose pattern, a space must be in brackets.
_VERBS: Final = r"(?:will|should|would|used[ ]to)[ ]be|has[ ]been|" + alternatives("verbs").replace(
    "[ _]", "[ ]"
)
_ADVERBS: Final = (
    r"now|still|currently|just|actually|probably|always|simply|also|(?:set|changed|reset)[ ](?:to|from)|"
    r"going[ ]to[ ]be|called|literally|something[ ]like|exactly|:|-"
)
_THINGS: Final = r"for|to|of|on|at|in|i|we|that|which|there|here|he|she|they|you|my|our"
_PREPOSITIONS: Final = r"(?:changed[ \t])?(?:from|to|as|of|being)[ \t]"
# The Chinese word for a password also begins other words: its manager, its strength, "forgotten password".
_NO_NOUN: Final = (
    r"(?!管理|学|箱|锁|机|强度|长度|策略|保护|规则|要求|找回|错误|过期|不对|本(?![\u4e00-\u9fff]))"
)
# The Chinese words for passwords also mean a command to a dog or to a squad (口令), and begin other words.
_COMMAND: Final = re.compile(r"(?:绕|喊的?|听|(?<![热搜天])狗[\u4e00-\u9fff]{0,8})口令$")
_OTHER_WORD: Final = re.compile(r"(?:密码|密碼)(?:学|學|箱|员|員|本(?![\u4e00-\u9fff]))")
_MOST_COMMAND_DISTANCE: Final = 12  # characters
_EASTERN_VERBS: Final = (
    r"(?:是|为|就是|设为|设成|设置为|设置成|改为|改成|换成|用的是|用|变成|叫|应该是|还是|等于"
    r"|は|が|는|은|이|가)"
)
_EASTERN: Final = r"[\u4e00-\u9fff()]"
_AFTER_EASTERN: Final = r"(?:(?<=[^\x00-\x7f])|(?<=[^\x00-\x7f][\"'`*]))"

#: The text from the end of a keyword to the start of its value. One of the named groups is the kind of
#: connection.
LINK: Final = re.compile(
    rf"""
    {_SUFFIX}
    (?:
        {_VALUE_FIELD}[ \t]{{0,8}}(?P<assign>
            :[ \t]{{0,4}}[|>][+-]?[ \t]{{0,4}}\n[ \t]{{1,16}}
            |:=|=>|->|={{1,3}}|(?<!\]):(?![ \t]{{0,4}}</?[a-z]))(?![ \t]{{0,8}}\n)[ \t]{{0,8}}
      | (?P<markup>:?(?:</[a-z]{{1,8}}>[ \t:]{{0,4}}(?:<[a-z]{{1,8}}>)?)|[ ]value=(?=["']))
      | (?P<tag>>)
      | (?P<argument>\(\s{{0,4}}(?=[\"'])|(?<=[\"']),\s{{0,16}}(?:default[ ]?=[ ]?)?(?=[\"']))
      | (?P<fallback>[)\]]?[ ]{{0,2}}(?:\|\||\?\?|or|\|[ ]?default\(|:-)[ ]{{0,2}}(?=[\"']))
      | (?:[ \t]{{1,4}}(?:\([^()\n]{{0,60}}\)|(?:{_THINGS})[ \t](?:[^\n.!?;:]|[.:](?!\s)){{0,60}}?))?
        (?:[ \t]{{1,4}}|(?='s\b))(?P<verb>(?:{_VERBS}|'s)(?![a-z])|(?:changed|set|reset)[ \t]to\b)
        (?:[ \t]{{1,4}}(?:{_ADVERBS})(?![a-z])){{0,3}}[ \t]{{0,4}}:?\s{{0,4}}
      | {_NO_NOUN}[ \t]{{0,2}}(?P<eastern>
            (?:{_EASTERN}{{0,10}}?{_EASTERN_VERBS}了?[ \t]{{0,2}}:?[ \t]{{0,2}}){{1,3}}
        |{_EASTERN}{{1,10}}[:=][ \t]{{0,2}})
      | {_AFTER_EASTERN}{_NO_NOUN}[ \t]{{0,2}}(?P<glued>(?=[!-~]))
      | (?:[ \t]{{1,4}}(?:{_THINGS})[ \t][^\n.!?;:]{{0,60}}?)?(?P<asked>\?)[ \t]{{1,4}}
      | [ \t]{{0,4}}(?P<bare>[ \t](?:{_PREPOSITIONS})?|\||-[ \t]|:?[ \t]{{0,4}}\n)[ \t]{{0,8}}
    )
    """,
    re.VERBOSE,
)

#: The text between a value and its keyword, if the value comes first: "… is my wifi password", "…是我的密码".
BEFORE: Final = re.compile(
    r"(?:\s(?:is|was|as)\s(?:my|the|our|his|her|their|your|a)\s(?:[\w'-]{1,20}\s){0,3}"
    r"|[ \t]{0,2}(?:就是|是|作为|当|做)(?:我|你|他|她|我们|咱们)?的?[\u4e00-\u9fff]{0,8})$"
)
#: The text between two values of one keyword.
ALSO: Final = re.compile(
    r"[ \t]{0,2}(?:,[ \t]{0,2})?(?:,|、|/|(?:and|or|not|to|now)\b|和|或者?)[ \t]{0,2}|[ \t]{0,2},[ \t]{0,2}"
)


def is_part_of_other_word(lower: str, keyword: re.Match[str]) -> bool:
    """Return whether the keyword means no secret here: 密码学 is cryptography, 绕口令 is a tongue twister."""
    if keyword.group() not in {"口令", "密码", "密碼"}:
        return False
    command = _COMMAND.search(lower, max(0, keyword.start() - _MOST_COMMAND_DISTANCE), keyword.end())
    return command is not None or _OTHER_WORD.match(lower, keyword.start()) is not None
