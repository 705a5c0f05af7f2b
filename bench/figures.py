"""Results of a bench: one row each, with a yardstick measured in the same run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.table import format_table


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value.

    Attributes:
        yardstick: The same machine's value for something plain at the same time, in the same unit; the table
            shows the ratio value / yardstick.
        against: Name of the yardstick.
        most: Target: the largest acceptable value.
        least: Target: the smallest acceptable value.
    """

    name: str
    value: float
    unit: str
    yardstick: float | None = None
    against: str = ""
    most: float | None = None
    least: float | None = None

    def cells(self) -> list[str]:
        """Return the row of the table."""
        measured = f"{_short(self.yardstick)} {self.unit} {self.against}" if self.yardstick else ""
        ratio = f"{self.value / self.yardstick:.2f}×" if self.yardstick else ""
        return [self.name, f"{_short(self.value)} {self.unit}", measured, ratio, *self._judged()]

    def _judged(self) -> tuple[str, str]:
        if self.most is not None:
            return f"≤ {_short(self.most)}", "yes" if self.value <= self.most else "no"
        if self.least is not None:
            return f"≥ {_short(self.least)}", "yes" if self.value >= self.least else "no"
        return "", ""


def print_figures(title: str, figures: Sequence[Figure]) -> None:
    """Print the figures as one table."""
    header = ["measure", "value", "yardstick", "ratio", "target", "met"]
    print(f"\n{title}\n{format_table(header, [figure.cells() for figure in figures])}", flush=True)


def _short(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
