"""Determine which statements are about the same slot, and which slots have one value.

A *slot* is what a triple is about: its subject and predicate, normalised. `lives in`, `resides in` and 居住在
of one person are one slot; so is a preference between two things, in whichever order it is stated.
English and Chinese. Pure.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from memories.text.naming import OWNER, make_name_key
from memories.text.normalisation import normalise
from memories.text.single_valued import FAVOURITES, MAIN, VARIANTS

#: Predicates whose values only become more exact with more words.
_LOOSE: Final = frozenset({"named", "born on"})
_FIRST_PERSON: Final = frozenset({"i", "me", "my", "myself", "我", "本人"})
_AUXILIARIES: Final = frozenset({"is", "are", "am", "was", "were", "has", "have", "be", "been", "the"})
# Predicates and things are normalised before: there is one blank between two words.
_ADVERBS = re.compile(
    r"^(?:(?:is|are|am|was|has|have|had|be|been) )*(?:(?:now|currently|presently|still|also|actually|just) )+"
    r"| (?:now|currently|at present)$|^(?:现在|目前|当前|如今|现|一直|仍然|还)(?=[\u4e00-\u9fff])"
)
_POSSESSIVE = re.compile(r"^(?:the user['’]s|user['’]s|my|用户的|我的)\s*(?P<thing>.+)$", re.IGNORECASE)
_WORKS_BETWEEN = re.compile(r"^(?:在|于)\s*(?:工作|上班|任职|就职)$")
_OWN: Final = re.compile(r"^(?:the|a|an)\s+|^(?:是|为|在|于)")
_LEGAL = re.compile(
    r"(?<![\s,，])[\s,，]*+\b"
    r"(?:inc|incorporated|llc|ltd|limited|gmbh|corp|corporation|co|plc|ag|sa|years old|years)\b\.?$"
    r"|(?:有限责任公司|股份有限公司|有限公司|公司|集团|市|周岁|岁|(?<=\d)年)$",
    re.IGNORECASE,
)
_YEAR = re.compile(r"^\s*(?:1[89]|20)\d\d\s*+(?:年\s*)?$")
_MORE_EXACT = re.compile(r"[,，(（;；]|\s-\s")

_PREFERENCE = re.compile(
    r"^(?:user\s+|i\s+)?(?:(?:strongly|really|much|would|always|generally)\s+)*"
    r"(?:prefers?|preferred|preference|likes?|favou?rs?|(?:has\s+a\s+)?preference\s+for)\b"
)
_OVER = re.compile(
    r"^(?P<x>.+?) (?:over|rather than|instead of|more than|better than|and not|not|to) (?P<y>.+)$"
)
_CHINESE_PREFERENCE = re.compile(
    r"^(?:比起|相比(?:于)?|相较于|与|跟)(?P<y>.+?)(?:相比)?[,，\s]{0,3}(?:更喜欢|更偏好|更爱|宁愿|更倾向于?)(?P<x>.+)$"
    r"|^(?:更?喜欢|更?偏好|偏爱|更爱|更倾向于?|倾向于?|宁愿|首选)(?P<x2>.+?)"
    r"[,，\s]{0,3}(?:而不是|而非|而不用|胜过|多过|多于|超过|不喜欢|不要|不用)(?P<y2>.+)$"
)


@dataclass(frozen=True, slots=True)
class Slot:
    """The slot of a triple (subject and predicate), and the value that it states.

    Attributes:
        key: Subject and predicate; equal for the same slot.
        value: The object in the form that is compared.
        single: Whether the predicate is known to have one value.
        exact: The less exact value that the object begins with ("Berlin" of "Berlin, Germany"), if any.
        loose: Whether more words only make the value more exact, as in a name or a date.
    """

    key: str
    value: str
    single: bool
    exact: str = ""
    loose: bool = False

    @property
    def digest(self) -> str:
        """The key in the form that the column holds: 32 hexadecimal digits."""
        return hashlib.blake2b(self.key.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def agrees(self, other: Slot) -> bool:
        """Return whether two statements about one slot have the same value."""
        if other.value in {self.value, self.exact} or self.value == other.exact:
            return True
        if not (self.loose and other.loose):
            return False
        ours, theirs = set(self.value.split()), set(other.value.split())
        return ours <= theirs or theirs <= ours


def make_slot(
    subject: str,
    predicate: str,
    object: str,  # noqa: A002 - the field's standard term
    *,
    user_names: Collection[str] = (),
    speaker: str = "",
) -> Slot | None:
    """Return the slot of a triple, or None if a part is missing.

    Args:
        subject: The subject.
        predicate: The predicate.
        object: The object.
        user_names: The names of the owner.
        speaker: The person that "I" refers to, if it is not the owner.
    """
    if not (normalise(subject) and normalise(predicate) and normalise(object)):
        return None
    who = make_subject_key(subject, user_names=user_names, speaker=speaker)
    preferred = _preference(predicate, object)
    if preferred is not None:
        first, second = preferred
        pair = "\x1e".join(sorted(preferred))
        return Slot(f"{who}\x1fprefers\x1f{pair}", first, single=first != second)
    canonical, single = _canonical(predicate, object)
    return Slot(
        f"{who}\x1f{canonical}", make_value_key(object), single, _refined(object), loose=canonical in _LOOSE
    )


def make_subject_key(subject: str, *, user_names: Collection[str] = (), speaker: str = "") -> str:
    """Return the key of a subject. All names of the owner have one key; "my dog" is the user's dog."""
    owned = _POSSESSIVE.match(subject.strip())
    if owned:
        return f"{OWNER} {make_name_key(owned.group('thing'))}"
    names = {make_name_key(name) for name in user_names if name}
    key = make_name_key(subject)
    if speaker and make_name_key(speaker) not in {OWNER, *names} and normalise(subject) in _FIRST_PERSON:
        key = make_name_key(speaker)
    return OWNER if key in names else key


