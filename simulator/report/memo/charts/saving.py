"""Charts of the saving: exceedance, density with hurdle and claims, and P(beats) against hurdle and volume."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from simulator.report.memo.charts.pieces import colour, line, plot, rule, values, x_axis, y_axis
from simulator.report.memo.content import MemoContent
from simulator.report.memo.curves import Acceptability, Density
from simulator.report.memo.picture import INK, MUTED, Picture, Spec
from simulator.report.memo.wording import Wording

HEIGHT = 200
TABLE_ROWS = 11


def exceedance(content: MemoContent, words: Wording) -> Iterator[Picture]:
    """P(saving > x) of every candidate."""
    for curve in content.curves.exceedance:
        label = content.study.options[curve.option].label
        unit, scale = words.scale(max(map(abs, curve.x)))
        at_zero = _at(curve.x, curve.p, 0.0)
        wins = at_zero >= 0.5
        cases = words.cases(round(at_zero if wins else 1 - at_zero, 2))
        title = words("chart.exceedance" if wins else "chart.exceedance_loses", option=label, cases=cases)
        rows = [{"x": x / scale, "p": 100 * p} for x, p in zip(curve.x, curve.p, strict=True)]
        spec = plot(
            {
                "layer": [
                    rule("x", 0.0, words("mark.even"), MUTED, near_end=curve.x[-1] < -curve.x[0] / 3),
                    line(rows, colour(content.study, curve.option))
                    | {
                        "encoding": {
                            "x": x_axis("x", words("axis.saving", unit=unit), (rows[0]["x"], rows[-1]["x"])),
                            "y": y_axis("p", words("axis.cases_above"), [0, 100]),
                        }
                    },
                    _dot(0.0, 100 * at_zero),
                ]
            },
            HEIGHT,
        )  # fmt: skip
        yield Picture(
            key=f"exceedance-{_place(content, curve.option)}",
            title=title,
            alt=words("chart.exceedance_alt"),
            head=(words("table.saving_above"), words("table.probability")),
            rows=tuple(
                (words.signed(x, 2), f"{100 * p:.0f}") for x, p in _few(list(zip(curve.x, curve.p, strict=True)))
            ),
            spec=spec,
        )


def _dot(x: float, y: float) -> Spec:
    """A point on a curve."""
    place: Spec = {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}}
    mark = {"type": "point", "filled": True, "size": 70, "color": INK}
    return {"data": values([{"x": x, "y": y}]), "mark": mark, "encoding": place}


def density(content: MemoContent, words: Wording) -> Iterator[Picture]:
    """Histogram of the saving share, the hurdle and the claims on it."""
    for each in content.curves.density:
        figures = content.result.options[each.option].saving_share
        marks = [(content.study.hurdle, words("mark.hurdle"))]
        marks += [(claim.saving_share, claim.name) for claim in content.study.claims if claim.option == each.option]
        title = words(
            "chart.density",
            option=content.study.options[each.option].label,
            low=words.percent(round(figures.p25.value, 2)).replace(".0", ""),
            high=words.percent(round(figures.p75.value, 2)).replace(".0", ""),
        )
        beyond = words("chart.density_beyond", below=_per_hundred(each.below), above=_per_hundred(each.above))
        yield Picture(
            key=f"density-{_place(content, each.option)}",
            title=title,
            alt=words("chart.density_alt"),
            head=(words("table.share_between"), words("table.probability")),
            rows=tuple(_bins(each)),
            spec=_density(each, marks, colour(content.study, each.option), words),
            note=beyond if max(each.below, each.above) >= 0.0005 else "",
        )


def _per_hundred(share: float) -> str:
    return f"{100 * share:.2g}"


def _bins(each: Density) -> Iterator[tuple[str, str]]:
    """Neighbouring bins joined, so that a table has about as many rows as a reader looks at."""
    step = max(1, len(each.p) // TABLE_ROWS)
    for i in range(0, len(each.p), step):
        last = min(i + step, len(each.p))
        low, high = 100 * each.edges[i], 100 * each.edges[last]
        yield f"{low:.3g} – {high:.3g} %".replace("-", "\N{MINUS SIGN}"), f"{100 * sum(each.p[i:last]):.1f}"


def _density(each: Density, marks: Sequence[tuple[float, str]], hue: str, words: Wording) -> Spec:
    bars = [
        {"x": 100 * low, "x2": 100 * high, "p": 100 * p}
        for low, high, p in zip(each.edges[:-1], each.edges[1:], each.p, strict=True)
    ]
    most = max(row["p"] for row in bars)
    step = 0.11 * most
    top = most * 1.04 + step * len(marks)
    domain = [100 * each.edges[0], 100 * each.edges[-1]]
    # Names stand above each other on one side of their lines, ordered so that no line runs through a name.
    middle = sorted(place for place, _ in marks)[len(marks) // 2]
    left = 100 * middle > 0.5 * (domain[0] + domain[1])
    layers: list[Spec] = [
        {
            "data": values(bars),
            "mark": {"type": "bar", "color": hue, "binSpacing": 0.5},
            "encoding": {
                "x": x_axis("x", words("axis.saving_share"), domain) | {"bin": "binned"},
                "x2": {"field": "x2"},
                "y": y_axis("p", words("axis.cases"), [0, top]),
            },
        },
        _pole(0.0, most, 0.0, MUTED),
    ]
    for i, (place, name) in enumerate(sorted(marks, reverse=left)):
        height = top - step * (i + 0.5)
        hurdle = (place, name) == marks[0]
        at: Spec = {
            "x": {"field": "x", "type": "quantitative"},
            "y": {"field": "y", "type": "quantitative"},
        }
        data = values([{"x": 100 * place, "y": height, "end": 0, "name": f"{name} {words.share(place)}"}])
        layers.append(
            {
                "data": data,
                "mark": {"type": "rule", "color": INK, "strokeWidth": 2.5 if hurdle else 1.2,
                         "strokeDash": [1, 0] if hurdle else [4, 3]},
                "encoding": {**at, "y2": {"field": "end"}},
            }
        )  # fmt: skip
        layers.append(
            {
                "data": data,
                "mark": {"type": "text", "align": "right" if left else "left", "dx": -5 if left else 5,
                         "baseline": "middle", "limit": 220, "fontWeight": "bold" if hurdle else "normal"},
                "encoding": {**at, "text": {"field": "name"}},
            }
        )  # fmt: skip
    return plot({"layer": layers}, HEIGHT + 18 * len(marks))


def _pole(x: float, top: float, bottom: float, hue: str) -> Spec:
    """A line from the axis up to a height."""
    place: Spec = {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "top", "type": "quantitative"}}
    return {
        "data": values([{"x": x, "top": top, "bottom": bottom}]),
        "mark": {"type": "rule", "color": hue, "strokeWidth": 1.5},
        "encoding": place | {"y2": {"field": "bottom"}},
    }


def acceptability(content: MemoContent, words: Wording) -> Iterator[Picture]:
    """P(beats) against the hurdle and against the volume of work."""
    for each in content.curves.acceptability:
        yield _by_hurdle(content, each, words)
        if each.volumes:
            yield _by_volume(content, each, words)


def _by_hurdle(content: MemoContent, each: Acceptability, words: Wording) -> Picture:
    study = content.study
    p_beats = content.result.options[each.option].p_beats
    assert p_beats is not None, "only candidates have these curves"
    rows = [{"x": 100 * h, "p": 100 * p} for h, p in zip(each.hurdles, each.p_hurdle, strict=True)]
    spec = _curve(
        rows, colour(study, each.option), words("axis.hurdle"), words, 100 * study.hurdle, words("mark.hurdle")
    )
    return Picture(
        key=f"hurdle-{_place(content, each.option)}",
        title=words(
            "chart.accept_hurdle",
            option=study.options[each.option].label,
            hurdle=words.share(study.hurdle),
            cases=words.cases(p_beats),
        ),
        alt=words("chart.accept_hurdle_alt"),
        head=(words("table.hurdle"), words("table.probability")),
        rows=tuple(
            (words.percent(h), f"{100 * p:.0f}") for h, p in _few(list(zip(each.hurdles, each.p_hurdle, strict=True)))
        ),
        spec=spec,
    )


def _by_volume(content: MemoContent, each: Acceptability, words: Wording) -> Picture:
    study = content.study
    rows = [{"x": 100 * v, "p": 100 * p} for v, p in zip(each.volumes, each.p_volume, strict=True)]
    ends = {
        "low": words.cases(round(each.p_volume[0], 2)),
        "high": words.cases(round(each.p_volume[-1], 2)),
        "small": words.share(each.volumes[0]),
        "large": words.share(each.volumes[-1]),
    }
    more = each.p_volume[-1] > each.p_volume[0] + 0.01
    return Picture(
        key=f"volume-{_place(content, each.option)}",
        title=words(
            "chart.accept_volume_more" if more else "chart.accept_volume_less",
            option=study.options[each.option].label,
            **ends,
        ),
        alt=words("chart.accept_volume_alt"),
        head=(words("table.volume"), words("table.probability")),
        rows=tuple((words.share(v), f"{100 * p:.0f}") for v, p in zip(each.volumes, each.p_volume, strict=True)),
        spec=_curve(
            rows, colour(study, each.option), words("axis.volume"), words, 100.0, words("mark.today"), log=True
        ),
    )


def _curve(
    rows: list[dict[str, float]], hue: str, title: str, words: Wording, mark: float, name: str, *, log: bool = False
) -> Spec:
    x = x_axis("x", title, (rows[0]["x"], rows[-1]["x"]))
    if log:
        x["scale"] |= {"type": "log"}
        x["axis"]["values"] = [10, 25, 50, 100, 200, 400, 600]
    ends = sorted(row["x"] for row in rows)
    return plot(
        {
            "layer": [
                rule("x", mark, name, INK, near_end=mark > ends[0] + 0.7 * (ends[-1] - ends[0])),
                line(rows, hue, points=log)
                | {"encoding": {"x": x, "y": y_axis("p", words("axis.cases_beat"), [0, 100])}},
            ]
        },
        HEIGHT - 20,
    )


def _at(x: Sequence[float], p: Sequence[float], place: float) -> float:
    """Linear interpolation at a place."""
    for (a, pa), (b, pb) in pairwise(zip(x, p, strict=True)):
        if a <= place <= b:
            return pa + (pb - pa) * (place - a) / (b - a) if b > a else pa
    return p[0] if place < x[0] else p[-1]


def _few(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    step = max(1, (len(points) - 1) // (TABLE_ROWS - 1))
    return points[::step]


def _place(content: MemoContent, option: str) -> int:
    """Number of an option in the file, for names of files and elements."""
    return list(content.study.options).index(option)
