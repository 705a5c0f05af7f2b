"""The package's public names, which load on first use."""

import pytest

from memsite import jobs


@pytest.mark.parametrize("name", jobs.__all__)
def test_public_name_is_found(name: str) -> None:
    assert getattr(jobs, name).__name__ == name


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        jobs.nothing_of_the_kind  # noqa: B018 - the access itself is tested
