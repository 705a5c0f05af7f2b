"""Every task that is named anywhere exists: a name that does not would only be noticed at night."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import pytest
from django.utils.module_loading import import_string

from memsite.jobs import list_schedules
from tests.policy.sources import ROOT, find_sources, name_source, parse_source

#: Where the queue itself calls: with the tasks of `list_schedules()`, those of jobs there were, and tickets.
COMPUTED = {"memsite/jobs/schedules.py", "memsite/jobs/queue.py", "memsite/jobs/broker.py"}


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Every call of a function named enqueue."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and getattr(node.func, "attr", getattr(node.func, "id", "")) == "enqueue"
        ):
            yield node


def named_tasks(tree: ast.AST, constants: Mapping[str, object]) -> list[str]:
    """The tasks that are queued, by literal or constant. Raises AssertionError for a computed one."""
    found = []
    for call in calls(tree):
        task = call.args[0] if call.args else None
        value = task.value if isinstance(task, ast.Constant) else constants.get(getattr(task, "id", ""))
        assert isinstance(value, str), f"line {call.lineno}: name the task where it is queued"
        found.append(value)
    return found


def constants_of(path: Path) -> Mapping[str, object]:
    """The names of a module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return vars(import_module(".".join(parts).removesuffix(".__init__")))


def test_queued_tasks_exist() -> None:
    for path in find_sources():
        tree = parse_source(path)
        if name_source(path) not in COMPUTED and any(calls(tree)):
            for task in named_tasks(tree, constants_of(path)):
                assert callable(import_string(task)), name_source(path)


def test_scheduled_task_exists() -> None:
    for schedule in list_schedules():
        assert callable(import_string(schedule.task))


def test_named_task_is_found_in_a_source() -> None:
    source = 'def f():\n    jobs.enqueue("a.b", 1)\n    enqueue(TASK, owner=1)'
    assert named_tasks(ast.parse(source), {"TASK": "c.d"}) == ["a.b", "c.d"]


def test_computed_task_is_an_error() -> None:
    with pytest.raises(AssertionError, match="line 1"):
        named_tasks(ast.parse("enqueue(task)"), {})
