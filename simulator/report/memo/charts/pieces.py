"""Pieces of Vega-Lite that the charts share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.report.memo.picture import CANDIDATES, MUTED, WIDTH, Spec
from simulator.study import Study

FORMAT = ",.6~g"  # plain numbers up to a million, thousands grouped
MARGIN = 74  # of the axis of ordinates and its title


def colour(study: Study, option: str) -> str:
    """An option's colour: grey for staying, the others in file order."""
    if option == study.baseline:
        return MUTED
    others = [name for name in study.options if name != study.baseline]
    return CANDIDATES[others.index(option) % len(CANDIDATES)]


def labels(study: Study) -> dict[str, str]:
    """Labels of the options, made different where two are alike: a chart would draw them as one."""
    found = [option.label for option in study.options.values()]
    return {
        name: option.label if found.count(option.label) == 1 else f"{name}: {option.label}"
        for name, option in study.options.items()
    }


def plot(spec: Spec, height: int, left: int = MARGIN) -> Spec:
    """A chart of the memo's width."""
    return {"width": WIDTH - left, "height": height, **spec}


def values(rows: Sequence[Mapping[str, Any]]) -> Spec:
    """Rows as inline data."""
    return {"values": list(rows)}


def x_axis(field: str, title: str, domain: Sequence[float] | None = None, *, grid: bool = True) -> Spec:
    """A quantitative axis below."""
    axis: Spec = {"title": title, "grid": grid, "tickCount": 6, "labelOverlap": True, "format": FORMAT}
    found: Spec = {"field": field, "type": "quantitative", "axis": axis}
    if domain is not None:
        found["scale"] = {"domain": list(domain), "nice": False}
    return found


def y_axis(field: str, title: str, domain: Sequence[float] | None = None, *, grid: bool = True) -> Spec:
    """A quantitative axis at the left; `minExtent` keeps charts of one width aligned."""
    axis: Spec = {"title": title, "grid": grid, "tickCount": 5, "format": FORMAT, "minExtent": 30}
    found: Spec = {"field": field, "type": "quantitative", "axis": axis}
    if domain is not None:
        found["scale"] = {"domain": list(domain), "nice": False}
    return found


def names_axis(field: str, order: Sequence[str], limit: int = 150) -> Spec:
    """A row a name, in the given order."""
    axis: Spec = {"title": None, "labelLimit": limit, "ticks": False, "domain": False, "labelPadding": 6}
    return {"field": field, "type": "nominal", "sort": list(order), "axis": axis}


def line(rows: Sequence[Mapping[str, Any]], hue: str, *, points: bool = False, smooth: bool = False) -> Spec:
    """A curve; its encoding is the caller's. `smooth` draws it without corners and without new turns."""
    mark: Spec = {"type": "line", "color": hue, "strokeWidth": 2.5, "interpolate": "monotone" if smooth else "linear"}
    if points:
        mark["point"] = {"color": hue, "size": 30}
    return {"data": values(rows), "mark": mark}


def rule(channel: str, place: float, name: str | None, hue: str, *, near_end: bool = False) -> Spec:
    """A line across the chart at a place, with its name at the top; `near_end` writes the name before the line."""
    encoding = {channel: {"field": "at", "type": "quantitative", "scale": {"zero": False}}}
    mark: Spec = {"type": "rule", "color": hue, "strokeWidth": 1.5}
    drawn: Spec = {"data": values([{"at": place, "name": name or ""}]), "encoding": encoding}
    if name is None:
        return drawn | {"mark": mark}
    text: Spec = {"type": "text", "align": "right" if near_end else "left", "dx": -5 if near_end else 5, "color": hue}
    label = {"mark": text | {"baseline": "top", "dy": 2}, "encoding": {"y": {"value": 0}, "text": {"field": "name"}}}
    return drawn | {"layer": [{"mark": mark}, label]}
