"""The clauses of a text: whether each is negated, wished or past, and its subject."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memories.text.comparison.words import chinese, english, lexicon
from memories.text.comparison.words.english import MINE, SELF, words
from memories.text.comparison.words.quantities import DATE, NUMBER, TIME
from memories.text.comparison.words.tokens import BREAK, SIGN, Token

QUANTITIES: Final = frozenset({NUMBER, DATE, TIME, "version"})
#: Keys without content of their own.
FUNCTION: Final = words(
    "in on at to of for with by from as into over than and or but so because that which who there it this "
    "these those "
    "will would can do have not no we our us you your 's up out about between during per "
    "在 的 了 是 有 和 与 跟 把 被 给 对 从 到 会 能 要 都 就 还 又 这 那 我们 你 您 过 吗 以 于 之 但是 "
    "因为 而 去 来 里 上 下 让 用 个"
) | {SELF, MINE, *english.ARTICLES, *english.FILLERS, *chinese.FILLERS, *lexicon.FORMER, *lexicon.MOODS}
_JOINTS: Final = words("but although while whereas because so 但是 因为 而 却 所以")
#: Words between the members of a list, and between a clause and its time.
_MEMBERS: Final = words("and or when while as 和 与 及 或 或者 以及 时 当")
_NEW_CLAUSE: Final = words("do does did have has is am are can will never not no he she it we they my") | {
    SELF,
    MINE,
}
#: Moods that count only before a verb.
_MOODS_BEFORE_VERBS: Final = words("need plan aim intend 需要 计划 准备")


@dataclass(frozen=True, slots=True)
class Manner:
    """The manner in which a clause makes its statement. Two texts are compared by the manners of a word.

    Attributes:
        negative: Whether it is negated.
        soft: Whether it is negated by the meaning of a word, such as `avoid` or `hate`.
        former: Whether it is no longer true.
        mood: One of `lexicon.MOODS`, or empty.
        subject: Whom it is about; see `_subject`.
    """

    negative: bool
    soft: bool
    former: bool
    mood: str
    subject: str


def _clauses(tokens: list[Token]) -> Iterator[list[Token]]:
    clause: list[Token] = []
    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else token
        opens = token.key in {"and", "or"} and (after.key in _NEW_CLAUSE or after.form == "ed")
        if token.kind == BREAK or token.key in _JOINTS or opens:
            if clause:
                yield clause
            clause = []
        else:
            clause.append(token)
    if clause:
        yield clause


def map_segments(tokens: list[Token]) -> dict[str, int]:
    """Map each key to the number of the last segment, between marks and joining words, that contains it."""
    found: dict[str, int] = {}
    number = 0
    for token in tokens:
        if token.kind == BREAK or token.key in _JOINTS or token.key in _MEMBERS:
            number += 1
        found[token.key] = number
    return found


def map_manners(tokens: list[Token]) -> dict[str, frozenset[Manner]]:
    """Map each content key to the manners of its clauses."""
    found: dict[str, set[Manner]] = {}
    for clause in _clauses(tokens):
        manner = _manner(clause)
        for token in clause:
            if token.key not in FUNCTION and token.kind != SIGN and token.key not in lexicon.NEGATORS:
                found.setdefault(token.key, set()).add(manner)
    return {key: frozenset(manners) for key, manners in found.items()}


def _manner(clause: list[Token]) -> Manner:
    denied = soft = former = False
    mood = ""
    for place, token in enumerate(clause):
        key = token.key
        if key in lexicon.SOFT_NEGATORS or key in lexicon.AVERSIONS:
            soft = True
        elif key in lexicon.NEGATORS:
            denied = True
        elif key in lexicon.FORMER:
            former = former or not token.chinese or _opens(clause, place)
        elif not mood and key in lexicon.MOODS and _is_mood(clause, place):
            mood = lexicon.MOODS[key]
    # "neither … nor" negates once; "cannot … without" affirms
    return Manner(denied != soft, soft, former, mood, _subject(clause))


def _opens(clause: list[Token], place: int) -> bool:
    """Return whether only a person comes before: 我以前上班, not 上班以前."""
    return place == 0 or clause[place - 1].key in chinese.PRONOUNS or clause[place - 1].key in lexicon.KIN


def _is_mood(clause: list[Token], place: int) -> bool:
    """Return whether a word expresses a mood.

    Needing a thing is no duty, and a plan for a thing no intention.
    """
    if clause[place].key == "得":
        return place > 0 and (
            clause[place - 1].key in chinese.PRONOUNS or clause[place - 1].key in lexicon.KIN
        )
    if clause[place].key not in _MOODS_BEFORE_VERBS:
        return True
    after = clause[place + 1] if place + 1 < len(clause) else None
    return after is not None and (
        after.key in {"to", "on"} or (after.chinese and after.kind not in QUANTITIES)
    )


def _subject(clause: list[Token]) -> str:
    """Return whom a clause is about: `self`, `third`, the key of a relative or name; empty for a thing."""
    for place, token in enumerate(clause[:4]):
        if token.key in {SELF, MINE}:
            next_words = clause[place + 1 : place + 8]
            span = 3 if token.key == MINE else 1 + token.chinese
            return _kin(next_words, span) or "self"
        if token.key in lexicon.KIN:
            return _kin(clause[place : place + 7], 1)
        if token.key in english.THIRD or token.key in {"他", "她"}:
            return "third"
    return ""


def _kin(tokens: list[Token], span: int) -> str:
    """Return the relative within `span`, after whose relative it is: `wife>brother` for a wife's brother."""
    first = next((place for place, token in enumerate(tokens[:span]) if token.key in lexicon.KIN), None)
    if first is None:
        return ""
    chain = [tokens[first].key]
    place = first + 1
    while place < len(tokens) and (tokens[place].key in {"'s", "的"} or tokens[place].key in lexicon.KIN):
        if tokens[place].key in lexicon.KIN:
            chain.append(tokens[place].key)
        place += 1
    return ">".join(chain)
