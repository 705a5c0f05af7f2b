"""Charts drawn on the server: round axes, positions within the picture, and their numbers as text."""

from __future__ import annotations

import re
from datetime import date, timedelta

from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from memsite.web.charts import (
    Part,
    Point,
    Series,
    choose_ticks,
    draw_bars,
    draw_columns,
    draw_line,
    draw_shares,
    format_number,
)

BEGAN = date(2026, 1, 1)


def line_of(*values: float, bounds: tuple[float, float] | None = (0, 100)) -> str:
    points = [Point(BEGAN + timedelta(days=day), value) for day, value in enumerate(values)]
    return draw_line("score", "Score", points, bounds=bounds, decimals=1)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_ticks_contain_the_values_and_are_few(one: int, other: int) -> None:
    low, high = sorted((one, other))
    ticks = choose_ticks(low, high)
    assert ticks[0] <= low
    assert ticks[-1] >= high
    assert 2 <= len(ticks) <= 6


@given(st.lists(st.floats(0, 100), min_size=1, max_size=40))
def test_points_of_a_line_are_within_its_plot(values: list[float]) -> None:
    chart = line_of(*values)
    heights = [float(y) for y in re.findall(r'<circle [^>]*cy="([\d.]+)"', chart)]
    assert len(heights) == len(values)
    assert all(20 <= y <= 156 for y in heights)


def test_a_line_says_in_words_what_it_shows() -> None:
    chart = line_of(72, 78.5)
    assert 'aria-label="From 72.0 on Jan. 1, 2026 to 78.5 on Jan. 2, 2026"' in chart
    assert '<th scope="row">Jan. 2, 2026</th><td class="number">78.5</td>' in chart


def test_one_day_is_a_dot_without_a_line() -> None:
    chart = line_of(72)
    assert chart.count("<circle") == 1
    assert "<polyline" not in chart


def test_no_days_draw_nothing() -> None:
    assert line_of() == ""


def test_columns_have_a_legend_only_for_several_series() -> None:
    one = draw_columns("growth", "Growth", ["May"], [Series("learnt", [3])])
    two = draw_columns("growth", "Growth", ["May"], [Series("learnt", [3]), Series("forgotten", [1], "warn")])
    assert "chart-legend" not in one
    assert two.count('<rect class="chart-fill') == 4  # two columns and two swatches
    assert 'fill="url(#growth-warn)"' in two


def test_bars_are_a_table_with_links() -> None:
    chart = draw_bars("kinds", "Kinds", [Part("Fact", 1200, url="/memories/?kind=fact"), Part("Goal", 300)])
    assert '<a href="/memories/?kind=fact">Fact</a>' in chart
    assert '<td class="number">1,200</td>' in chart
    assert 'width="25.0%"' in chart


def test_shares_add_up_and_an_empty_whole_draws_nothing() -> None:
    chart = draw_shares("use", "Use", [Part("used", 3), Part("unused", 1, "warn")])
    assert 'x="75.0%"' in chart
    assert "25%" in chart
    assert draw_shares("use", "Use", [Part("used", 0)]) == ""


def test_text_of_a_chart_is_escaped() -> None:
    assert "<script" not in draw_bars("kinds", "<script>", [Part("<script>", 1, url='"><script>')])


def test_positions_keep_their_point_in_every_language() -> None:
    with translation.override("de"):
        chart = draw_shares("use", "Use", [Part("used", 2), Part("unused", 1, "warn")])
        assert format_number(1234.5, 1) == "1.234,5"
    assert 'width="66.67%"' in chart
