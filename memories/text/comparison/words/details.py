"""Match the exact details of two texts with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from memories.text.comparison.words.quantities import DATE, NUMBER, TIME
from memories.text.comparison.words.tokens import Token

#: Largest number of pairs of details that are compared one by one.
_MOST: Final = 4096


def unmatched(left: Sequence[Token], right: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    """Return the details of each side that have no counterpart on the other side.

    Each detail matches at most one other; exact matches are made first.
    """
    rest, others = _without_answers(left, right, _exactly)
    if rest and others:
        rest, others = _without_answers(rest, others, _roughly)
    if rest and others and len(rest) * len(others) <= _MOST:
        return _disagreeing(rest, others)
    return rest, others


def _without_answers(
    left: Sequence[Token], right: Sequence[Token], key: Callable[[Token], tuple[str, ...]]
) -> tuple[list[Token], list[Token]]:
    mine, theirs = Counter(map(key, left)), Counter(map(key, right))
    return _over(left, theirs, key), _over(right, mine, key)


def _over(
    details: Sequence[Token], answers: Counter[tuple[str, ...]], key: Callable[[Token], tuple[str, ...]]
) -> list[Token]:
    over = []
    for detail in details:
        if answers[key(detail)] > 0:
            answers[key(detail)] -= 1
        else:
            over.append(detail)
    return over


def _exactly(detail: Token) -> tuple[str, ...]:
    return detail.key, detail.unit, "date" if detail.kind == DATE else ""


def _roughly(detail: Token) -> tuple[str, ...]:
    """Return one key for 2024 and the year 2024."""
    return (detail.key.removesuffix("-*-*"), detail.unit)


def _disagreeing(left: list[Token], right: list[Token]) -> tuple[list[Token], list[Token]]:
    others = list(right)
    kept = []
    for detail in left:
        answer = next((place for place, other in enumerate(others) if agree(detail, other)), None)
        if answer is None:
            kept.append(detail)
        else:
            del others[answer]
    return kept, others


def agree(one: Token, other: Token) -> bool:
    """Return whether two details may be the same, such as March 2024 and 5 March 2024, or 70 and 70 kg."""
    if one.kind == DATE and other.kind == DATE:
        return dates_agree(one.key, other.key)
    if {one.kind, other.kind} == {NUMBER, DATE}:
        number, date = (one, other) if one.kind == NUMBER else (other, one)
        return not number.unit and date.key == f"{number.key}-*-*"
    if {one.kind, other.kind} == {NUMBER, TIME}:
        number, time = (one, other) if one.kind == NUMBER else (other, one)
        return not number.unit and time.key in _clock(number.key)
    if TIME in {one.kind, other.kind}:
        return one.kind == other.kind and one.key == other.key
    if DATE in {one.kind, other.kind} or one.key != other.key:
        return False
    return one.unit == other.unit or not one.unit or not other.unit


def _clock(hour: str) -> frozenset[str]:
    """Return the times that a bare hour may mean: six is 06:00 or 18:00."""
    if not hour.isascii() or not hour.isdigit() or len(hour) > 2 or int(hour) > 23:
        return frozenset()
    return frozenset({f"{int(hour):02}:00", f"{int(hour) % 12 + 12:02}:00"})


def covers(kept: Token, detail: Token) -> bool:
    """Return whether `kept` contains all information of `detail`."""
    if kept.kind == detail.kind == DATE:
        parts = kept.key.split("-"), detail.key.split("-")
        return kept.key == detail.key or (
            len(parts[0]) == len(parts[1])
            and dates_agree(kept.key, detail.key)
            and all(mine != "*" or theirs == "*" for mine, theirs in zip(*parts, strict=True))
        )
    return agree(kept, detail) and (not detail.unit or kept.unit == detail.unit)


def dates_agree(one: str, other: str) -> bool:
    """Return whether two date keys share a part and differ in none that both give."""
    if one == other:
        return True
    pairs = list(zip(one.split("-"), other.split("-"), strict=False))
    if one.count("-") != 2 or other.count("-") != 2:
        return False
    both = [(mine, theirs) for mine, theirs in pairs if "*" not in {mine, theirs}]
    return bool(both) and all(mine == theirs for mine, theirs in both)


def kinds(details: Sequence[Token]) -> frozenset[str]:
    """Return the types of difference of these details."""
    return frozenset(detail.kind for detail in details)
