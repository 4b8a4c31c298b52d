"""Tables and cells that the reports on a decision share: 80 columns, no digit that its error does not support."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from simulator.engine import Figure
from simulator.report.figures import figure
from simulator.report.numbers import money
from simulator.study import Study

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

WIDTH = 100  # lines are no longer, however wide the terminal


class Uncertain(Protocol):
    """A value with a standard error."""

    @property
    def value(self) -> float: ...
    @property
    def se(self) -> float: ...


def show(parts: Iterable[RenderableType], console: Console) -> None:
    """Print one part after the other."""
    for part in parts:
        console.print(part)


def section(title: str, *parts: RenderableType) -> Iterator[RenderableType]:
    """A heading and what stands below it."""
    from rich.text import Text

    yield ""
    yield Text(title, style="bold")
    yield from parts


def table(*columns: str) -> Table:
    """An empty table whose first column is on the left; a heading may have two lines."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False, padding=(0, 0, 0, 1), header_style="dim")
    for i, title in enumerate(columns):
        made.add_column(title, justify="left" if i == 0 else "right", no_wrap=i > 0, overflow="fold", vertical="bottom")
    return made


def error(estimate: Uncertain) -> Figure:
    """A value of information as a figure."""
    return Figure(estimate.value, estimate.se)


def told(found: Figure, digits: int = 3) -> Figure:
    """A figure to three significant digits or to the first digit of its error, as one without an error."""
    value = found.value
    if not math.isfinite(value) or value == 0:
        return Figure(value, 0.0)
    step = 10.0 ** (math.floor(math.log10(abs(value))) + 1 - digits)
    if found.mcse > 0:
        step = max(step, 10.0 ** math.floor(math.log10(2 * found.mcse)))
    return Figure(round(value / step) * step or 0.0, 0.0)


def words(found: Figure, currency: str) -> str:
    """An amount in a sentence, without its sign."""
    return money(told(found), currency)


def amount(found: Figure) -> str:
    """Money in thousands for a cell."""
    if not math.isfinite(found.value):
        return "n/a"
    value = told(found).value / 1e3
    decimals = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    if found.mcse > 0:
        decimals = min(decimals, max(0, -math.floor(math.log10(2 * found.mcse / 1e3))))
    text = f"{value:,.{decimals}f}"
    return text.removeprefix("-") if set(text) <= set("-0.,") else text


def share(found: Figure) -> str:
    """A share of something as a percentage for a cell, to a tenth at most."""
    decimals = 0 if found.mcse > 5e-3 else 1
    text = f"{100 * found.value:.{decimals}f} %"
    return text.removeprefix("-") if set(text) <= set("-0. %") else text


def noise(se: float) -> str:
    """A standard error in thousands for a cell."""
    return f"{se / 1e3:.2g}" if se >= 5 else "0.00"


def quantity(value: float, error: float = 0.0, digits: int = 3) -> str:
    """A value of an input for a cell, to the digits that its error supports."""
    return figure(told(Figure(value, error), digits).value, digits)


def listed(names: Sequence[str]) -> str:
    """a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def choice(study: Study, name: str) -> str:
    """An option as something to do."""
    label = study.options[name].label
    return f"stay on {label}" if name == study.baseline else f"switch to {label}"


def simulated(draws: int, seed: int) -> str:
    """How the figures were made."""
    return (
        f"{draws:,} draws in 16 independent sets, seed {seed}. The figures are as good as the priors: the simulation "
        "error says nothing about those."
    )
