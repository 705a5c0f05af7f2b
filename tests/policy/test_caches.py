"""A process keeps no result for each text or id that it ever saw."""

from __future__ import annotations

import ast

from tests.policy.sources import PRODUCT, ROOT, find_sources, parse_source

#: Arguments of which there are few: patterns and files of ours, languages, models, processes of a worker.
FEW = {
    "memories/gate/identifiers/numbers.py:occurs",
    "memories/gate/vocabulary/__init__.py:_read",
    "memories/models/predicate_labels.py:_list_labels",
    "memories/models/predicate_labels.py:_list_predicates_by_label",
    "memories/storage/copying.py:_insert",
    "memories/storage/copying.py:_shape_of",
    "memsite/jobs/runner.py:_own_start",
    "memsite/rest/openapi.py:_rendered",
}
UNLIMITED = {"cache", "functools.cache", "lru_cache(maxsize=None)", "lru_cache(None)"}


def _cached_for_ever() -> set[str]:
    return {
        f"{path.relative_to(ROOT)}:{node.name}"
        for path in find_sources(PRODUCT)
        for node in ast.walk(parse_source(path))
        if isinstance(node, ast.FunctionDef) and node.args.args
        if UNLIMITED & {ast.unparse(one) for one in node.decorator_list}
    }


def test_only_functions_of_few_arguments_are_cached_without_a_limit() -> None:
    assert _cached_for_ever() == FEW