def make_value_key(text: str) -> str:
    """Return an object as it is compared: normalised, without article, legal form or unit of age."""
    bare = _LEGAL.sub("", text.strip())
    key = normalise(bare) or normalise(text)
    return _OWN.sub("", key) or key


def _refined(text: str) -> str:
    """Return the value that a text names first and then makes more exact, or an empty string."""
    more = _MORE_EXACT.search(text)
    return make_value_key(text[: more.start()]) if more else ""


def _canonical(predicate: str, object_: str) -> tuple[str, bool]:
    canonical, single = _find_canonical(predicate)
    if canonical == "born in" and any(character.isdigit() for character in object_):
        canonical = "born on"
    if canonical == "born on" and _YEAR.match(object_):
        canonical = "birth year"
    return canonical, single


@lru_cache(maxsize=1024)
def _find_canonical(predicate: str) -> tuple[str, bool]:
    """Return a predicate's canonical form, and whether it has one value."""
    folded = normalise(predicate)
    if folded not in _CANONICAL:
        folded = _ADVERBS.sub("", folded).strip() or folded
    if _WORKS_BETWEEN.match(folded):
        folded = "works at"
    canonical = _CANONICAL.get(folded) or _CANONICAL.get(_bare(folded))
    if canonical is not None:
        return canonical, True
    for pattern, name in ((FAVOURITES, "favourite"), (MAIN, "main")):
        match = pattern.match(folded)
        if match:
            return f"{name} {match.group('what').strip().replace('colour', 'color')}", True
    return _bare(folded), False


def _bare(folded: str) -> str:
    """Remove inflection and auxiliaries: `likes` becomes `like`, `is located in` becomes `located in`."""
    words = folded.split(" ")
    while len(words) > 1 and words[0] in _AUXILIARIES:
        words = words[1:]
    first = words[0]
    if len(first) > 3 and first.isascii() and first.endswith("s") and not first.endswith(("ss", "us")):  # noqa: PLR2004 - "is", "has" are no plurals
        words[0] = first[:-1]
    return " ".join(words)


def _preference(predicate: str, object_: str) -> tuple[str, str] | None:
    """Return (preferred thing, other thing) if the statement compares two things."""
    thing = " ".join(object_.casefold().split())
    statement = f"{normalise(predicate)} {thing}"
    liking = _PREFERENCE.match(statement)
    if liking:
        rest = statement[liking.end() :].strip()
        pair = _OVER.match(rest)
        if pair and ("prefer" in liking.group() or " to " not in pair.group()):
            return make_value_key(pair.group("x")), make_value_key(pair.group("y"))
        statement = f"喜欢{rest}"
    else:
        statement = f"{normalise(predicate)}{thing}"
    chinese = _CHINESE_PREFERENCE.match(statement)
    if chinese:
        x, y = chinese.group("x") or chinese.group("x2"), chinese.group("y") or chinese.group("y2")
        return make_value_key(_used(x)), make_value_key(_used(y))
    return None


def _used(thing: str) -> str:
    return re.sub(r"^(?:使用|用|吃|喝|选|去)", "", thing.strip()) or thing


def _inverted() -> Mapping[str, str]:
    canonical_of: dict[str, str] = {}
    for name, variants in VARIANTS.items():
        for variant in (name, *variants):
            folded = normalise(variant)
            canonical_of[folded] = name
            canonical_of.setdefault(_bare(folded), name)
    return MappingProxyType(canonical_of)


_CANONICAL: Final = _inverted()
