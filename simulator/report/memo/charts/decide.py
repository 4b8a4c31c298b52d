"""Charts of what decides it: drivers, break-even, scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from simulator.engine import CaseFigures, OptionFigures
from simulator.report.memo.charts.pieces import FORMAT, line, names_axis, plot, rule, values, x_axis, y_axis
from simulator.report.memo.content import BreakEven, Drivers, Map, MemoContent, Trade
from simulator.report.memo.picture import BLUE, INK, MUTED, ORANGE, PALE, Picture, Spec
from simulator.report.memo.wording import Wording

SHOWN_DRIVERS = 12
SHOWN_SCENARIOS = 20
LABEL = 150
FULL_COLOUR = 0.8  # of the map: beyond this quantile of the amounts the colour is full
BLACK = "#000000"  # on a map that is as light in a dark page


def tornado(drivers: Drivers, words: Wording) -> Iterator[Picture]:
    """Expected saving with each input at its 10 and its 90 % point."""
    if not drivers.inputs:
        return
    widest = sorted(drivers.inputs, key=lambda each: -abs(each.saving_high - each.saving_low))
    shown = widest[:SHOWN_DRIVERS]
    unit, scale = words.scale(max(abs(x) for each in shown for x in (each.saving_low, each.saving_high)))
    ends = (words("mark.low_end"), words("mark.high_end"))
    rows = [
        {"input": words.input(each.input), "from": drivers.saving / scale, "to": saving / scale, "end": end}
        for each in shown
        for end, saving in zip(ends, (each.saving_low, each.saving_high), strict=True)
    ]
    bars: Spec = {
        "data": values(rows),
        "mark": {"type": "bar", "height": 14},
        "encoding": {
            "x": x_axis("from", words("axis.expected_saving", unit=unit)) | {"scale": {"zero": False}},
            "x2": {"field": "to"},
            "y": names_axis("input", [words.input(each.input) for each in shown], LABEL + 45),
            "color": {
                "field": "end",
                "type": "nominal",
                "scale": {"domain": list(ends), "range": [ORANGE, BLUE]},
                "legend": {"title": None, "orient": "bottom", "columns": 2},
            },
        },
    }
    first = shown[0]
    low, high = sorted((first.saving_low, first.saving_high))
    yield Picture(
        key="tornado",
        title=words(
            "chart.tornado", input=words.input(first.input), low=words.signed(low, 2), high=words.signed(high, 2)
        ),
        alt=words("chart.tornado_alt"),
        head=tuple(words(f"table.{key}") for key in ("input", "p10", "saving_p10", "p90", "saving_p90", "evppi")),
        rows=tuple(
            (
                words.input(each.input),
                words.with_unit(each.low, each.unit),
                words.signed(each.saving_low, 3),
                words.with_unit(each.high, each.unit),
                words.signed(each.saving_high, 3),
                words("number.none") if each.evppi is None else words.money(each.evppi),
            )
            for each in widest
        ),
        spec=plot({"layer": [bars, rule("x", drivers.saving / scale, None, INK)]}, 26 * len(shown), LABEL + 65),
        note=words.first(len(shown), len(drivers.inputs)),
    )


def break_even(content: MemoContent, found: BreakEven, words: Wording) -> Iterator[Picture]:
    """The curve over one input and the map over two, where there are any."""
    if found.trade is not None:
        told = (each.flips for each in found.thresholds if each.input == found.trade.input)
        yield _trade(found.trade, next(told, ()) or _flips(found.trade), words)
    if found.map is not None:
        yield _map(content, found.map, words)


def _flips(trade: Trade) -> list[float]:
    """Places at which the curve crosses zero, linearly between its points, where nobody looked closer."""
    pairs = pairwise(zip(trade.x, trade.gain, strict=True))
    return [a + (b - a) * ga / (ga - gb) for (a, ga), (b, gb) in pairs if (ga > 0) != (gb > 0)]


def _trade(trade: Trade, flips: Sequence[float], words: Wording) -> Picture:
    unit, scale = words.scale(max(map(abs, trade.gain)))
    share = 100 if trade.unit == "share" else 1
    rows = [{"x": share * x, "g": g / scale} for x, g in zip(trade.x, trade.gain, strict=True)]
    name = words.input(trade.input)
    axis_unit = "%" if trade.unit == "share" else words.unit(trade.unit)
    ends = sorted(share * x for x in trade.x)

    def late(place: float) -> bool:
        return share * place > ends[0] + 0.7 * (ends[-1] - ends[0])

    marks: Spec = {
        "data": values([{"x": share * x, "g": 0.0} for x in flips]),
        "mark": {"type": "point", "filled": True, "size": 90, "color": INK},
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "scale": {"zero": False}},
            "y": {"field": "g", "type": "quantitative"},
        },
    }
    curve = line(rows, BLUE, smooth=True) | {
        "encoding": {
            "x": x_axis("x", words("axis.input", input=name, unit=axis_unit), (ends[0], ends[-1])),
            "y": y_axis("g", words("axis.gain", unit=unit)),
        }
    }
    now = rule("x", share * trade.now, words("mark.today"), MUTED, near_end=late(trade.now))
    title = (
        words(
            "chart.trade_flips",
            input=name,
            flip=words("number.comma").join(words.with_unit(x, trade.unit) for x in flips),
            now=words.with_unit(trade.now, trade.unit),
        )
        if flips
        else words("chart.trade_never", input=name)
    )
    step = max(1, (len(trade.x) - 1) // 10)
    return Picture(
        key="break-even",
        title=title,
        alt=words("chart.trade_alt"),
        head=(name, words("axis.gain", unit=words.scale(0)[0])),
        rows=tuple(
            (words.with_unit(x, trade.unit), words.signed(g, 3))
            for x, g in list(zip(trade.x, trade.gain, strict=True))[::step]
        ),
        spec=plot({"layer": [rule("y", 0.0, None, MUTED), now, curve, marks]}, 200),
    )


def _map(content: MemoContent, found: Map, words: Wording) -> Picture:
    sx, sy = (100 if unit == "share" else 1 for unit in (found.x_unit, found.y_unit))
    unit, scale = words.scale(max(abs(g) for row in found.gain for g in row))
    width, height = found.x[1] - found.x[0], found.y[1] - found.y[0]
    over = 0.54  # of a cell's size: neighbours overlap a little, so that no seam shows between them
    cells = [
        {"x": sx * (x - over * width), "x2": sx * (x + over * width), "y": sy * (y - over * height),
         "y2": sy * (y + over * height), "g": g / scale}
        for y, row in zip(found.y, found.gain, strict=True) for x, g in zip(found.x, row, strict=True)
    ]  # fmt: skip
    most = float(np.quantile([abs(cell["g"]) for cell in cells], FULL_COLOUR)) or 1.0
    names = [
        words("axis.input", input=words.input(name), unit="%" if u == "share" else words.unit(u))
        for name, u in ((found.x_input, found.x_unit), (found.y_input, found.y_unit))
    ]
    heat: Spec = {
        "data": values(cells),
        "mark": {"type": "rect", "clip": True},
        "encoding": {
            "x": x_axis("x", names[0], (sx * found.x[0], sx * found.x[-1]), grid=False),
            "x2": {"field": "x2"},
            "y": y_axis("y", names[1], (sy * found.y[0], sy * found.y[-1]), grid=False),
            "y2": {"field": "y2"},
            "color": {
                "field": "g",
                "type": "quantitative",
                "scale": {"domain": [-most, 0, most], "clamp": True, "range": [ORANGE, "#f7f7f7", BLUE]},
                "legend": {"title": words("axis.gain", unit=unit), "orient": "bottom", "gradientLength": 300,
                           "titleLimit": 380, "format": FORMAT},
            },
        },
    }  # fmt: skip
    now: Spec = {
        "data": values([{"x": sx * found.now[0], "y": sy * found.now[1], "name": words("mark.today")}]),
        "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}},
        "layer": [
            {"mark": {"type": "point", "filled": True, "size": 90, "color": BLACK}},
            {"mark": {"type": "text", "align": "left", "dx": 8, "color": BLACK},
             "encoding": {"text": {"field": "name"}}},
        ],
    }  # fmt: skip
    option = content.study.options[found.option].label
    few = max(1, (len(found.x) - 1) // 4)
    return Picture(
        key="break-even-map",
        title=words("chart.map", x=words.input(found.x_input), y=words.input(found.y_input), option=option),
        alt=words("chart.map_alt"),
        head=(
            f"{words.input(found.y_input)} \\ {words.input(found.x_input)}",
            *(words.with_unit(x, found.x_unit) for x in found.x[::few]),
        ),
        rows=tuple(
            (words.with_unit(y, found.y_unit), *(words.signed(g, 2) for g in row[::few]))
            for y, row in list(zip(found.y, found.gain, strict=True))[::few]
        ),
        spec=plot({"layer": [heat, _border(found, sx, sy), now]}, 230),
        note=words("chart.map_note"),
    )


def _border(found: Map, sx: float, sy: float) -> Spec:
    """The line on which the answer flips, found up each column linearly between the rows."""
    rows = []
    for j, x in enumerate(found.x):
        column = zip(found.y, (row[j] for row in found.gain), strict=True)
        for (a, ga), (b, gb) in pairwise(column):
            if (ga > 0) != (gb > 0):
                rows.append({"x": sx * x, "y": sy * (a + (b - a) * ga / (ga - gb))})
    place: Spec = {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}}
    mark = {"type": "point", "filled": True, "size": 9, "color": BLACK, "clip": True}
    return {"data": values(rows), "mark": mark, "encoding": place}


def scenarios(content: MemoContent, words: Wording) -> Iterator[Picture]:
    """The leading candidate's saving in every scenario."""
    result, name = content.result, content.leading
    found: dict[str, OptionFigures] = {words("table.as_given"): result.options[name]}
    cases = {key: case for key, case in result.scenarios.items() if name in case.options}
    found |= {key: case.options[name] for key, case in cases.items()}
    if len(found) < 2:
        return
    shown = list(found)[: SHOWN_SCENARIOS + 1]
    savings = {key: found[key].saving for key in shown}
    unit, scale = words.scale(max(max(abs(s.p05.value), abs(s.p95.value)) for s in savings.values()))
    rows = [
        {
            "scenario": key,
            **{q: getattr(each, q).value / scale for q in ("p05", "p25", "p75", "p95", "mean")},
            "beats": _per_cent(found[key]),
        }
        for key, each in savings.items()
    ]
    turned = sum(case.decision.best != result.decision.best for case in cases.values())
    y = names_axis("scenario", shown, LABEL)
    x = x_axis("p05", words("axis.saving", unit=unit))
    right = max(row["p95"] for row in rows)
    spec: Spec = {
        "data": values(rows),
        "layer": [
            rule("x", 0.0, None, MUTED),
            {"mark": {"type": "bar", "height": 3, "color": PALE}, "encoding": {"y": y, "x": x, "x2": {"field": "p95"}}},
            {
                "mark": {"type": "bar", "height": 10, "color": BLUE, "opacity": 0.55},
                "encoding": {"y": y, "x": x | {"field": "p25"}, "x2": {"field": "p75"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 60, "color": INK},
                "encoding": {"y": y, "x": x | {"field": "mean"}},
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 6},
                "encoding": {"y": y, "x": x | {"field": "p95"}, "text": {"field": "beats"}},
            },
            {"data": values([{"x": right * 1.22}]), "mark": {"type": "point", "opacity": 0},
             "encoding": {"x": {"field": "x", "type": "quantitative"}}},
        ],
    }  # fmt: skip
    yield Picture(
        key="scenarios",
        title=words(
            "chart.scenarios_flip" if turned else "chart.scenarios_same",
            count=turned,
            all=len(cases),
        ),
        alt=words("chart.scenarios_alt"),
        head=tuple(words(f"table.{key}") for key in ("scenario", "saving", "range", "beats", "choice")),
        rows=tuple(
            (
                key,
                words.signed(each.saving.mean),
                words("number.comma").join((words.signed(each.saving.p05), words.signed(each.saving.p95))),
                words("number.none") if each.p_beats is None else words.cases(each.p_beats),
                _best(content, cases.get(key)),
            )
            for key, each in found.items()
        ),
        spec=plot(spec, 27 * len(shown), LABEL + 20),
        note=words.sentences(words("chart.scenarios_note"), words.first(len(shown) - 1, len(found) - 1)),
    )


def _per_cent(option: OptionFigures) -> str:
    return "" if option.p_beats is None else f"{100 * option.p_beats.value:.0f} %"


def _best(content: MemoContent, case: CaseFigures | None) -> str:
    decision = content.result.decision if case is None else case.decision
    return content.study.options[decision.best].label
