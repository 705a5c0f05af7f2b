"""English words for comparison: contractions, inflected forms, spellings and synonyms."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from memories.text.vocabulary import IRREGULAR


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


def _groups(text: str) -> dict[str, str]:
    """Map each word of a group to the first word of the group. Groups are separated by |."""
    return {word: group[0] for group in map(str.split, text.split("|")) for word in group[1:]}


_VERBS_DENIED: Final = words("do does did is was are were have has had could would should")
_FULL: Final = {
    "can't": "can not", "won't": "will not", "shan't": "will not", "ain't": "is not", "i'm": "i am",
    "i've": "i have", "that's": "that is",
    **{f"{verb}n't": f"{verb} not" for verb in _VERBS_DENIED},
}  # fmt: skip
#: Contractions that are not a plain join of two words, with and without their apostrophe.
CONTRACTIONS: Final = {
    **_FULL,
    **{contraction.replace("'", ""): full for contraction, full in _FULL.items()},
    "cannot": "can not", "let's": "let us", "gonna": "going to", "wanna": "want to", "gotta": "have to",
    "it's": "it is", "he's": "he is", "she's": "she is", "there's": "there is", "here's": "here is",
    "what's": "what is", "who's": "who is", "nobody": "not anybody", "nothing": "not anything",
    "nowhere": "not anywhere",
}  # fmt: skip
_CLITICS: Final = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'s": "'s"}

#: Present copulas, auxiliaries, articles and fillers: words that can be added or omitted without a change of
#: meaning.
FILLERS: Final = words(
    "am is are be being 's do really actually basically simply personally definitely certainly truly also "
    "currently presently nowadays please myself themselves himself herself"
)
ARTICLES: Final = words("a an the")
SELF: Final = "@self"
MINE: Final = "@my"
SELVES: Final = {"i": SELF, "me": SELF, "my": MINE, "mine": MINE}
THIRD: Final = words("he she him his her hers they them their theirs")

#: Words with the same meaning in any memory.
SYNONYMS: Final = _groups("""
    favorite favourite | color colour | center centre | gray grey | theater theatre | program programme |
    tire tyre
    | mother mom mum mommy mummy mama | father dad daddy papa | grandmother grandma granny | grandfather
    grandpa granddad
    | someone somebody | everyone everybody | anyone anybody | afraid scared | whole entire
    | child kid | movie film | bicycle bike | television tv telly | photo photograph | fridge refrigerator
    | apartment flat | postgresql postgres | javascript js | typescript ts | kubernetes k8s
    | start begin | buy purchase | every each | like enjoy | love adore | hate detest loathe | live reside
    | have own possess | employ hire | physician doctor | till until | toward towards | among amongst |
    while whilst
    | organize organise | realize realise | practice practise | license licence | analyze analyse | optimize
    optimise
    | prioritize prioritise | recognize recognise | specialize specialise | travel travelling | usa u.s u.s.a
    | uk u.k | email e-mail | website web-site | okay ok | colleague coworker co-worker | boss supervisor
    | roommate flatmate housemate | vacation holiday | automobile car | cellphone mobile | fall autumn
    | approximately roughly | often frequently | nearly almost | although though | maybe perhaps possibly
""")
_NO_PAST: Final = words(
    "need feed speed breed bleed embed exceed proceed succeed seed weed shed bed red hundred sacred naked "
    "bled sled fled sped bred"
)
_NO_ING: Final = words(
    "king spring string thing ring wing sing bring sling swing during evening morning nothing "
    "something anything "
    "everything boring interesting ceiling building wedding"
)
_NO_S: Final = words(
    "always sometimes perhaps yes this thus has was gas bus news besides across its his hers ours theirs "
    "yours "
    "physics maths mathematics economics politics diabetes series species lens less kids' glasses plus us as"
)
#: Comparatives keep their own key: better is not good.
_COMPARED: Final = words("good bad happy healthy easy big")
_BASES: Final = {
    **{form: base for form, base in IRREGULAR.items() if base not in _COMPARED},
    "had": "have", "did": "do", "has": "have", "does": "do",
}  # fmt: skip
_NOT_IRREGULAR: Final = words(
    "lives left leaves lay wound found ground felt goes light spring mean wind better best"
)
_PLURALS: Final = words("has does children men women people feet teeth mice wives knives shelves")
#: Endings of verb stems that lost an e: decid-ing, enabl-ed, rais-ing, shar-ing.
_SILENT_E: Final = re.compile(
    r"(?:^us|[bcdfgkptz]l|[^aeiou]?[vcz]|[^us]s|[^u]us|[dr]g|ag|[aou]ng|lleng|u"
    r"|(?:^|[^aeiou])(?:[aiou]d|ir|ar|ur|[aiu]k|[aiu]m|at|ut|ul)|creat|plor|gnor|stor|fin|bin|agi[n]|amin|rmin"
    r"|invit|excit|unit|dele[t]|plet|pet|quot|mo[t]|vot|becom|welcom|phon|lov|th)$"
)
_SHORT_SILENT_E: Final = re.compile(r"[^aeiou]*[aiouy][kptmnldb]")


def expand(word: str) -> tuple[str, ...]:
    """Return the plain words of a lower-case word: don't → do, not; anna's → anna, 's."""
    straight = word.replace("’", "'")
    full = CONTRACTIONS.get(straight)
    if full:
        return tuple(full.split())
    if straight.endswith("n't"):
        return straight[:-3], "not"
    head, mark, tail = straight.rpartition("'")
    clitic = _CLITICS.get(mark + tail) if mark and head else None
    if clitic:
        return head, clitic
    return (straight.strip("'"),) if straight.strip("'") else ()


@lru_cache(maxsize=16384)
def form(word: str) -> tuple[str, str]:
    """Return the base of a lower-case word in one spelling, and its form: ``, `s`, `ed` or `ing`."""
    base, mark = _form(word)
    return SYNONYMS.get(word, SYNONYMS.get(base, base)), mark


def _form(word: str) -> tuple[str, str]:
    if word in _BASES and word not in _NOT_IRREGULAR:
        return _BASES[word], "s" if word in _PLURALS else "ed"
    if len(word) > 4 and word.endswith("ing") and word not in _NO_ING:
        return _unstripped(word[:-3]), "ing"
    if len(word) > 3 and word.endswith("ed") and word not in _NO_PAST:
        if word.endswith("ied"):
            return word[:-3] + ("y" if len(word) > 4 else "ie"), "ed"
        return _unstripped(word[:-2]), "ed"
    return _singular(word)


def _singular(word: str) -> tuple[str, str]:
    if len(word) < 4 or not word.endswith("s") or word in _NO_S or word.endswith(("ss", "us", "is")):
        return word, ""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y", "s"
    if word.endswith(("ches", "shes", "xes", "zzes", "sses", "oes")):
        return word[:-2], "s"
    return word[:-1], "s"


def _unstripped(stem: str) -> str:
    """Return the base of a verb stem that lost its -ing or -ed."""
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    if _SILENT_E.search(stem) or (len(stem) < 6 and _SHORT_SILENT_E.fullmatch(stem)):
        return stem + "e"
    return stem
