"""Every task that is named anywhere exists: a name that does not would only be noticed at night."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import pytest
from django.utils.module_loading import import_string

from memsite.jobs import declared

ROOT = Path(__file__).parents[2]
SOURCES = [path for app in ("memsite", "memories", "threads") for path in sorted((ROOT / app).rglob("*.py"))]
#: Where the queue itself calls: with the tasks of `declared()`, those of jobs there were, and tickets.
COMPUTED = {"memsite/jobs/schedules.py", "memsite/jobs/queue.py", "memsite/jobs/broker.py"}


def calls(source: str) -> Iterator[ast.Call]:
    """Every call of a function named enqueue."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Call)
            and getattr(node.func, "attr", getattr(node.func, "id", "")) == "enqueue"
        ):
            yield node


def named_tasks(source: str, constants: Mapping[str, object]) -> list[str]:
    """The tasks that are queued, by literal or constant. Raises AssertionError for a computed one."""
    found = []
    for call in calls(source):
        task = call.args[0] if call.args else None
        value = task.value if isinstance(task, ast.Constant) else constants.get(getattr(task, "id", ""))
        assert isinstance(value, str), f"line {call.lineno}: name the task where it is queued"
        found.append(value)
    return found


def constants_of(path: Path) -> Mapping[str, object]:
    """The names of a module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return vars(import_module(".".join(parts).removesuffix(".__init__")))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_queued_task_exists(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    if str(path.relative_to(ROOT)) in COMPUTED or not any(calls(source)):
        return
    for task in named_tasks(source, constants_of(path)):
        assert callable(import_string(task))


def test_scheduled_task_exists() -> None:
    for schedule in declared():
        assert callable(import_string(schedule.task))


def test_named_task_is_found_in_a_source() -> None:
    source = 'def f():\n    jobs.enqueue("a.b", 1)\n    enqueue(TASK, owner=1)'
    assert named_tasks(source, {"TASK": "c.d"}) == ["a.b", "c.d"]


def test_computed_task_is_an_error() -> None:
    with pytest.raises(AssertionError, match="line 1"):
        named_tasks("enqueue(task)", {})
