"""Adapt a request to a server that refuses some of its parameters.

Servers differ in what they accept: a JSON schema, `stream_options`, any temperature, `max_tokens` under that
name. A request that is refused for one of these is sent again without it. The refused parameters of a model
are remembered as long as this process lives.
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
#: (base URL, model): the key under which refused parameters are remembered.
Place = tuple[str, str]

_UNKNOWN: Final = r"not supported|unsupported|unrecogni[sz]ed|unknown (?:param|field)|extra (?:inputs|fields)"
# How an error message names each parameter. The first parameter that was sent and matches is the refused one.
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
    """A request was refused for one of its parameters.

    Attributes:
        parameter: Name of the parameter.
    """

    def __init__(self, parameter: str, error: ModelError) -> None:
        super().__init__(error.message, error.detail)
        self.parameter = parameter


def adapted(place: Place, parameters: Parameters, send: Callable[[Parameters], T]) -> T:
    """Send the parameters without those that this place refuses, and return the result.

    A refusal is remembered only if the request succeeds without the parameter.

    Args:
        place: Base URL and model.
        parameters: Everything the request would contain.
        send: Sends a request; raises the result of `as_refusal` for the client's errors.

    Raises:
        ModelError: If the request fails for another reason.
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
    """Convert the client's error to ours: ParameterRefused if the server names a parameter it does not
    accept.
    """
    failed = retry.as_model_error(error)
    if isinstance(error, (openai.BadRequestError, openai.UnprocessableEntityError)):
        parameter = _named(error, parameters)
        if parameter is not None:
            return ParameterRefused(parameter, failed)
    return failed


def forget() -> None:
    """Forget all refusals."""
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
