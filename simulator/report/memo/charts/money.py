"""Charts of the cost: the way from list price to bill, its parts, and when it is spent."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.engine import OptionFigures
from simulator.report.memo.charts.pieces import colour, labels, names_axis, plot, values, x_axis, y_axis
from simulator.report.memo.content import MemoContent
from simulator.report.memo.curves import Timeline
from simulator.report.memo.picture import (
    BLUE,
    GREEN,
    INK,
    MUTED,
    ORANGE,
    PALE,
    PURPLE,
    SKY,
    VERMILLION,
    YELLOW,
    Picture,
    Spec,
)
from simulator.report.memo.wording import Wording, plain

PARTS = {
    "rent_productive": BLUE,
    "rent_faults": VERMILLION,
    "rent_compiling": YELLOW,
    "unused_commitment": PURPLE,
    "sunk": INK,
    "labour": GREEN,
    "schedule": SKY,
    "other": PALE,
    "blocked": ORANGE,
}
"""Parts of the cost in the order in which they are stacked, and their colours."""

LABEL = 175  # of the longest label, in pixels
ROW = 24
SHOWN_OPTIONS = 10


def waterfall(content: MemoContent, words: Wording) -> Iterator[Picture]:
    """From the list price at peak speed to the total cost: each candidate below the baseline."""
    study, result = content.study, content.result
    for name in study.options:
        if name == study.baseline:
            continue
        both = {each: result.options[each] for each in (study.baseline, name)}
        keys = [key for key in both[name].waterfall if _counts(key, both)]
        start = max(each.waterfall["list_at_peak"].value for each in both.values())
        unit, scale = words.scale(max(start, *(each.tco.mean.value for each in both.values())))
        yield Picture(
            key=f"waterfall-{list(study.options).index(name)}",
            title=words(
                "chart.waterfall",
                option=study.options[name].label,
                start=words.money(both[name].waterfall["list_at_peak"]),
                end=words.money(both[name].tco.mean),
            ),
            alt=words("chart.waterfall_alt"),
            head=(words("table.step"), *(study.options[each].label for each in both)),
            rows=(
                *((words(f"step.{key}"), *(words.signed(o.waterfall[key]) for o in both.values())) for key in keys),
                (words("step.total"), *(words.money(o.tco.mean) for o in both.values())),
            ),
            spec=_waterfall(content, both, keys, unit, scale, words),
        )


def _counts(key: str, both: dict[str, OptionFigures]) -> bool:
    """Whether a step would be seen; the first always is."""
    return key == "list_at_peak" or any(
        abs(each.waterfall[key].value) >= 5e-4 * abs(each.tco.mean.value) for each in both.values()
    )


def _waterfall(
    content: MemoContent, both: dict[str, OptionFigures], keys: list[str], unit: str, scale: float, words: Wording
) -> Spec:
    order = [words(f"step.{key}") for key in keys] + [words("step.total")]
    kinds = [words("mark.running"), words("mark.adds"), words("mark.saves")]
    most = max(sum(max(each.waterfall[key].value, 0) for key in keys) for each in both.values()) / scale
    panels: list[Spec] = []
    for name, each in both.items():
        rows, total = [], 0.0
        for key in keys:
            step = each.waterfall[key].value / scale
            kind = kinds[0] if key == "list_at_peak" else kinds[1] if step >= 0 else kinds[2]
            rows.append(_bar(words(f"step.{key}"), total, total + step, kind, most))
            total += step
        rows.append(_bar(order[-1], 0.0, each.tco.mean.value / scale, kinds[0], most))
        x = x_axis("from", words("axis.cost", unit=unit), [0, most * 1.18])
        base: Spec = {"x": x, "y": names_axis("step", order, LABEL)}
        panels.append(
            plot(
                {
                    "title": {"text": content.study.options[name].label, "fontSize": 12, "fontWeight": "normal",
                              "offset": 6, "limit": 400, "anchor": "start", "color": INK},
                    "data": values(rows),
                    "layer": [
                        {
                            "mark": {"type": "bar", "height": 13},
                            "encoding": base
                            | {
                                "x2": {"field": "to"},
                                "color": {
                                    "field": "kind",
                                    "type": "nominal",
                                    "scale": {"domain": kinds, "range": [MUTED, VERMILLION, GREEN]},
                                    "legend": {"title": None, "orient": "bottom", "columns": 3},
                                },
                            },
                        },
                        {
                            "mark": {"type": "text", "align": "left", "dx": 4},
                            "encoding": base | {"x": x | {"field": "end"}, "text": {"field": "text"}},
                        },
                    ],
                },
                len(order) * 21,
                LABEL + 20,
            )
        )  # fmt: skip
    return {"vconcat": panels, "spacing": 16, "resolve": {"scale": {"color": "shared"}}}


def _bar(step: str, start: float, end: float, kind: str, most: float) -> dict[str, object]:
    size = end - start
    sign = "" if start == 0.0 else "+" if size >= 0 else "\N{MINUS SIGN}"
    text = sign + plain(abs(size), 2 if abs(size) < 10 else 3) if abs(size) > 5e-4 * most else ""
    return {"step": step, "from": start, "to": end, "end": max(start, end), "kind": kind, "text": text}


def components(content: MemoContent, words: Wording) -> Iterator[Picture]:
    """Mean cost of the options side by side, by part."""
    study, result, named = content.study, content.result, labels(content.study)
    shown = list(study.options)[:SHOWN_OPTIONS]
    found = result.options
    keys = [key for key in PARTS if any(_seen(found[name], key) for name in study.options)]
    unit, scale = words.scale(max(each.tco.mean.value for each in found.values()))
    leading = found[content.leading]
    largest = max(keys, key=lambda key: leading.components[key].value)
    part = leading.components[largest].value / leading.tco.mean.value
    rows = [
        {
            "option": named[name],
            "part": words(f"part.{key}"),
            "value": found[name].components[key].value / scale,
            "place": i,
        }
        for name in shown
        for i, key in enumerate(keys)
    ]
    spec = plot(
        {
            "data": values(rows),
            "mark": {"type": "bar", "height": 20},
            "encoding": {
                "x": {**x_axis("value", words("axis.cost", unit=unit)), "aggregate": "sum"},
                "y": names_axis("option", [named[name] for name in shown], LABEL),
                "color": {
                    "field": "part",
                    "type": "nominal",
                    "scale": {
                        "domain": [words(f"part.{key}") for key in keys],
                        "range": [PARTS[key] for key in keys],
                    },
                    "legend": {"title": None, "orient": "bottom", "columns": 1, "symbolType": "square"},
                },
                "order": {"field": "place", "type": "quantitative"},
            },
        },
        34 * len(shown),
        LABEL + 20,
    )  # fmt: skip
    yield Picture(
        key="components",
        title=words(
            "chart.components",
            option=study.options[content.leading].label,
            part=words(f"part.{largest}"),
            share=words.percent(round(part, 2)).replace(".0", ""),
        ),
        alt=words("chart.components_alt"),
        head=(words("table.part"), *(option.label for option in study.options.values())),
        rows=(
            *((words(f"part.{key}"), *(words.signed(o.components[key]) for o in found.values())) for key in keys),
            (words("part.total"), *(words.money(o.tco.mean) for o in found.values())),
        ),
        spec=spec,
        note=words.first(len(shown), len(study.options)),
    )


def _seen(option: OptionFigures, key: str) -> bool:
    return abs(option.components[key].value) >= 5e-4 * abs(option.tco.mean.value)


def timeline(content: MemoContent, words: Wording) -> Iterator[Picture]:
    """Money spent up to each week: the baseline and the leading candidate."""
    study, named = content.study, labels(content.study)
    by_name = {each.option: each for each in content.curves.timeline}
    stay, move = by_name[study.baseline], by_name[content.leading]
    unit, scale = words.scale(max(max(each.p95) for each in (stay, move)))
    layers: list[Spec] = []
    domain, hues = [], []
    for each in (stay, move):
        label, hue = named[each.option], colour(study, each.option)
        domain.append(label)
        hues.append(hue)
        rows = [
            {"week": week, "mean": mean / scale, "low": low / scale, "high": high / scale, "option": label}
            for week, mean, low, high in zip(each.weeks, each.mean, each.p05, each.p95, strict=True)
        ]
        x = x_axis("week", words("axis.weeks"), [0, each.weeks[-1]])
        y = y_axis("low", words("axis.spent", unit=unit))
        layers.append(
            {"data": values(rows), "mark": {"type": "area", "opacity": 0.2, "color": hue},
             "encoding": {"x": x, "y": y, "y2": {"field": "high"}}}
        )  # fmt: skip
        layers.append(
            {
                "data": values(rows),
                "mark": {"type": "line", "strokeWidth": 2.5},
                "encoding": {
                    "x": x,
                    "y": y | {"field": "mean"},
                    "color": {"field": "option", "type": "nominal", "scale": {"domain": domain, "range": hues},
                              "legend": {"title": None, "orient": "bottom", "columns": 1, "symbolType": "stroke"}},
                },
            }
        )  # fmt: skip
    for layer in layers[1::2]:
        layer["encoding"]["color"]["scale"] = {"domain": domain, "range": hues}
    whole = [i for i, week in enumerate(stay.weeks) if float(week).is_integer()]
    middle = min(whole, key=lambda i: abs(stay.weeks[i] - stay.weeks[-1] / 4))
    yield Picture(
        key="timeline",
        title=words(
            "chart.timeline",
            option=study.options[content.leading].label,
            other=study.options[study.baseline].label,
            week=f"{stay.weeks[middle]:.3g}",
            money=words.money(move.mean[middle], 2),
            money_other=words.money(stay.mean[middle], 2),
        ),
        alt=words("chart.timeline_alt"),
        head=(words("table.week"), *(study.options[each].label for each in by_name)),
        rows=tuple(_weeks(by_name, words)),
        spec=plot({"layer": layers}, 210),
        note=words("chart.timeline_note"),
    )


def _weeks(by_name: dict[str, Timeline], words: Wording) -> Iterator[tuple[str, ...]]:
    first = next(iter(by_name.values()))
    for i in range(0, len(first.weeks), max(1, len(first.weeks) // 12)):
        yield f"{first.weeks[i]:.3g}", *(words.money(each.mean[i], 2) for each in by_name.values())
