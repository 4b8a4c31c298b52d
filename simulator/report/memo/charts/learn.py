"""Charts of what measuring is worth, and of what it taught."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.report.memo.charts.pieces import plot, rule, values, x_axis, y_axis
from simulator.report.memo.content import Calibration, Moved, PocPlan
from simulator.report.memo.picture import BLUE, INK, MUTED, ORANGE, PALE, Picture, Spec
from simulator.report.memo.wording import Wording

SHOWN_INPUTS = 12


def poc(plan: PocPlan, words: Wording) -> Iterator[Picture]:
    """Worth, cost and net worth of a proof of concept by its size."""
    if not plan.sizes:
        return
    unit, scale = words.scale(max(max(abs(s.evsi.value), abs(s.cost), abs(s.enbs.value)) for s in plan.sizes))
    names = [words("mark.evsi"), words("mark.poc_cost"), words("mark.enbs")]
    rows = [
        {"runs": size.runs, "amount": amount / scale, "what": what}
        for size in plan.sizes
        for what, amount in zip(names, (size.evsi.value, size.cost, size.enbs.value), strict=True)
    ]
    lines: Spec = {
        "data": values(rows),
        "mark": {"type": "line", "strokeWidth": 2.5, "point": {"size": 35}},
        "encoding": {
            "x": x_axis("runs", words("axis.runs")) | {"scale": {"zero": False}},
            "y": y_axis("amount", words("axis.money", unit=unit)),
            "color": {
                "field": "what",
                "type": "nominal",
                "scale": {"domain": names, "range": [MUTED, ORANGE, BLUE]},
                "legend": {"title": None, "orient": "bottom", "symbolType": "stroke"},
            },
            "strokeDash": {
                "field": "what",
                "type": "nominal",
                "scale": {"domain": names, "range": [[1, 0], [5, 3], [1, 0]]},
                "legend": None,
            },
        },
    }
    layers = [rule("y", 0.0, None, INK), lines]
    if plan.best is not None:
        runs = [size.runs for size in plan.sizes]
        late = plan.best.runs > runs[0] + 0.7 * (runs[-1] - runs[0])
        layers.insert(0, rule("x", plan.best.runs, words("mark.best"), INK, near_end=late))
    title = (
        words("chart.poc_pays", runs=words.runs(plan.best.runs), enbs=words.money(plan.best.enbs))
        if plan.best
        else words("chart.poc_fails")
    )
    yield Picture(
        key="poc",
        title=title,
        alt=words("chart.poc_alt"),
        head=tuple(words(f"table.{key}") for key in ("runs", "worth", "costs", "net")),
        rows=tuple(
            (str(size.runs), words.money(size.evsi), words.money(size.cost), words.signed(size.enbs))
            for size in plan.sizes
        ),
        spec=plot({"layer": layers}, 210),
    )


def posterior(found: Calibration, words: Wording) -> Iterator[Picture]:
    """Each input's range before and after the evidence, on its own scale."""
    if not found.inputs:
        return
    shown = found.inputs[:SHOWN_INPUTS]
    names = (words("mark.prior"), words("mark.posterior"))
    panels = [_panel(each, names, words, last=i == len(shown) - 1) for i, each in enumerate(shown)]
    most = max(found.inputs, key=_shift)
    yield Picture(
        key="posterior",
        title=words(
            "chart.posterior",
            input=words.input(most.input),
            before=words.with_unit(most.prior.p50, most.unit),
            after=words.with_unit(most.posterior.p50, most.unit),
        ),
        alt=words("chart.posterior_alt"),
        head=(words("table.input"), *names, words("table.conflict")),
        rows=tuple(
            (words.input(each.input), *(_range(each, after, words) for after in (False, True)), _agreement(each, words))
            for each in found.inputs
        ),
        spec={"vconcat": panels, "spacing": 12, "resolve": {"scale": {"color": "independent"}}},
        note=words.sentences(words("chart.posterior_note"), words.first(len(shown), len(found.inputs))),
    )


def _shift(each: Moved) -> float:
    """How far the median went, in widths of the prior."""
    width = each.prior.p95 - each.prior.p05
    return abs(each.posterior.p50 - each.prior.p50) / width if width > 0 else 0.0


def _range(each: Moved, after: bool, words: Wording) -> str:
    belief = each.posterior if after else each.prior
    low, middle, high = (words.with_unit(x, each.unit) for x in (belief.p05, belief.p50, belief.p95))
    return words("compare.spread", median=middle, low=low, high=high)


def _agreement(each: Moved, words: Wording) -> str:
    if each.conflict is None:
        return words("number.none")
    if each.conflict < 0.01:
        return words("poc.conflict", p=f"{each.conflict:.1g}")
    return words("poc.agrees")


def _panel(each: Moved, names: tuple[str, str], words: Wording, *, last: bool) -> Spec:
    share = 100 if each.unit in {"share", "probability"} else 1
    rows = [
        {"what": name, "low": share * b.p05, "middle": share * b.p50, "high": share * b.p95, "place": i}
        for i, (name, b) in enumerate(zip(names, (each.prior, each.posterior), strict=True))
    ]
    unit = "%" if share == 100 else words.unit(each.unit)
    x = x_axis("low", "") | {"scale": {"zero": False}}
    x["axis"] |= {"title": None, "tickCount": 5}
    y: Spec = {"field": "what", "type": "nominal", "sort": list(names), "axis": None}
    hue: Spec = {
        "field": "what",
        "type": "nominal",
        "scale": {"domain": list(names), "range": [PALE, BLUE]},
        "legend": {"title": None, "orient": "bottom"} if last else None,
    }
    title = {"text": words("axis.input", input=words.input(each.input), unit=unit), "fontSize": 12,
             "fontWeight": "normal", "offset": 4, "anchor": "start", "limit": 400, "color": INK}  # fmt: skip
    return plot(
        {
            "title": title,
            "data": values(rows),
            "layer": [
                {
                    "mark": {"type": "bar", "height": 8},
                    "encoding": {"y": y, "x": x, "x2": {"field": "high"}, "color": hue},
                },
                {
                    "mark": {"type": "tick", "color": INK, "thickness": 2, "size": 14},
                    "encoding": {"y": y, "x": x | {"field": "middle"}},
                },
            ],
        },
        34,
        24,
    )
