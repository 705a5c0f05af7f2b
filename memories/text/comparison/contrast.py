"""The differences that keep two texts apart, however similar their words are.

A detail in only one text is no difference, because one text may say more than the other. A detail that both
have with different values is one.
"""

from __future__ import annotations

from typing import Final

from memories.text.comparison.order import find_reversal, takes_turns
from memories.text.comparison.reading import Reading, read_text
from memories.text.comparison.slots import find_replacement
from memories.text.comparison.words import FUNCTION, Manner, Token, english, kinds, lexicon, unmatched, words

#: Words of manner. `_ways` handles what they change.
_MANNERLY: Final = (
    FUNCTION | lexicon.NEGATORS | lexicon.AVERSIONS | lexicon.KIN | lexicon.FORMER | lexicon.MOODS.keys()
    | lexicon.QUANTIFIERS.keys() | english.THIRD | words("was were did")
)  # fmt: skip
_OPPOSED_PREFIXES: Final = ("un", "in", "im", "dis", "non", "ir", "il", "anti")


def find_differences(a: str, b: str) -> frozenset[str]:
    """Return the types of difference because of which two texts cannot be one; empty if there are none.

    The types are negation, number, version, date, time, name, direction, order, antonym, quantity, modality,
    tense, person, value (another word in the only place where the texts differ) and length (over 4,000
    characters, which are not compared). The result does not depend on the order of the texts. Takes about 30
    µs for texts read before.
    """
    if a == b:
        return frozenset()
    return contrast_readings(*sort_readings(a, b))


def sort_readings(a: str, b: str) -> tuple[Reading, Reading]:
    """Return the readings of two texts in an order that does not depend on the order of the arguments."""
    first, second = sorted((a, b))
    return read_text(first), read_text(second)


def contrast_readings(a: Reading, b: Reading) -> frozenset[str]:
    """Return the `find_differences` of two readings."""
    if not a.whole or not b.whole:
        return frozenset({"length"})
    found = set(_details(a, b)) | _names(a, b) | _ways(a, b)
    turned = find_reversal(a, b)
    if turned:
        found.add(turned)
    opposed = find_opposites(a, b)
    if "direction" in opposed and (turned or takes_turns(a, b)):
        opposed -= {"direction"}
    found |= opposed
    if not found:
        found |= find_replacement(a, b)
    return frozenset(found)


def _ways(a: Reading, b: Reading) -> frozenset[str]:
    """Return differences in how the texts say something.

    If each text has content of its own, only an explicit negation is certain to separate them.
    """
    ways = _manners(a, b) | _quantifiers(a, b) | _tenses(a, b)
    if ways and _own(a, b) and _own(b, a):
        return ways & {"negation"}
    return ways - {"soft"} | ({"negation"} if "soft" in ways else frozenset())


def _own(one: Reading, other: Reading) -> bool:
    return bool(one.content - other.content - _MANNERLY)


def _details(a: Reading, b: Reading) -> frozenset[str]:
    left, right = unmatched(a.quantities, b.quantities)
    if left and right:
        return kinds([*left, *right])
    if left or right:
        return _against_one(left or right, a if left else b, b if left else a)
    return frozenset()


def _against_one(extra: list[Token], fuller: Reading, other: Reading) -> frozenset[str]:
    """Compare `a cat` with `two cats`: an article counts as one."""
    single = {token.key for token in other.row if token.one}
    row = fuller.row
    for place, token in enumerate(row[:-1]):
        if token in extra and token.kind == "number" and token.key != "1":
            noun = next((after for after in row[place + 1 : place + 3] if after.key in single), None)
            if noun is not None:
                return frozenset({"number"})
    return frozenset()


def _names(a: Reading, b: Reading) -> frozenset[str]:
    left = [key for key in a.names if key not in b.keys]
    right = [key for key in b.names if key not in a.keys]
    return frozenset({"name"}) if left and right else frozenset()


def _manners(a: Reading, b: Reading) -> frozenset[str]:
    found: set[str] = set()
    if a.manners == b.manners:
        return frozenset()
    for key in a.manners.keys() & b.manners.keys():
        left, right = a.manners[key], b.manners[key]
        if left != right:
            found |= _compare_manners(left, right, a, b)
    return frozenset(found)


def _compare_manners(left: frozenset[Manner], right: frozenset[Manner], a: Reading, b: Reading) -> set[str]:
    found = set()
    if {each.negative for each in left}.isdisjoint(each.negative for each in right):
        found.add("soft" if any(each.soft for each in left | right) else "negation")
    if {each.former for each in left}.isdisjoint(each.former for each in right):
        found.add("tense")
    if {each.mood for each in left}.isdisjoint(each.mood for each in right) and not _are_barred(left | right):
        found.add("modality")
    if not any(_same_person(one.subject, other.subject, a, b) for one in left for other in right):
        found.add("person")
    return found


def _are_barred(manners: frozenset[Manner]) -> bool:
    """Return whether all are prohibitions: "must not" and "cannot" are the same one."""
    return all(each.negative and each.mood in {"", "duty"} for each in manners)


def _same_person(one: str, other: str, a: Reading, b: Reading) -> bool:
    if one == other or not one or not other:
        return True
    if "self" in {one, other}:
        kin, elsewhere = (other, a) if one == "self" else (one, b)
        return kin != "third" and all(each in elsewhere.keys for each in kin.split(">"))
    if "third" in {one, other}:
        return True
    return ">" not in one + other and one in b.keys and other in a.keys


def _quantifiers(a: Reading, b: Reading) -> frozenset[str]:
    left, right = a.quantifiers - b.quantifiers, b.quantifiers - a.quantifiers
    if left and right and (left | right) != {"all", "most"}:
        return frozenset({"quantity"})
    return frozenset({"quantity"}) if "only" in left | right else frozenset()


def _tenses(a: Reading, b: Reading) -> frozenset[str]:
    changed = (a.past & b.present) - a.present - b.past | (b.past & a.present) - b.present - a.past
    if "be" in changed and a.content - b.content - _MANNERLY and b.content - a.content - _MANNERLY:
        changed -= {"be"}
    return frozenset({"tense"}) if changed else frozenset()


def find_opposites(a: Reading, b: Reading) -> frozenset[str]:
    """Return the types of the opposites of which each text has one side."""
    left, right = a.content - b.content, b.content - a.content
    if not left or not right:
        return frozenset()
    found = {
        (kind, one, other)
        for one in left
        for group, side, kind in lexicon.OPPOSITES.get(one, ())
        for other in right
        for other_group, other_side, _ in lexicon.OPPOSITES.get(other, ())
        if group == other_group and side != other_side
    }
    found |= {("antonym", one, other) for one, other in _prefixed(left, right) | _prefixed(right, left)}
    return frozenset(kind for kind, one, other in found if _equally_denied(a, b, one, other))


def _prefixed(plain: frozenset[str], opposed: frozenset[str]) -> set[tuple[str, str]]:
    """Return pairs such as able and unable, happy and unhappy."""
    return {
        (word[len(prefix) :], word)
        for word in opposed
        for prefix in _OPPOSED_PREFIXES
        if word.startswith(prefix) and len(word) > len(prefix) + 3 and word[len(prefix) :] in plain
    }


def _equally_denied(a: Reading, b: Reading, one: str, other: str) -> bool:
    """Return whether both words are negated or neither: what is not enabled may be disabled."""
    denials = [
        any(each.negative for reading in (a, b) for each in reading.manners.get(key, ()))
        != (key in lexicon.AVERSIONS)
        for key in (one, other)
    ]
    return denials[0] == denials[1]
