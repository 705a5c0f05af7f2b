"""Every pattern and every function that reads free text takes at most linear time."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import pkgutil
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memories.extraction.rules import corrections
from memories.extraction.rules.clause_reader import LONGEST
from memories.maintenance.reflection.conf import SENTENCE_CHARACTERS
from tests.policy.adversarial import UNITS, attacks, text_of
from tests.policy.text_functions import FUNCTIONS

PACKAGES = ("memsite", "memories", "threads")
SERVING = {"memsite.asgi", "memsite.wsgi"}  # they start the site when imported
ANCHORED = {"match", "fullmatch"}
SEARCHING = {"search", "finditer", "findall", "sub", "subn", "split"}
#: Rules that only see one clause, with its runs of blanks reduced to one, and the most characters of the
#: clause; below, the CPU seconds that each of these rules may take for such a clause.
CLAUSES = {
    "memories.extraction.english": LONGEST,
    "memories.extraction.chinese": LONGEST,
    "memories.extraction.rules.corrections": corrections.LONGEST,
    "memories.extraction.rules.assemble": LONGEST,
    "memories.maintenance.reflection.patterns.stances_": SENTENCE_CHARACTERS,
}
OF_A_CLAUSE = 0.5
#: Below so many seconds per character a rule is not examined. Between two lengths the cost per character may
#: grow by the factor GROWTH; quadratic time grows like the lengths, by four.
CHEAP = 1.5e-6
GROWTH = 2.2
SHORT, LONG = 600, 2_400

Pattern = re.Pattern[str]


def modules() -> list[str]:
    paths = [(package, importlib.import_module(package).__path__) for package in PACKAGES]
    names = [one.name for package, path in paths for one in pkgutil.walk_packages(path, f"{package}.")]
    return [name for name in names if ".migrations" not in name and name not in SERVING]


def patterns() -> dict[str, Pattern]:
    """Return every compiled pattern of every module, also inside containers, by where it was first found."""
    found: dict[Pattern, str] = {}
    for name in modules():
        for variable, value in vars(importlib.import_module(name)).items():
            for pattern, field in within(value):
                found.setdefault(pattern, f"{name}.{variable}")
                FIELDS.setdefault(pattern, field)
    named: dict[str, Pattern] = {}
    for pattern, place in found.items():
        named[place if place not in named else f"{place}[{len(named)}]"] = pattern
    return named


def within(value: object, field: str = "", depth: int = 0) -> Iterator[tuple[Pattern, str]]:
    """Yield the patterns of a value, each with the field of a dataclass that holds it, or ""."""
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value, field
    elif depth < 8:
        for part, name in parts(value):
            yield from within(part, name, depth + 1)


def parts(value: object) -> Iterator[tuple[object, str]]:
    if isinstance(value, (tuple, list, set, frozenset)):
        yield from ((part, "") for part in value)
    elif isinstance(value, dict):
        yield from ((part, "") for part in (*value, *value.values()))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from ((getattr(value, one.name, None), one.name) for one in dataclasses.fields(value))
    elif isinstance(getattr(value, "__self__", None), re.Pattern):  # a bound `pattern.search`
        yield value.__self__, ""  # type: ignore[attr-defined]  # just looked at


def uses() -> dict[tuple[str, str], set[str]]:
    """Return (module, name) → the methods of a pattern that are called on that name there.

    Under ("", field) are those called anywhere on a field of that name: `rule.complement.match(…)`.
    """
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for package in PACKAGES:
        for path in Path(package).rglob("*.py"):
            module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and node.attr in ANCHORED | SEARCHING:
                    if isinstance(node.value, ast.Attribute):
                        found["", node.value.attr].add(node.attr)
                    for name in ast.walk(node.value):
                        if isinstance(name, ast.Name):
                            found[module, name.id].add(node.attr)
    return found


def seconds(act: Callable[[str], object], text: str) -> float:
    before = time.process_time()
    act(text)
    return time.process_time() - before


def grows(act: Callable[[str], object], unit: str, before: str = "", cheap: float = CHEAP) -> str:
    """Return how the cost per character grows from a short text to a long one; empty if acceptable."""
    short, long = text_of(unit, SHORT, before), text_of(unit, LONG, before)
    cost = seconds(act, short)
    if cost < cheap * SHORT:
        return ""
    cost = min(cost, seconds(act, short))  # the first call may fill caches
    longer = seconds(act, long)
    for _ in range(6):  # a busy machine only makes it slower, so the best of several counts
        ratio = longer / LONG / max(cost / SHORT, cheap)
        if ratio <= GROWTH:
            return ""
        longer = min(longer, seconds(act, long))
    return f"{before!r} + {unit!r} repeated: a character costs {ratio:.0f} times as much in {LONG} characters"


def costs(act: Callable[[str], object], text: str) -> str:
    """Return the cost of the longest clause; empty if acceptable."""
    spent = min(seconds(act, text), seconds(act, text)) if seconds(act, text) > OF_A_CLAUSE else 0.0
    return f"{text[:40]!r}: {spent:.2f} s" if spent > OF_A_CLAUSE else ""


FIELDS: dict[Pattern, str] = {}
PATTERNS = patterns()
USES = uses()


def methods(place: str, pattern: Pattern) -> list[Callable[[str], object]]:
    module, _, name = place.partition("[")[0].rpartition(".")
    used = set().union(
        *(called for (where, said), called in USES.items() if said == name and where == module)
    )
    used |= USES.get(("", FIELDS[pattern]), set()) if FIELDS[pattern] else set()
    acts: list[Callable[[str], object]] = []
    if not used or used & ANCHORED:
        acts += [pattern.match, pattern.fullmatch]
    if not used <= ANCHORED or not used:
        acts.append(lambda text: sum(1 for _ in pattern.finditer(text)))
    return acts


@pytest.mark.slow
@pytest.mark.parametrize("module", sorted({place.rpartition(".")[0] for place in PATTERNS}))
def test_patterns_of_module_take_linear_time(module: str) -> None:
    of_clauses = next((most for package, most in CLAUSES.items() if module.startswith(package)), 0)
    for place, pattern in PATTERNS.items():
        if place.rpartition(".")[0] == module:
            for act in methods(place, pattern):
                for before, unit in attacks(pattern):
                    slow = (
                        costs(act, " ".join(text_of(unit, of_clauses, before).split())[:of_clauses])
                        if of_clauses
                        else grows(act, unit, before)
                    )
                    assert not slow, (place, slow)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_that_reads_text_takes_linear_time(name: str) -> None:
    act, cheap = FUNCTIONS[name]
    for unit in UNITS:
        assert not (slow := grows(act, unit, cheap=cheap)), slow
