"""Recognise which active memories a statement of change ends: denials, replacements, alternatives.

"I don't like coffee any more" ends "likes coffee"; "I have moved to React" ends "uses Vue", because a person
chooses one web framework at a time; "I switched from Foo to Bar" ends "uses Foo", whatever Foo is. The
relations and alternatives are data, in `relations.toml`. Makes no query.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

from memories.models import Memory
from memories.text import Slot, make_slot, normalise
from memories.writing.drafting import make_slot_of_row

#: Characters of a text that are read for words of change.
_READ: Final = 400
_SEPARATOR: Final = "\x1f"
_CHANGED: Final = re.compile(
    r"\b(?:no longer|any ?more|any longer|now(?! and)|nowadays|these days|switched|moved|migrated|changed"
    r"|converted|transitioned|replaced|swapped|traded|ditched|dropped|abandoned|gave up|given up|gone off"
    r"|went off|stopped|quit|used to|instead)\b"
    r"|现在|如今|改用|改成|换成|换到|换用|转用|转到|转向|迁移到|切换到|不再|已经不|已不|戒|放弃|弃用|以前"
    r"|不[^，。]{1,20}了[。！]?$",
    re.IGNORECASE,
)
#: The thing that another replaces.
_FORMER: Final = (
    re.compile(
        r"\b(?:switch|mov|migrat|chang|convert|transition|upgrad|downgrad)(?:e|ed|es|ing)?\b[^.;]{0,40}?"
        r"\bfrom (?P<x>[^.,;]{1,50}?) (?:over )?(?:to|onto|into)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:replac|swap|swapp|exchang|trad|ditch|dropp|abandon|dump)(?:e|ed|es|s|ing)?(?: out)? "
        r"(?P<x>[^.,;]{1,50}?) (?:with|by|for|in favou?r of)\b",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:instead of|in place of) (?P<x>[^.,;]{1,50})", re.IGNORECASE),
    re.compile(
        r"从\s?(?P<x>[^，。从]{1,24}?)\s?(?:换|转|迁移?|切换?|改)(?:用|到|成|为|去|向){1,2}"
        r"|[把将]\s?(?P<x2>[^，。]{1,24}?)\s?(?:都|全部?)?(?:替?换|改|迁移?)(?:成|为|到)"
        r"|(?:代替|取代|替代|替换|放弃|弃用|抛弃|不用)了?\s?(?P<x3>[^，。]{1,24}?)了?(?:[，。]|改用|转用|而|$)"
    ),
)
_OWN: Final = re.compile(
    r"^(?:my|our|their|his|her|old|using|the) |^(?:使用|用)(?=.)| (?:entirely|completely)$"
)
#: What may be done with a thing: "likes to drink tea" and "likes tea" are about one thing.
_DOING: Final = re.compile(
    r"^(?:to\s+)?(?:us(?:e|ing)|drink(?:ing)?|eat(?:ing)?|play(?:ing)?|smok(?:e|ing)|driv(?:e|ing)"
    r"|wear(?:ing)?"
    r"|(?:work|writ|cod|program)(?:e|ing|ming)? (?:with|in))\s+(?=\S)|^(?:使用|用|吃|喝|抽|玩|养)\s*(?=\S)"
)
_DOES: Final = re.compile(r"^(?:to\s+)?us(?:e|ing)\b|^(?:使用|用)")
_TAIL: Final = re.compile(r" (?:any ?more|any longer|again|now|instead|too)$|(?<=[\u4e00-\u9fff ])了$")
_VERSION: Final = re.compile(r" ?v?(?<!\d)\d{1,6}(?:\.\w{1,8}){0,4}(?: \w{1,12})?$")
#: When, where or how something is so. A statement within a circumstance does not deny a general one.
_CIRCUMSTANCE: Final = re.compile(
    r"\b(?:when|while|if|unless|except|during|before|after|without|with|at|on|in(?! (?:19|20)\d\d|stead)"
    r"|for(?! good| ever| \w+ (?:years?|months?|weeks?)))\b"
    r"|晚上|早上|中午|睡前|时候|周末|工作日|上班|下班|在家|平时|出差|如果",
    re.IGNORECASE,
)
_ELSEWHERE: Final = re.compile(
    r"\b(?:at|when|while|if|during)\b|周末|工作日|上班|下班|在家|平时|出差|如果", re.IGNORECASE
)
_PURPOSE: Final = re.compile(
    r"\bfor (?:(?:my|our|their|the|all|taking|writing) ){0,3}"
    r"(?P<what>(?!good|now|\w+ (?:years?|months?))[^,.;()]{3,40})"
    r"|(?:来)?(?P<what2>(?:写|做|记|画|管理|处理|剪|开发)[^，。了]{1,12})",
    re.IGNORECASE,
)


class _Invalid(ValueError):
    """The table has an entry that means nothing."""


@dataclass(frozen=True, slots=True)
class _Relation:
    """A relation of the table. Each predicate is in the form in which slots hold it."""

    name: str
    stated: frozenset[str]
    denied: frozenset[str]
    dropped: frozenset[str]
    over: frozenset[str]
    replaces: tuple[str, ...]

    def affected_by(self, predicate: str) -> frozenset[str]:
        """Return the predicates of this relation that a statement with the predicate may end."""
        if predicate in self.stated:
            return self.denied | self.dropped | self.over
        return self.stated if predicate in self.denied | self.dropped | self.over else frozenset()

    def denies(self, newer: str, older: str, *, changed: bool) -> bool:
        """Return whether the newer predicate denies the older one, `changed` if in words of change."""
        sides = {newer, older}
        if not self.stated & sides:
            return False
        return bool(
            self.denied & sides
            or (self.dropped & sides and changed)
            or (newer in self.over and older in self.stated and changed)
        )


@dataclass(frozen=True, slots=True)
class _Tables:
    """The tables. `replacing` lists the predicates whose statements may replace a statement, by predicate."""

    relations: Mapping[str, _Relation]
    of_predicate: Mapping[str, tuple[_Relation, ...]]
    replacing: Mapping[str, frozenset[str]]
    tools: Mapping[str, str]
    tastes: Mapping[str, str]
    states: Mapping[str, str]


def _canonical(predicate: str) -> str:
    slot = make_slot("user", predicate, "x")
    if slot is None:
        raise _Invalid(f"relations.toml: {predicate!r} is no predicate")
    return slot.key.partition(_SEPARATOR)[2]


def _words(entry: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    text = entry.get(name, "")
    words = tuple(word.strip() for word in text.split(",")) if isinstance(text, str) and text else ()
    if not isinstance(text, str) or not all(words):
        raise _Invalid(f"relations.toml: {where}.{name} must be words between commas")
    return words


def _relation(name: str, entry: Mapping[str, Any], relations: Iterable[str]) -> _Relation:
    where = f"relation.{name}"
    unknown = entry.keys() - {"stated", "denied", "dropped", "over", "replaces"}
    replaces = _words(entry, "replaces", where)
    if unknown or not entry.get("stated") or not set(replaces) <= set(relations):
        raise _Invalid(f"relations.toml: {where} has an unknown key or relation, or states nothing")
    stated, denied, dropped, over = (
        frozenset(map(_canonical, _words(entry, role, where)))
        for role in ("stated", "denied", "dropped", "over")
    )
    return _Relation(name, stated, denied, dropped, over, replaces)


def _groups(entries: Mapping[str, Any], where: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for group in entries:
        for word in _words(entries, group, where):
            if found.setdefault(normalise(word), group) != group:
                raise _Invalid(f"relations.toml: {word!r} is in two lines of {where}")
    return found


def load_tables(path: Path) -> _Tables:
    """Read and check the tables.

    Raises:
        ValueError: If an entry is malformed; the message names it.
    """
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    unknown = table.keys() - {"relation", "tools", "tastes", "states"}
    if unknown:
        raise _Invalid(f"relations.toml: unknown table {min(unknown)!r}")
    relations = {name: _relation(name, entry, table["relation"]) for name, entry in table["relation"].items()}
    of_predicate: dict[str, list[_Relation]] = {}
    for one in relations.values():
        for predicate in one.stated | one.denied | one.dropped | one.over:
            of_predicate.setdefault(predicate, []).append(one)
    groups = (_groups(table.get(name, {}), name) for name in ("tools", "tastes", "states"))
    by_predicate = {key: tuple(ones) for key, ones in of_predicate.items()}
    return _Tables(relations, by_predicate, _find_replacing(relations), *groups)


def _find_replacing(relations: Mapping[str, _Relation]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for one in relations.values():
        for name in one.replaces:
            for predicate in relations[name].stated:
                found[predicate] = found.get(predicate, frozenset()) | one.stated
    return found


_TABLES: Final = load_tables(Path(__file__).with_suffix(".toml"))


#: Names of tools of which a person uses one of each group at a time.
TOOLS: Final = [
    frozenset(key for key, its in _TABLES.tools.items() if its == group)
    for group in set(_TABLES.tools.values())
]


def affected_slots(memory: Memory) -> Mapping[str, frozenset[str] | None]:
    """Return the slots of the memories that this one may end, or by which it may have ended.

    Returns:
        The things that matter in each slot, as `thing_of` gives them; None if all do.
    """
    slot = _slot(memory)
    if slot is None:
        return {}
    who, _, predicate = slot.key.partition(_SEPARATOR)
    found: dict[str, frozenset[str] | None] = {}
    relations = _TABLES.of_predicate.get(predicate, ())
    for relation in relations:
        for other in relation.affected_by(predicate):
            found[_digest(who, other)] = frozenset({_named(thing_of(slot.value))})
    for other in chain.from_iterable(
        _replaced_predicates(memory, relation, predicate) for relation in relations
    ):
        found[_digest(who, other)] = None
    return found


def list_replacing_slots(memory: Memory) -> frozenset[str]:
    """Return the slots of statements of change that may name a thing in place of the memory's thing."""
    slot = _slot(memory)
    if slot is None:
        return frozenset()
    who, _, predicate = slot.key.partition(_SEPARATOR)
    return frozenset(_digest(who, other) for other in _TABLES.replacing.get(predicate, ()))


