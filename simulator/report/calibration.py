"""What a calibration taught, on a terminal at 80 columns, and its charts as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from simulator.inputs.warped import NODES, nodes
from simulator.report.console import paragraph
from simulator.report.figures import figure
from simulator.report.numbers import money, per_cent

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from simulator.calibration.calibrate import Calibration, Moved
    from simulator.inputs import Distribution

Floats = NDArray[np.float64]

WIDTH: Final = 36
EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
PLAIN: Final = " .:-=+*#@"
LITTLE: Final = 0.8
"""Share of the posterior that is still prior above which little was learned."""
STILL: Final = 0.02
"""Prior scores by which an input that was not measured must have moved to be shown."""
MOST: Final = 5
MIDDLE: Final = slice(NODES // 4, -NODES // 4)
"""Nodes of a bend within four sds."""


def show_calibration(calibration: Calibration, console: Console) -> None:
    """Print what was learned, from what, what it changed, and what is left."""
    width = min(console.width, 100)
    shades = EIGHTHS if console.encoding.startswith("utf") else PLAIN
    for part in _parts(calibration, width, shades):
        console.print(part)


def _parts(calibration: Calibration, width: int, shades: str) -> Iterator[RenderableType]:
    from rich.text import Text

    yield paragraph(calibration.study.title, width, style="bold")
    yield Text("\nWhat was measured: the 5, 50 and 95 % points before and after", "bold")
    for fit in calibration.fits:
        for name, bend in zip(fit.group.names, fit.bends, strict=True):
            if name in fit.group.measured or np.abs(bend - nodes())[MIDDLE].max() > STILL:
                yield from _input(calibration, name, width, shades)
    yield Text("\nWhat it changes", "bold")
    yield from _effect(calibration, width)
    if calibration.moved_by:
        yield Text("\nWhich evidence did it: the figures without it", "bold")
        yield from _moved(calibration, width)
    yield Text("\nWhat is left to learn", "bold")
    yield paragraph(_left(calibration), width, 2)
    yield from _told(calibration, width)


def _input(calibration: Calibration, name: str, width: int, shades: str) -> Iterator[RenderableType]:
    prior, posterior = calibration.prior(name), calibration.posterior(name)
    unit = calibration.study.inputs[name].unit
    own = [e for fit in calibration.fits for e in fit.group.observations if name == e.quantity.inputs[0]]
    yield paragraph(f"\n{name}, {unit}" + ("" if own else " (not measured: it moves with what was)"), width, 2)
    for each in own:
        yield paragraph(each.label, width, 6, "dim", hang=2)
    low, high = _range(prior, posterior)
    for label, law in (("before", prior), ("after", posterior)):
        quantiles = "".join(f"{figure(float(x)):>9}" for x in law.ppf(np.array([0.05, 0.5, 0.95])))
        yield f"    {label:<7}{quantiles}  {sparkline(law, low, high, shades)}"
    for found in calibration.diagnoses:
        if name in found:
            yield paragraph(_learned(prior, posterior, found[name].prior_share), width, 4, "dim")


def _learned(prior: Distribution, posterior: Distribution, prior_share: float) -> str:
    ratio = _spread(posterior) / _spread(prior) if _spread(prior) > 0 else 1.0
    words = f"range {ratio:.0%} of what it was; {min(prior_share, 1.0):.0%} of the posterior is still prior"
    return f"little was learned: {words}" if prior_share > LITTLE else words


def _spread(law: Distribution) -> float:
    low, high = law.ppf(np.array([0.05, 0.95]))
    return float(high - low)


def _range(prior: Distribution, posterior: Distribution) -> tuple[float, float]:
    ends = [law.ppf(np.array([0.005, 0.99])) for law in (prior, posterior)]
    return float(min(each[0] for each in ends)), float(max(each[1] for each in ends))


def densities(law: Distribution, low: float, high: float, cells: int) -> tuple[Floats, Floats]:
    """Middles of equal cells between two values, and the probability of each."""
    edges = np.linspace(low, high, cells + 1)
    return (edges[1:] + edges[:-1]) / 2, np.diff(law.cdf(edges))


def sparkline(law: Distribution, low: float, high: float, shades: str = EIGHTHS) -> str:
    """A law's density between two values in one line of characters."""
    _, share = densities(law, low, high, WIDTH)
    level = np.ceil(share / max(share.max(), 1e-12) * (len(shades) - 1) - 0.02).astype(int)
    return "".join(shades[each] for each in np.clip(level, 0, len(shades) - 1)).rstrip()


