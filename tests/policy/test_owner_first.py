"""Every query of people's rows names the owner: checked in the source, call by call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from django.apps import apps

from tests.policy.sources import ROOT, find_sources, name_source, parse_source

OWNED = {
    model.__name__ for model in apps.get_models() if model._meta.app_label in {"memories", "threads"}
} | {
    "ApiKey",
    "Application",
    "Preferences",
    "AuditEntry",
    "DeletionRequest",
    "ModelUsage",
    "ConnectedProgram",
}

#: Functions that read across owners on purpose. Each runs from a schedule, a sign-in or the admin.
ACROSS_OWNERS = {
    "memories/storage/usage.py:list_owners_to_roll_up": "the schedule finds whose accesses wait",
    "memories/maintenance/forgetting/nightly.py:find_due": (
        "the nightly pass reads all once, then goes owner by owner"
    ),
    "memories/maintenance/forgetting/cap.py:list_owners_over_cap": (
        "the schedule finds who has more episodes than the cap"
    ),
    "memories/maintenance/forgetting/purge.py:find_outdated": (
        "the schedule finds what was forgotten a year ago"
    ),
    "memories/maintenance/reflection/due.py:list_owners_with_episodes": (
        "the sweep finds who has episodes to reflect on"
    ),
    "memories/maintenance/reports/site.py:make_site": (
        "the schedule adds up all owners' reports; the table is nobody's"
    ),
    "memories/maintenance/reports/site.py:prune": "the schedule lets go of reports past their time",
    "memories/storage/graph/rebuilding.py:list_owners_with_memories": (
        "the command finds whose graph to rebuild"
    ),
    "memories/maintenance/renormalisation.py:list_owners_left": (
        "the sweep finds whose memories are of older rules"
    ),
    "memories/storage/queries.py:list_not_embedded": (
        "the sweep finds what is not embedded; all others say whose"
    ),
    "memories/storage/embedding_in_use.py:get_switch_row": "one row for the site; the table is nobody's",
    "memories/maintenance/reembedding/embedding_switch.py:count_vectors_by_model": (
        "counts for whoever runs the site"
    ),
    "memories/maintenance/reembedding/embedding_switch.py:begin_switch": (
        "one row for the site; the table is nobody's"
    ),
    "memories/maintenance/reembedding/embedding_switch.py:note_progress": (
        "one row for the site; the table is nobody's"
    ),
    "memories/maintenance/reembedding/embedding_switch.py:note_stop": (
        "one row for the site; the table is nobody's"
    ),
    "memories/maintenance/reembedding/embedding_switch.py:finish_switch": (
        "one row for the site; the table is nobody's"
    ),
    "memories/maintenance/reembedding/embedding_switch.py:abandon_switch": (
        "one row for the site; the table is nobody's"
    ),
    "memories/maintenance/reembedding/embedding_switch.py:drop_old_vectors": (
        "one row for the site, then owner by owner"
    ),
    "memories/maintenance/reembedding/embedding_switch.py:_locked": (
        "one row for the site; the table is nobody's"
    ),
    "threads/storage/queries.py:list_quiet_threads": "the sweep finds silent threads with something to read",
    "threads/storage/queries.py:list_threads_to_learn": "the sweep finds threads with something to learn",
    "threads/summarization/sweeping.py:_queue_due": "the sweep finds branches with a summary that is due",
    "threads/summarization/sweeping.py:_queue_failed": "the sweep finds summaries whose model failed",
    "threads/summarization/sweeping.py:_queue_stale": "the sweep finds threads with stale summaries",
    "threads/replies/storing.py:end_lost": "the sweep finds replies whose process was killed",
    "threads/replies/storing.py:_end": "the sweep locks a reply that it found",
    "threads/messages/removal.py:expire_temporary_threads": (
        "the schedule finds temporary threads past their day"
    ),
    "memories/storage/queries.py:add_links": "subqueries joined to the outer row's owner",
    "memsite/accounts/deletion/running.py:list_due_deletions": (
        "the schedule finds the deletions whose time has come"
    ),
    "memsite/accounts/keys.py:recognise_key": "a key is how the owner becomes known",
}


def _queries(tree: ast.AST) -> Iterator[tuple[str, int, str]]:
    """Yield (function, line, source of the statement) of every `Model.objects` of an owned model."""
    for function in ast.walk(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        for statement in ast.walk(function):
            if not isinstance(statement, ast.stmt) or isinstance(
                statement, (ast.FunctionDef, ast.If, ast.For, ast.While, ast.With, ast.Try)
            ):
                continue
            for node in ast.walk(statement):
                if (
                    isinstance(node, ast.Attribute)
                    and node.attr == "objects"
                    and isinstance(node.value, ast.Name)
                    and node.value.id in OWNED
                ):
                    yield function.name, node.lineno, ast.unparse(statement)


def _says_whose(statement: str) -> bool:
    writes = ("bulk_create(", "bulk_update(")
    return "owner" in statement or any(verb in statement for verb in writes)


def test_queries_start_with_the_owner() -> None:
    without_owner = [
        f"{name_source(path)}:{line} in {function}: {statement}"
        for path in find_sources()
        for function, line, statement in _queries(parse_source(path))
        if f"{name_source(path)}:{function}" not in ACROSS_OWNERS and not _says_whose(statement)
    ]
    assert without_owner == []


def test_list_of_exceptions_names_only_what_exists() -> None:
    for place in ACROSS_OWNERS:
        path, function = place.split(":")
        assert f"def {function}(" in (ROOT / path).read_text(encoding="utf-8"), place


def test_query_without_an_owner_would_be_found() -> None:
    tree = ast.parse("def f():\n    return Memory.objects.filter(id=1)\n")
    assert [_says_whose(statement) for _, _, statement in _queries(tree)] == [False]
