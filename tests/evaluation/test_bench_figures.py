from __future__ import annotations

import pytest

from bench.figures import Figure


@pytest.mark.parametrize(
    ("figure", "met"),
    [
        (Figure("search", 7.5, "ms", most=8.0), "yes"),
        (Figure("search", 8.5, "ms", most=8.0), "no"),
        (Figure("batch", 2_500.0, "/s", least=2_000.0), "yes"),
        (Figure("batch", 1_500.0, "/s", least=2_000.0), "no"),
        (Figure("search", 8.5, "ms"), ""),
    ],
)
def test_a_bound_is_kept_or_not(figure: Figure, met: str) -> None:
    assert figure.cells()[-1] == met


def test_value_stands_beside_its_yardstick_and_their_ratio() -> None:
    cells = Figure("search", 6.0, "ms", 1.5, "/healthz").cells()
    assert cells[1:4] == ["6 ms", "1.5 ms /healthz", "4.00×"]