def denies(newcomer: Memory, row: Memory) -> bool:
    """Return whether one of the two denies what the other states of the same thing."""
    ours, theirs = _slot(newcomer), _slot(row)
    if ours is None or theirs is None or newcomer.pk == row.pk:
        return False
    (who, _, new), (other, _, old) = (slot.key.partition(_SEPARATOR) for slot in (ours, theirs))
    if who != other or not _same_thing(ours, theirs, denied=theirs if _is_denial(new) else ours):
        return False
    changed = tells_of_change(newcomer) or (_is_denial(old) and tells_of_change(row))
    relations = _TABLES.of_predicate.get(new, ())
    if not any(relation.denies(new, old, changed=changed) for relation in relations):
        return False
    return _limited(newcomer, _CIRCUMSTANCE) == _limited(row, _CIRCUMSTANCE)


def replaces(newcomer: Memory, row: Memory) -> bool:
    """Return whether the new memory names a thing that takes the place of the row's thing."""
    ours, theirs = _slot(newcomer), _slot(row)
    if ours is None or theirs is None or newcomer.pk == row.pk:
        return False
    (who, _, new), (other, _, old) = (slot.key.partition(_SEPARATOR) for slot in (ours, theirs))
    mine, others = thing_of(ours.value), thing_of(theirs.value)
    if who != other or _named(mine) == _named(others):
        return False
    for relation in _TABLES.of_predicate.get(new, ()):
        if _role(relation, new, old, theirs.value) and _in_place_of(
            newcomer, row, mine, others, relation, old
        ):
            return True
    return False


