"""Other names of the tool's arguments, which programs written for the design's documents use.

`memoryId`, `topK` and the like are translated into the tool's own names before anything is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from memsite.errors import InvalidInput

#: Other names, without `_` and in lower case.
_NAMES: Final[Mapping[str, str]] = {
    "memoryid": "id",
    "memoryids": "ids",
    "topk": "limit",
    "layers": "layer",
    "kinds": "kind",
    "sortby": "sort",
    "orderby": "sort",
    "mergemode": "mode",
    "reflecttype": "what",
    "dryrun": "dry_run",
    "maxagedays": "max_age_days",
    "minaccesscount": "min_access_count",
}
#: Arguments that hold others.
_GROUPS: Final = frozenset({"filters", "gcoptions", "options"})
#: Other words for a value, by the argument's own name; without `_` and in lower case.
_VALUES: Final[Mapping[str, Mapping[str, str]]] = {
    "sort": {
        "createdat": "newest",
        "updatedat": "newest",
        "date": "newest",
        "time": "newest",
        "recency": "newest",
        "score": "relevance",
        "similarity": "relevance",
    },
    "mode": {"overwrite": "replace", "merge": "append"},
    "what": {
        "extractfacts": "facts",
        "fact": "facts",
        "extractpatterns": "patterns",
        "pattern": "patterns",
        "insights": "patterns",
        "compression": "compress",
        "inference": "infer",
        "all": "consolidate",
        "full": "consolidate",
    },
}
#: `compressStrategy` names what reflection does anyway: it joins what is similar, and keeps every fact.
_STRATEGIES: Final = frozenset({"merge", "semantic", "similarity", "summarize", "summarise", "auto"})


def translate_arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call under the tool's own names.

    Raises:
        InvalidInput: If an argument is given twice with different values, or a strategy is unknown.
    """
    translated: dict[str, Any] = {}
    for own, value in _translate_each(given):
        if own in translated and translated[own] != value:
            raise InvalidInput(f"{own} is given twice, with different values.")
        translated[own] = value
    return translated


def _translate_each(given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in _flatten(given):
        plain = _simplify(name)
        if plain == "compressstrategy":
            _check_strategy(value)
            yield "what", "compress"
        else:
            own = _NAMES.get(plain, name)
            yield own, _translate_value(own, value)


def _flatten(given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in given.items():
        if _simplify(name) in _GROUPS and isinstance(value, Mapping):
            yield from value.items()
        else:
            yield name, value


def _check_strategy(value: Any) -> None:  # noqa: ANN401 - any JSON value
    if not isinstance(value, str) or _simplify(value) not in _STRATEGIES:
        raise InvalidInput(f"compressStrategy is one of {', '.join(sorted(_STRATEGIES))}.")


def _translate_value(name: str, value: Any) -> Any:  # noqa: ANN401 - any JSON value
    words = _VALUES.get(name, {})
    return words.get(_simplify(value), value) if isinstance(value, str) else value


def _simplify(word: str) -> str:
    return word.replace("_", "").replace("-", "").lower()
