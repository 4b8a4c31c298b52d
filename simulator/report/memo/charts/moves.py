"""The chart of a comparison: what each change did to the mean saving."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.decision.compare import Answer, Comparison, Move
from simulator.decision.swap import THEMES
from simulator.report.memo.charts.pieces import labels, names_axis, plot, rule, values, x_axis
from simulator.report.memo.picture import GREEN, INK, VERMILLION, Picture, Spec
from simulator.report.memo.wording import MINUS, Wording, plain

SHOWN = 12
LABEL = 175  # of the longest label, in pixels
SEEN = 5e-4  # a change below this share of the savings themselves moves nothing that a reader would see
HEAD = ("change", "moved_first", "moved_last", "moved_mean", "moved_odds")
DIGITS = 2  # differences share their draws, and have less error than their figures say, but some


def moved(comparison: Comparison, words: Wording) -> Iterator[Picture]:
    """For each candidate that the changes move, the change of its mean saving by group, the largest first."""
    named = labels(comparison.b)
    for name, answers in comparison.answers.items():
        moves = comparison.moves[name]
        if moves_any(answers, moves):
            yield _picture(f"moved-{list(comparison.b.options).index(name)}", named[name], answers, moves, words)


def moves_any(answers: tuple[Answer, Answer], moves: tuple[Move, ...]) -> bool:
    """Whether a change moves a candidate's saving so that it would be seen."""
    return any(abs(each.saving) > SEEN * max(abs(answer.saving.value) for answer in answers) for each in moves)


def in_words(group: str, words: Wording) -> str:
    """A group of changes in words: what it is about, with its option where it is of one."""
    option, _, theme = group.rpartition(" ")
    if theme in THEMES:
        return words("input.of_option", option=option, input=words(f"change.{theme}"))
    return words(f"change.{group.replace(' ', '_')}")


def plus(amount: float, words: Wording) -> str:
    """A change of an amount, its sign before it."""
    text = words.signed(amount, DIGITS)
    return f"+{text}" if amount > 0 else text


def points(change: float) -> str:
    """A change of a probability, in cases of 100."""
    return f"{round(100 * change, 1) + 0.0:+.1f}".replace("-", MINUS)


def _picture(key: str, option: str, answers: tuple[Answer, Answer], moves: tuple[Move, ...], words: Wording) -> Picture:
    before, after = answers
    first = moves[0]
    left = after.saving.value - before.saving.value - sum(each.saving for each in moves)
    left_p = after.p_beats.value - before.p_beats.value - sum(each.p_beats for each in moves)
    together, none = words("change.together"), words("number.none")
    shown = [(in_words(each.group, words), each.saving) for each in moves[:SHOWN]]
    if abs(left) > SEEN * abs(first.saving):
        shown.append((together, left))
    note = words.sentences(words("compare.orders"), words.first(min(SHOWN, len(moves)), len(moves)))
    return Picture(
        key=key,
        title=words("chart.moved", option=option, change=in_words(first.group, words), money=plus(first.saving, words)),
        alt=words("chart.moved_alt"),
        head=tuple(
            words(f"table.{key}") for key in ("change", "moved_first", "moved_last", "moved_mean", "moved_odds")
        ),
        rows=(
            *(
                (
                    in_words(each.group, words),
                    plus(each.saving_first.value, words),
                    plus(each.saving_last.value, words),
                    plus(each.saving, words),
                    points(each.p_beats),
                )
                for each in moves
            ),
            (together, none, none, plus(left, words), points(left_p)),
        ),
        spec=_spec(shown, words),
        note=note,
    )


def _beside(amount: float) -> str:
    """A change beside its bar, in the digits that its error allows."""
    return ("+" if amount > 0 else "") + plain(float(f"{amount:.{DIGITS}g}"), DIGITS)


def _spec(shown: list[tuple[str, float]], words: Wording) -> Spec:
    most = max(abs(amount) for _, amount in shown)
    unit, scale = words.scale(most)
    kinds = [words("mark.adds"), words("mark.saves")]
    rows = [
        {
            "change": change,
            "by": amount / scale,
            "kind": kinds[amount < 0],
            "text": _beside(amount / scale) if abs(amount) > SEEN * most else "",
        }
        for change, amount in shown
    ]
    low, high = (end(0, *(amount / scale for _, amount in shown)) for end in (min, max))
    room = 0.25 * (high - low)  # for the amount beside a bar
    x = x_axis("by", words("axis.moved", unit=unit), [low - room * (low < 0), high + room * (high > 0)])
    base: Spec = {"x": x, "y": names_axis("change", [change for change, _ in shown], LABEL)}
    bars: Spec = {
        "mark": {"type": "bar", "height": 14},
        "encoding": base
        | {
            "color": {
                "field": "kind",
                "type": "nominal",
                "scale": {"domain": kinds, "range": [GREEN, VERMILLION]},
                "legend": {"title": None, "orient": "bottom", "columns": 2},
            }
        },
    }
    texts: list[Spec] = [
        {
            "transform": [{"filter": f"datum.by {sign} 0"}],
            "mark": {"type": "text", "align": align, "dx": dx},
            "encoding": base | {"text": {"field": "text"}},
        }
        for sign, align, dx in ((">=", "left", 4), ("<", "right", -4))
    ]
    drawn: Spec = {"data": values(rows), "layer": [bars, *texts]}
    return plot({"layer": [drawn, rule("x", 0.0, None, INK)]}, 28 * len(rows), LABEL + 20)