def is_limited(text: str) -> bool:
    """Return whether a text says where, when or for what a thing is used, so that others may be used too."""
    return _ELSEWHERE.search(text) is not None or _PURPOSE.search(text) is not None


def tells_of_change(memory: Memory) -> bool:
    """Return whether the text says that something is no longer, or newly, so."""
    return _CHANGED.search(memory.content[:_READ]) is not None


def may_replace(content: str) -> bool:
    """Return whether a text may say that a thing took the place of another."""
    text = content[:_READ]
    return _CHANGED.search(text) is not None or any(pattern.search(text) for pattern in _FORMER)


def thing_of(value: str) -> str:
    """Return the thing that an object names: tea, of "drinking tea" and "tea any more"."""
    return _DOING.sub("", _TAIL.sub("", value), count=1)


def is_named(value: str, things: frozenset[str] | None) -> bool:
    """Return whether an object names one of the things of `affected_slots`."""
    return things is None or _named(thing_of(normalise(value))) in things


def _slot(memory: Memory) -> Slot | None:
    return make_slot_of_row(memory) if memory.slot else None


@lru_cache(maxsize=4096)
def _digest(who: str, predicate: str) -> str:
    return Slot(f"{who}{_SEPARATOR}{predicate}", "", single=False).digest


def _is_denial(predicate: str) -> bool:
    return any(predicate not in relation.stated for relation in _TABLES.of_predicate.get(predicate, ()))