def _effect(calibration: Calibration, width: int) -> Iterator[RenderableType]:
    study = calibration.study
    for name, after in calibration.after.options.items():
        before = calibration.before.options[name]
        if before.p_beats is None or after.p_beats is None:
            continue
        stay, move = study.options[study.baseline].label, study.options[name].label
        now, then = (_saving(each.saving.mean, study.currency) for each in (after, before))
        yield paragraph(
            f"{move}: beats {stay} in {per_cent(after.p_beats)} of the cases, before {per_cent(before.p_beats)}; "
            f"mean saving {now}, before {then}",
            width, 2, hang=2,
        )  # fmt: skip


def _saving(figure: Any, currency: str) -> str:
    return ("-" if figure.value < 0 else "") + money(figure, currency)


def _moved(calibration: Calibration, width: int) -> Iterator[RenderableType]:
    several = len(calibration.study.options) > 2
    for each in calibration.moved_by:
        now = calibration.after.options[each.option]
        if now.p_beats is None:
            continue
        yield paragraph(
            f"{each.evidence}{f' ({each.option})' * several}: {_without(each, now.p_beats.value)}", width, 2, hang=2
        )


def _without(each: Moved, now: float) -> str:
    change = now - each.p_beats
    if abs(change) < 0.005:
        return f"hardly anything; P(beats) would be {each.p_beats:.1%}"
    return f"P(beats) would be {each.p_beats:.1%}; it {'raised' if change > 0 else 'lowered'} it by {abs(change):.1%}"


def _left(calibration: Calibration) -> str:
    shares = [f"{name} {share:.0%}" for name, share in calibration.unknown[:MOST] if share >= 0.01]
    if not shares:
        return "Nothing that is uncertain moves the saving much."
    return f"Share of the saving's spread, by squared rank correlation: {', '.join(shares)}."


def _told(calibration: Calibration, width: int) -> Iterator[RenderableType]:
    from rich.text import Text

    for title, lines, style in (
        ("\nNot used", calibration.problems, "bold red"),
        ("\nTo know", [*calibration.warnings, *(n for each in calibration.notes.values() for n in each)], "yellow"),
    ):
        if lines:
            yield Text(title, style)
        for line in lines:
            yield paragraph(f"- {line}", width, 2, hang=2)
    kept = f"; {calibration.kept} of {len(calibration.fits)} fits were in the file already" if calibration.kept else ""
    yield paragraph(
        f"\n{calibration.path} holds the posterior{kept}. `simulate {calibration.study.path}` answers with it, "
        "`--prior-only` without; az.from_netcdf of ArviZ opens it.", width, style="dim",
    )  # fmt: skip


def write_charts(calibration: Calibration, folder: Path) -> list[Path]:
    """An SVG of each learned input's prior and posterior, in a folder that is made where it is missing."""
    from vl_convert import vegalite_to_svg

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for fit in calibration.fits:
        for name in fit.group.names:
            path = folder / f"{name}.svg"
            path.write_text(vegalite_to_svg(chart(calibration, name), vl_version="5.20"), encoding="utf-8")
            written.append(path)
    return written


def chart(calibration: Calibration, name: str) -> dict[str, Any]:
    """Prior and posterior of an input as a Vega-Lite document."""
    from simulator.report.memo.picture import BLUE, CONFIG, MUTED

    prior, posterior = calibration.prior(name), calibration.posterior(name)
    low, high = _range(prior, posterior)
    rows = []
    for label, law in (("before", prior), ("after", posterior)):
        x, share = densities(law, low, high, 160)
        density = share / (x[1] - x[0])
        rows += [{"x": float(a), "density": float(d), "law": label} for a, d in zip(x, density, strict=True)]
    unit = calibration.study.inputs[name].unit
    colour = {"field": "law", "title": None, "scale": {"domain": ["before", "after"], "range": [MUTED, BLUE]}}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "config": CONFIG,
        "title": f"{name} before and after the PoC",
        "width": 420,
        "height": 180,
        "data": {"values": rows},
        "mark": {"type": "area", "line": True, "opacity": 0.35, "interpolate": "monotone"},
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "title": unit, "scale": {"domain": [low, high], "nice": False}},
            "y": {"field": "density", "type": "quantitative", "title": "density", "stack": None},
            "color": colour,
        },
    }
