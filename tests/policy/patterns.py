"""The patterns of the product, each with the methods by which the code applies it.

A pattern is a compiled value of a module, also within containers and dataclasses, or the first argument of a
call such as `re.search`.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType

from tests.policy.sources import ROOT, parse_source, read_source

PACKAGES = ("memsite", "memories", "threads", "porting")
SERVING = {"memsite.asgi", "memsite.wsgi"}  # they start the site when imported
ANCHORED = {"match", "fullmatch"}
SEARCHING = {"search", "finditer", "findall", "sub", "subn", "split"}
#: The argument of a function of `re` that holds the flags, by its place.
FLAGS = {"compile": 1, "match": 2, "fullmatch": 2, "search": 2, "finditer": 2, "findall": 2}

_NAMED = re.compile(rf"\.(?:{'|'.join(ANCHORED | SEARCHING)})\b")

Pattern = re.Pattern[str]
#: A dataclass and the name of one of its fields.
Field = tuple[type, str] | None
Act = Callable[[str], object]


@dataclasses.dataclass(frozen=True)
class PlacedPattern:
    """A pattern, the module that holds it, its place there, and the names of the methods applied to it.

    `used` is empty if the code does not show them.
    """

    module: str
    place: str
    pattern: Pattern
    used: frozenset[str]

    def acts(self) -> list[Act]:
        """Return the ways in which the pattern is applied; all if they are not known."""
        acts: list[Act] = []
        if not self.used or self.used & ANCHORED:
            acts += [self.pattern.match, self.pattern.fullmatch]
        if not self.used or self.used & SEARCHING:
            acts.append(lambda text: sum(1 for _ in self.pattern.finditer(text)))
        return acts


@cache
def find_patterns() -> list[PlacedPattern]:
    """Return every pattern of every module once, where it was found first."""
    held: dict[Pattern, tuple[str, str, Field]] = {}
    used: dict[Pattern, set[str]] = defaultdict(set)
    fields: dict[Field, set[str]] = defaultdict(set)
    for module in _modules():
        for variable in vars(module):
            for pattern, field in _of_variable(module, variable):
                held.setdefault(pattern, (module.__name__, variable, field))
        for line, method, pattern in _inline(module):
            held.setdefault(pattern, (module.__name__, f"line {line}", None))
            used[pattern].add(method)
        for called, method in _calls(module):
            if isinstance(called, re.Pattern):
                used[called].add(method)
            else:
                fields[called].add(method)
    return [
        PlacedPattern(
            name,
            f"{name}, {variable}: {pattern.pattern.strip()[:60]}",
            pattern,
            frozenset((used[pattern] | (fields[field] if field else set())) - {"compile"}),
        )
        for pattern, (name, variable, field) in held.items()
    ]


@cache
def _modules() -> list[ModuleType]:
    paths = [(package, importlib.import_module(package).__path__) for package in PACKAGES]
    names = [one.name for package, path in paths for one in pkgutil.walk_packages(path, f"{package}.")]
    return [importlib.import_module(one) for one in names if ".migrations" not in one and one not in SERVING]


@cache
def _of_variable(module: ModuleType, name: str) -> list[tuple[Pattern, Field]]:
    return list(_within(vars(module).get(name)))


def _within(value: object, field: Field = None, depth: int = 0) -> Iterator[tuple[Pattern, Field]]:
    """Yield the patterns of a value, each with the field of a dataclass that holds it, if one does."""
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value, field
    elif depth < 8:
        for part, name in _parts(value):
            yield from _within(part, name, depth + 1)


def _parts(value: object) -> Iterator[tuple[object, Field]]:
    if isinstance(value, (tuple, list, set, frozenset)):
        yield from ((part, None) for part in value)
    elif isinstance(value, dict):
        yield from ((part, None) for part in (*value, *value.values()))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for one in dataclasses.fields(value):
            yield getattr(value, one.name, None), (type(value), one.name)
    elif isinstance(getattr(value, "__self__", None), re.Pattern):  # a bound `pattern.search`
        yield value.__self__, None  # type: ignore[attr-defined]  # just looked at


@cache
def _methods(module: ModuleType) -> list[ast.Attribute | ast.Call]:
    """Return where the module names a method of a pattern, and its calls of functions of `re`."""
    path = ROOT.joinpath(*module.__name__.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not _NAMED.search(read_source(path)):
        return []
    return [
        node
        for node in ast.walk(parse_source(path))
        if (isinstance(node, ast.Attribute) and node.attr in ANCHORED | SEARCHING)
        or (isinstance(node, ast.Call) and _is_of_re(node.func))
    ]


def _is_of_re(called: ast.expr) -> bool:
    return (
        isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "re"
    )


def _inline(module: ModuleType) -> Iterator[tuple[int, str, Pattern]]:
    """Yield (line, method, pattern) of each call such as `re.sub(r"…", …)`.

    Patterns that are made of local values are left out.
    """
    for node in _methods(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            method = node.func.attr
            named = [one.value for one in node.keywords if one.arg == "flags"]
            place = FLAGS.get(method, len(node.args))
            try:
                written = _evaluated(node.args[0], module)
                flags = [_evaluated(one, module) for one in (*named, *node.args[place : place + 1])]
            except NameError:
                continue
            if isinstance(written, str) and method in ANCHORED | SEARCHING | {"compile"}:
                yield node.lineno, method, re.compile(written, *flags)  # type: ignore[call-overload]  # flags


def _evaluated(node: ast.expr, module: ModuleType) -> object:
    return eval(compile(ast.Expression(node), "pattern", "eval"), vars(module))  # noqa: S307 - our own source


def _calls(module: ModuleType) -> Iterator[tuple[Pattern | tuple[type, str], str]]:
    """Yield (pattern or field, method) of each call of a method of a pattern.

    `rule.complement.match(…)` counts for the field `complement` of each dataclass that the module names.
    """
    named = vars(module)
    classes = [one for one in named.values() if isinstance(one, type) and dataclasses.is_dataclass(one)]
    for node in _methods(module):
        if isinstance(node, ast.Attribute):
            owners = {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)} & named.keys()
            for owner in owners:
                yield from ((pattern, node.attr) for pattern, _ in _of_variable(module, owner))
            if isinstance(node.value, ast.Attribute):
                yield from (((one, node.value.attr), node.attr) for one in classes)
                for owner in owners:
                    if isinstance(named[owner], ModuleType):
                        found = _of_variable(named[owner], node.value.attr)
                        yield from ((pattern, node.attr) for pattern, _ in found)
