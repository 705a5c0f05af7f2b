"""Methods that are described once, and that both clients have."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import update_wrapper, wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from memsite.wire.calls import Call
from memsite.wire.flows import Emits, Flow, Policy, perform

P = ParamSpec("P")
T = TypeVar("T")


class Blocking:
    """The mode of a client whose methods return results."""


class Awaited:
    """The mode of a client whose methods are awaited."""


Mode = TypeVar("Mode", Blocking, Awaited)


class Driver(Protocol):
    """Runs flows; the results are plain or to be awaited, as the client's mode says."""

    policy: Policy

    def run(self, flow: Flow[Any]) -> Any: ...

    def iterate(self, flow: Flow[Any]) -> Any: ...


class Resource(Generic[Mode]):
    """A group of methods of a client."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    def _perform(self, call: Call[T]) -> Flow[T]:
        return perform(call, self.driver.policy)


class steps(Generic[P, T]):  # noqa: N801 - a decorator
    """A method of several calls: the decorated function is their flow."""

    def __init__(self, describe: Callable[Concatenate[Any, P], Flow[T]]) -> None:
        self.describe = describe
        self.__doc__ = describe.__doc__

    @overload
    def __get__(self, resource: None, kind: Any) -> steps[P, T]: ...

    @overload
    def __get__(self, resource: Resource[Blocking], kind: Any) -> Callable[P, T]: ...

    @overload
    def __get__(self, resource: Resource[Awaited], kind: Any) -> Callable[P, Coroutine[Any, Any, T]]: ...

    def __get__(self, resource: Resource[Any] | None, kind: Any) -> Any:
        return self if resource is None else _bind(self.describe, resource, resource.driver.run)


class stream(Generic[P, T]):  # noqa: N801 - a decorator
    """A method that returns an iterator: the decorated function is the flow that emits its values."""

    def __init__(self, describe: Callable[Concatenate[Any, P], Emits[T]]) -> None:
        self.describe = describe
        self.__doc__ = describe.__doc__

    @overload
    def __get__(self, resource: None, kind: Any) -> stream[P, T]: ...

    @overload
    def __get__(self, resource: Resource[Blocking], kind: Any) -> Callable[P, Iterator[T]]: ...

    @overload
    def __get__(self, resource: Resource[Awaited], kind: Any) -> Callable[P, AsyncIterator[T]]: ...

    def __get__(self, resource: Resource[Any] | None, kind: Any) -> Any:
        return self if resource is None else _bind(self.describe, resource, resource.driver.iterate)


def operation(describe: Callable[Concatenate[Any, P], Call[T]]) -> steps[P, T]:
    """Make a method of one call, which the decorated function describes."""

    def flow(resource: Resource[Any], /, *args: P.args, **kwargs: P.kwargs) -> Flow[T]:
        return perform(describe(resource, *args, **kwargs), resource.driver.policy)

    return steps(update_wrapper(flow, describe))


def _bind(describe: Callable[..., Any], resource: Resource[Any], run: Callable[[Any], Any]) -> Any:
    @wraps(describe)
    def method(*args: Any, **kwargs: Any) -> Any:
        return run(describe(resource, *args, **kwargs))

    return method
