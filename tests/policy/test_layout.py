"""The layout: entries a folder, layers an app, no import cycles, and packages used by their façade."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module

import grimp

from tests.policy.sources import PRODUCT, ROOT, parse_source

MOST_ENTRIES = 12
MOST_LAYERS = 12
#: What Django, or a framework on it, finds by its name in an app: not counted among the app's entries.
FIXTURES = {
    *("admin", "api", "apps", "management", "migrations", "models", "pages", "schedules", "tasks"),
    *("templatetags", "asgi", "settings", "urls", "wsgi"),
}
#: Packages whose façades are their modules. Django loads an app before its models, so its `__init__` cannot
#: import them; `memsite.llm` holds three ports, of which only one needs Django.
APPS = {
    f"memsite.{app}" for app in ("accounts", "events", "jobs", "metering", "rest", "web", "serving", "llm")
}

#: Modules that are imported by their own name, because their package's façade imports more than they do.
NAMED = {
    "memsite.llm.chat.openai_chat": "takes half a second to import, where a model is configured",
    "memsite.llm.chat.relaying": "imports the same client, where a model is configured",
    "memsite.serving.processes.warden": "is also run as a script, and would be loaded twice",
}


#: A line of a package's docstring that lists a module, and its job behind two blanks or more.
_LISTED = re.compile(r"^(\w+) {2,}\S", re.MULTILINE)


def _packages() -> list[str]:
    folders = (path.parent for root in PRODUCT for path in (ROOT / root).rglob("__init__.py"))
    names = (".".join(folder.relative_to(ROOT).parts) for folder in folders)
    return sorted(name for name in names if ".migrations" not in name)


PACKAGES = _packages()


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph(*PRODUCT, cache_dir=None)


def _children(package: str) -> set[str]:
    folder = ROOT.joinpath(*package.split("."))
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    return modules | {path.parent.name for path in folder.glob("*/__init__.py")}


def _count_entries(package: str) -> int:
    """Return the number of entries of a folder, without the fixtures of an app or of the site."""
    children = _children(package)
    found_by_name = children & FIXTURES if {"apps", "management", "settings"} & children else set()
    if package.rpartition(".")[2] in FIXTURES:
        found_by_name = children & {"urls"}
    return len(children - found_by_name)


def _is_fixture(package: str) -> bool:
    return bool(FIXTURES & set(package.split(".")))


def _facade(importer: str, imported: str) -> str | None:
    """The outermost package that holds `imported` and not `importer`, or None."""
    parts = imported.split(".")
    for length in range(2, len(parts)):
        package = ".".join(parts[:length])
        is_inside = f"{importer}.".startswith(f"{package}.")
        if not is_inside and package not in APPS and not _is_fixture(package):
            return package
    return None


def _siblings(package: str) -> dict[str, set[str]]:
    """For each child of a package, the children that it imports."""
    edges: dict[str, set[str]] = defaultdict(set)
    for module in _graph().find_descendants(package):
        importer = module.removeprefix(f"{package}.").split(".")[0]
        for imported in _graph().find_modules_directly_imported_by(module):
            child = imported.removeprefix(f"{package}.").split(".")[0]
            if imported.startswith(f"{package}.") and child != importer:
                edges[importer].add(child)
    return edges


def _find_cycle(package: str) -> str:
    """Return an import cycle among the children of a package, or an empty text."""
    try:
        TopologicalSorter(_siblings(package)).prepare()
    except CycleError as error:
        return " imports ".join(reversed(error.args[1]))
    return ""


def test_folders_have_at_most_twelve_entries() -> None:
    entries = {package: _count_entries(package) for package in PACKAGES}
    assert {package: count for package, count in entries.items() if count > MOST_ENTRIES} == {}


def test_children_of_packages_form_no_import_cycle() -> None:
    assert [cycle for package in PACKAGES if (cycle := _find_cycle(package))] == []


def test_packages_say_their_job() -> None:
    facades = {
        package: ROOT.joinpath(*package.split("."), "__init__.py")
        for package in PACKAGES
        if not _is_fixture(package)
    }
    assert [name for name, path in facades.items() if not ast.get_docstring(parse_source(path))] == []


def test_packages_list_the_modules_that_they_have() -> None:
    gone = []
    for package in PACKAGES:
        path = ROOT.joinpath(*package.split("."), "__init__.py")
        listed = _LISTED.findall(ast.get_docstring(parse_source(path)) or "")
        gone += [f"{package} lists {name}" for name in listed if name not in _children(package)]
    assert gone == []


def test_packages_are_imported_through_their_facade() -> None:
    around = []
    for module in sorted(_graph().modules):
        if ".migrations" in module:
            continue
        for imported in _graph().find_modules_directly_imported_by(module):
            package = None if imported in NAMED else _facade(module, imported)
            if package and imported.removeprefix(f"{package}.") not in import_module(package).__all__:
                around.append(f"{module} imports {imported}")
    assert around == []


def test_an_app_has_at_most_twelve_layers() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    assert max(len(contract.get("layers", [])) for contract in contracts) <= MOST_LAYERS
