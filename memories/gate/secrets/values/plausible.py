"""Decide whether a value may be a secret, or is a word, a placeholder or program text."""

from __future__ import annotations

import re
from typing import Final

from memories.gate.secrets.values.randomness import Measures, is_hex, looks_random, measure
from memories.gate.vocabulary import word_list, words

# `<your-key>`, `$TOKEN`, `{{ secret }}`, `%(password)s`, `[redacted:token]`, `****`, `xxxx`, `your_key_here`
_TEMPLATE: Final = re.compile(
    r"""
    <[^<>]*+>? | \$(?:[A-Za-z_]+|\d|[{(].*|[A-Za-z_]\w*[\[(].*) | \{.* | %(?:[sdrv]|\(.*|[A-Za-z_]+%)
    | \[[A-Za-z_ :-]*+\]? | \([A-Za-z ]*+\)?
    | [*•·xX.\#_?-]+ | .*(?:\$\{|\{\{|\*{3}|…).*
    | (?i:your[_ -].* | (?:insert|enter|replace)[_ -][a-z_ -]*+)
    """,
    re.VERBOSE | re.DOTALL,
)
_CALL_OR_PATH: Final = re.compile(
    r"""
    [A-Za-z_][\w.]*[\[(].*                                   # get(…), row["x"]
    | (?:self|this|cls|os|env|process|settings|config|request|args|options|params|ctx|data|user|obj|props)\..*
    | [A-Za-z_]\w*(?:(?:\.|->|::|\?\.)[A-Za-z_]\w*)+;?       # settings.PASSWORD
    | [&*@!][A-Za-z_.]+                                     # a pointer, an instance variable
    | (?:~|\.{1,2})?/.*                                      # a path
    | \w+://.*
    """,
    re.VERBOSE | re.DOTALL,
)
_DATE_OR_VERSION: Final = re.compile(r"v?\d{1,4}(?:[.:/_-]\d{1,4}){1,5}(?:[A-Za-z][\w.+:-]{0,16})?")
_NAME: Final = re.compile(r"[A-Za-z]+(?:[._-][A-Za-z]+)*")

#: Words about passwords or in their place, never the password itself.
NOT_VALUES: Final = words(
    """
    a about above absent accepted again all allowed already also always an and any anything anywhere are as
    ask asked at auth authentication back bad be because before being below blank blocked bool boolean both
    broken but by bytes can cannot case char checked common complex compromised confidential consists
    contains copied correct could created date default deleted denied deprecated did different disabled do
    does done dont each easily easy either empty enabled encoded encrypted enough error every everything
    everywhere exactly exists expired expires extremely fail failed false field fine for forgotten format
    from generated given gone good got great guessable hard has hashed have here hidden how i if important
    impossible in incorrect input insecure int integer intentional invalid is it its just kept key known
    last later leaked length less like list local locked long longer looks lost made manager mandatory many
    may me mentioned mine missing more most much must my name necessary needed never new nil no none normal
    not nothing now null number object obviously of off ok okay old on only optional or other our out
    outdated over own pass passcode passed passphrase passwd password passwords pending pin please
    predictable private prompt protected provided pwd quite random rather ready really recommended redacted
    refused rejected required reset right rotated safe said salted same saved sealed secret secretstr secure
    sent set shared short should shown similar simple so some something somewhere soon still stolen stored
    str string strong stronger strongly such sufficient supplied tested text than that the their them then
    there these they this three time to today token too trivial true twice two type unchanged undefined
    unique unknown unlocked unsafe unset until up updated us used user username valid value varchar verified
    very visible void was weak weaker well were what whatever when where which who why will with within
    without working worthless would written stuck hung found printed wrong yes yet you your yours zero
    """
)
_ALGORITHMS: Final = re.compile(
    r"(?:sha|md|aes|rsa|base|utf|oauth|pbkdf|argon|http|tls|ssl|totp|saml|ipv|web|py|python|win|x)[_-]?\d{1,4}"
    r"(?:id|i|d|bit|[._-]\w{1,12})?|ed25519|blake2[bs]?|bcrypt|scrypt|1password|k8s|i18n|w3c|2fa|[1-9](?:st|nd|rd|th)",
    re.IGNORECASE,
)


_DESCRIPTIONS: Final = word_list("secrets", "descriptions")
_ENOUGH: Final = 64  # characters are enough to classify a value
_SHORTEST_KEY: Final = 8  # characters
_LETTERS_ONLY: Final = 16  # letters; fewer form a word
_LONG_KEY: Final = 20  # characters
_WORDY: Final = 0.5  # half of all identifiers have a higher wordiness, no random string has
_UNREADABLE: Final = 0.3


def is_template(value: str) -> bool:
    """Return whether a value is a field to fill in, or is already masked."""
    return _TEMPLATE.fullmatch(value) is not None


def is_description(value: str) -> bool:
    """Return whether a value describes passwords, in several languages: "falsch", "caducada", "verlopen"."""
    return value.lower().startswith(_DESCRIPTIONS)


def is_program_text(value: str) -> bool:
    """Return whether a value is a call, attribute, pointer, path or URL, which refers to a secret at most."""
    return _CALL_OR_PATH.fullmatch(value) is not None


def is_word(value: str) -> bool:
    """Return whether a value consists of letters, optionally joined by dots, dashes or underscores."""
    return _NAME.fullmatch(value) is not None


def is_technical_term(value: str) -> bool:
    """Return whether a value is a word about passwords, or the name of an algorithm, a version or a date."""
    lower = value.lower()
    return lower in NOT_VALUES or bool(_ALGORITHMS.fullmatch(value) or _DATE_OR_VERSION.fullmatch(value))


def has_digit(value: str) -> bool:
    """Return whether a value contains a digit."""
    return any(map(str.isdigit, value))


def is_mixed(value: str) -> bool:
    """Return whether a value contains letters and digits."""
    return has_digit(value) and any(map(str.isalpha, value))


def is_generated(value: str) -> bool:
    """Return whether a value looks like a generated key: letters and digits mixed, or random.

    Hex strings and UUIDs count, because after a keyword they are keys.
    """
    if len(value) < _SHORTEST_KEY or is_template(value):
        return False
    value = value[:_ENOUGH]
    if is_hex(value) or looks_random(value):
        return True
    if is_program_text(value) or is_technical_term(value):
        return False
    return _is_key_like(measure(value))


def _is_key_like(found: Measures) -> bool:
    letters = found.lower + found.upper
    if not found.digits or not letters:
        return letters >= _LETTERS_ONLY and found.wordiness <= _UNREADABLE
    if found.length >= _LONG_KEY and found.lower and found.upper:
        return found.wordiness < _WORDY and found.change >= _UNREADABLE
    return found.digits > 1 and (found.wordiness < _WORDY or found.digits * 4 >= found.length)
