"""Docs and code agree: settings, endpoints, commands, kinds of errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import get_commands
from drf_spectacular.contrib.pydantic import PydanticExtension
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from memsite import env, errors

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
OUR_COMMANDS = {
    name for name, app in get_commands().items() if app.startswith(("memories", "threads", "memsite"))
}
#: Set by the supervisor for its children, not by whoever runs the site.
BETWEEN_PROCESSES = {"MEMSITE_PROCESS"}

#: Where a container listens, keeps its files and finds its database is set by compose.yaml and the image.
#: The toolbar needs packages that are not in it.
SET_BY_CONTAINERS = {"MEMSITE_DEBUG_TOOLBAR", "DATABASE_URL", "MEMSITE_DATA_DIR", "MEMSITE_HOST", "PORT"}


def _text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def _settings_read() -> set[str]:
    """Settings with a name of their own; those of a group are in `env.GROUPED`."""
    kinds = "text|flag|integer|number|choice|listing|secret|path|rate|smtp|prices|networks|origins|hosts"
    readers = rf"env\.(?:{kinds})\(\s*\"([A-Z_]+)\""
    found: set[str] = set()
    for path in ROOT.glob("memsite/**/*.py"):
        found |= set(re.findall(readers, path.read_text(encoding="utf-8")))
    return found - BETWEEN_PROCESSES


def test_every_setting_is_documented_and_nothing_else() -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)`", _text("settings.md"), re.MULTILINE))
    assert documented == _settings_read() | set(env.GROUPED)


def test_defaults_of_grouped_settings_are_documented() -> None:
    documented = dict(re.findall(r"^\| `([A-Z_]+)` \| `([^`]*)`", _text("settings.md"), re.MULTILINE))
    shown = {name: "on" if default is True else str(default) for name, default in env.GROUPED.items()}
    assert {name: documented[name] for name in shown} == shown


def test_containers_get_every_setting() -> None:
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    passed = set(re.findall(r"^    ([A-Z_]+): \$\{\1:-", compose, re.MULTILINE))
    assert passed == _settings_read() - SET_BY_CONTAINERS


def test_every_endpoint_is_documented() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    page = _text("api.md")
    wanted = {
        f"{method.upper()} {path}"
        for path, operations in schema["paths"].items()
        for method in operations
        if method in {"get", "post", "put", "patch", "delete"}
    }
    missing = {one for one in wanted if f"`{one}`" not in page}
    assert not missing


def test_no_documented_endpoint_is_made_up() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    documented = re.findall(r"`(GET|POST|PUT|PATCH|DELETE) (/api/[^`?\s]*)", _text("api.md"))
    for method, path in documented:
        assert method.lower() in schema["paths"].get(path, {}) or path in {"/api/schema", "/api/docs"}, path


def test_description_of_the_api_comes_without_warnings() -> None:
    GENERATOR_STATS.reset()
    SchemaGenerator().get_schema(request=None, public=True)
    assert not GENERATOR_STATS


def test_each_component_of_the_description_is_one_class(monkeypatch: pytest.MonkeyPatch) -> None:
    """drf-spectacular takes the first of two classes of one name for both, without a warning."""
    described: set[type[BaseModel]] = set()

    def name_and_note(self: PydanticExtension, auto_schema: object, direction: str) -> str:
        described.add(self.target)
        return str(self.target.__name__)

    monkeypatch.setattr(PydanticExtension, "get_name", name_and_note)
    SchemaGenerator().get_schema(request=None, public=True)
    _, together = models_json_schema([(one, "serialization") for one in described])
    # pydantic adds the module's name to the names of classes that would otherwise have the same one
    assert len(together["$defs"]) > 100
    assert not {name for name in together["$defs"] if "__" in name}


def test_every_command_is_documented() -> None:
    page = _text("operations.md")
    assert OUR_COMMANDS
    assert not {name for name in OUR_COMMANDS if f"manage.py {name}" not in page}


def test_every_error_code_is_documented() -> None:
    codes = {
        kind.code
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.MemsiteError)
    }
    page = _text("api.md")
    assert not {code for code in codes - {"error"} if f"`{code}`" not in page}


def test_readme_shows_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make run" in readme
    assert "make test" in readme
