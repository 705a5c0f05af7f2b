"""Adapt a request to a server that refuses some of its parameters.

Servers differ in what they accept: a JSON schema, `stream_options`, any temperature, `max_tokens` under that
name. A request that is refused for one of these is sent again without it. The refused parameters of a model
are remembered as long as this process lives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Final

import openai

from memsite.errors import ModelError
from memsite.llm.chat import retry

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


class _Request:
    """One request of `adapted_requests`. As a context manager it gives the parameters to send."""

    def __init__(self, parameters: Parameters) -> None:
        self._parameters = parameters
        self.refusal: ParameterRefused | None = None

    def __enter__(self) -> Parameters:
        return self._parameters

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, ParameterRefused):
            self.refusal = error
        return self.refusal is not None


def adapted_requests(place: Place, parameters: Parameters) -> Iterator[_Request]:
    """Yield requests, each without the parameters that were refused so far, until one succeeds.

        for request in adapted_requests(place, parameters):
            with request as adapted:
                result = send(adapted)

    A refusal is remembered only if the request succeeds without the parameter.

    Args:
        place: Base URL and model.
        parameters: Everything the request would contain.

    Raises:
        ParameterRefused: If a request is refused for a parameter that it does not have.
    """
    dropped = _refused.get(place, frozenset())
    while True:
        request = _Request(_without(parameters, dropped))
        yield request
        if request.refusal is None:
            _refused[place] = _refused.get(place, frozenset()) | dropped
            return
        if request.refusal.parameter in dropped:
            raise request.refusal
        dropped |= {request.refusal.parameter}


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


def forget_refusals() -> None:
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
