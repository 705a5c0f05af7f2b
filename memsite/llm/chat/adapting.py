"""What a server refuses of a request, and the request without it.

Servers differ in what they take: a JSON schema, `stream_options`, any temperature, `max_tokens` under that
name. A request refused for one of these is sent again without it, and what a model refused is not sent to it
again while this process lives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import openai

from memsite.errors import ModelError
from memsite.llm.chat import retry

T = TypeVar("T")
Parameters = dict[str, Any]
#: (base URL, model): what a refusal is remembered for.
Place = tuple[str, str]

_UNKNOWN: Final = r"not supported|unsupported|unrecogni[sz]ed|unknown (?:param|field)|extra (?:inputs|fields)"
# What a refusal says when it means this parameter; the first that was sent and fits is meant.
_SIGNS: Final = (
    ("stream_options", re.compile(r"stream.?options|include_usage", re.IGNORECASE)),
    ("max_tokens", re.compile(r"max_completion_tokens", re.IGNORECASE)),
    ("temperature", re.compile(r"temperature", re.IGNORECASE)),
    (
        "response_format",
        re.compile(rf"response.?format|schema|grammar|structured|guided|{_UNKNOWN}", re.IGNORECASE),
    ),
)
_refused: dict[Place, frozenset[str]] = {}


class ParameterRefused(ModelError):
    """A request refused for one of its parameters."""

    def __init__(self, parameter: str, error: ModelError) -> None:
        super().__init__(error.message, error.detail)
        self.parameter = parameter


def adapted(place: Place, parameters: Parameters, send: Callable[[Parameters], T]) -> T:
    """What `send` gives for the parameters without those this place refuses.

    send: raises what `as_refusal` makes of the client's errors. A refusal is remembered only when the request
    went well without the parameter. Raises ModelError.
    """
    dropped = _refused.get(place, frozenset())
    while True:
        try:
            result = send(_without(parameters, dropped))
        except ParameterRefused as refusal:
            if refusal.parameter in dropped:
                raise
            dropped |= {refusal.parameter}
        else:
            _refused[place] = _refused.get(place, frozenset()) | dropped
            return result


def as_refusal(error: Exception, parameters: Mapping[str, Any]) -> ModelError:
    """The client's error → ours: ParameterRefused where the server tells what it does not take."""
    failed = retry.as_model_error(error)
    if isinstance(error, (openai.BadRequestError, openai.UnprocessableEntityError)):
        parameter = _named(error, parameters)
        if parameter is not None:
            return ParameterRefused(parameter, failed)
    return failed


def forget() -> None:
    """Nothing is known of any place."""
    _refused.clear()


def _named(error: openai.APIStatusError, parameters: Mapping[str, Any]) -> str | None:
    named = (error.param or "").partition(".")[0]
    for parameter, sign in _SIGNS:
        if parameter in parameters and (parameter == named or sign.search(f"{error.message} {error.body}")):
            return parameter
    return None


def _without(parameters: Parameters, dropped: frozenset[str]) -> Parameters:
    kept = {name: value for name, value in parameters.items() if name not in dropped}
    if "max_tokens" in dropped and "max_tokens" in parameters:
        kept["max_completion_tokens"] = parameters["max_tokens"]
    return kept