def _replaced_predicates(memory: Memory, relation: _Relation, predicate: str) -> Iterator[str]:
    """Yield the predicates of statements that end if the memory states a replacement."""
    if predicate not in relation.stated:
        return
    if relation.name == "is":
        yield from relation.stated
    elif tells_of_change(memory) or _former(memory):
        for name in relation.replaces:
            yield from _TABLES.relations[name].stated


def _role(relation: _Relation, new: str, old: str, value: str) -> bool:
    """Return whether a statement of the relation may replace one with the predicate `old`."""
    if new not in relation.stated:
        return False
    if relation.name == "is":
        return old in relation.stated
    wide = (
        (*relation.replaces, "likes") if relation.name == "uses" and _DOES.match(value) else relation.replaces
    )
    return any(old in _TABLES.relations[name].stated for name in wide)


def _in_place_of(
    newcomer: Memory, row: Memory, mine: str, others: str, relation: _Relation, old: str
) -> bool:
    if relation.name == "is":
        return _alike(_TABLES.states, mine, others)
    former = _former(newcomer)
    if former:
        return _named(former) == _named(others) or others in former.split()
    if not tells_of_change(newcomer):
        return False
    purposes = _purpose(newcomer), _purpose(row)
    if all(purposes):
        return purposes[0] == purposes[1]
    if _limited(newcomer, _ELSEWHERE) != _limited(row, _ELSEWHERE):
        return False
    preferred = relation.name == "prefers" and old in relation.stated
    return _alike(_TABLES.tools, mine, others) or (preferred and _alike(_TABLES.tastes, mine, others))


def _former(memory: Memory) -> str:
    """Return the thing that the text says was replaced, or an empty string."""
    for pattern in _FORMER:
        found = pattern.search(memory.content[:_READ])
        if found:
            former = next(text for text in found.groups() if text)
            return thing_of(_OWN.sub("", normalise(former)))
    return ""


def _purpose(memory: Memory) -> str:
    found = _PURPOSE.search(memory.content[:_READ])
    return normalise(next(text for text in found.groups() if text)) if found else ""


def _alike(groups: Mapping[str, str], one: str, other: str) -> bool:
    group = _group(groups, one)
    return group is not None and group == _group(groups, other)


def _group(groups: Mapping[str, str], thing: str) -> str | None:
    """Return the group of the longest name, of at most three words, that a thing begins with."""
    words = _named(thing).split()
    return next((groups[key] for end in (3, 2, 1) if (key := " ".join(words[:end])) in groups), None)


def _named(thing: str) -> str:
    """Return a thing without its version."""
    return _VERSION.sub("", thing) or thing


def _same_thing(one: Slot, other: Slot, *, denied: Slot) -> bool:
    """Return whether two objects name one thing. A denial of "Vue" is also one of "Vue 3"."""
    ours, theirs = thing_of(one.value), thing_of(other.value)
    return ours == theirs or thing_of(denied.value) == _named(ours) == _named(theirs)


def _limited(memory: Memory, circumstance: re.Pattern[str]) -> bool:
    """Return whether the text limits its statement to a circumstance."""
    text = normalise(memory.content[:_READ])
    before, _, after = text.partition(normalise(memory.object))
    return circumstance.search(after if memory.object.isascii() else before + after) is not None
