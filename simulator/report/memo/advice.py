"""The recommendation in words: the choice, and for each course of action its odds and its money in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from simulator.engine import Figure, OptionFigures
from simulator.report.memo.content import MemoContent
from simulator.report.memo.curves import Acceptability
from simulator.report.memo.wording import Wording, plain

Choice = Literal["switch", "stay", "poc", "tossup"]

SURE = 3.0  # standard errors by which an option must lead before it is called the better one


@dataclass(frozen=True, slots=True)
class Course:
    """A course of action and what is to be said of it."""

    title: str
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Advice:
    """The recommendation."""

    choice: Choice
    headline: str
    courses: tuple[Course, ...]


def advice(content: MemoContent, words: Wording) -> Advice:
    """What to do on what is known today."""
    made = choice(content)
    study = content.study
    stay, move = study.options[study.baseline].label, study.options[content.leading].label
    rival = study.options[_rival(content)].label
    headline = {
        "switch": words("verdict.switch", option=move),
        "stay": words("verdict.stay", option=stay),
        "poc": words("verdict.poc"),
        "tossup": words("verdict.tossup", option=move, other=rival),
    }[made]
    courses = [
        Course(
            words("verdict.row_switch", option=study.options[name].label),
            switching(content, name, words),
            made == "switch" and name == content.leading,
        )
        for name in study.options
        if name != study.baseline
    ]
    courses.append(Course(words("verdict.row_stay", option=stay), staying(content, words), made == "stay"))
    if not fixed(content):
        courses.append(Course(words("verdict.row_poc"), measuring(content, words), made == "poc"))
    courses.sort(key=lambda course: not course.chosen)
    return Advice(made, headline, tuple(courses))


def choice(content: MemoContent) -> Choice:
    """The course with the highest expected net benefit; none where the simulation cannot tell the first two apart."""
    if content.poc is not None and content.poc.best is not None:
        worth = content.poc.best.enbs
        if worth.value > SURE * worth.mcse:
            return "poc"
    lead, other = net_benefit(content, content.leading), net_benefit(content, _rival(content))
    if abs(lead.value - other.value) <= SURE * (lead.mcse + other.mcse):
        return "tossup"
    return "switch" if lead.value > other.value else "stay"


def _rival(content: MemoContent) -> str:
    """The option that comes nearest to the leading candidate from below; the baseline where that leads itself."""
    study = content.study
    lead = net_benefit(content, content.leading).value
    if lead <= 0:
        return study.baseline
    others = [name for name in study.options if name != content.leading]
    return max(others, key=lambda name: net_benefit(content, name).value)


def net_benefit(content: MemoContent, name: str) -> Figure:
    """Expected saving less the hurdle's share of the cost of staying; 0 for staying."""
    if name == content.study.baseline:
        return Figure(0.0, 0.0)
    result, hurdle = content.result, content.study.hurdle
    stay, saving = result.options[content.study.baseline].tco.mean, result.options[name].saving.mean
    return Figure(saving.value - hurdle * stay.value, saving.mcse + abs(hurdle) * stay.mcse)


def fixed(content: MemoContent) -> bool:
    """Whether nothing is uncertain, so that there are no odds."""
    return all(each.tco.sd.value == 0 for each in content.result.options.values())


def switching(content: MemoContent, name: str, words: Wording) -> str:
    """Odds and money of a candidate."""
    found = content.result.options[name]
    assert found.p_beats is not None and found.cvar05 is not None, "only candidates are switched to"
    money = _mean(found.saving.mean, words)
    if fixed(content):
        return money + _stop(words)
    return words("number.sentence").join((_odds(content, found.p_beats, words), money + _tail(found, words)))


def _odds(content: MemoContent, p_beats: Figure, words: Wording) -> str:
    hurdle, cases = content.study.hurdle, words.cases(p_beats)
    if hurdle == 0:
        return words("verdict.pays", cases=cases)
    key = "verdict.pays_hurdle" if hurdle > 0 else "verdict.pays_less"
    return words(key, cases=cases, hurdle=words.share(abs(hurdle)))


def _mean(saving: Figure, words: Wording) -> str:
    if abs(saving.value) <= SURE * saving.mcse:
        return words("verdict.mean_even", money=words.money(Figure(saving.mcse, 0.0), 1))
    return words("verdict.mean_saves" if saving.value >= 0 else "verdict.mean_costs", money=words.money(saving))


def _tail(found: OptionFigures, words: Wording) -> str:
    assert found.cvar05 is not None, "only candidates have a tail"
    tail = found.cvar05
    return words("verdict.tail_saves" if tail.value >= 0 else "verdict.tail_costs", money=words.money(tail))


def _stop(words: Wording) -> str:
    return words("number.stop")


def staying(content: MemoContent, words: Wording) -> str:
    """Odds and money of the baseline."""
    study = content.study
    tco = content.result.options[study.baseline].tco
    p_beats = content.result.options[content.leading].p_beats
    assert p_beats is not None, "the leading option is a candidate"
    if fixed(content):
        return words("verdict.stay_cost_fixed", money=words.money(tco.mean))
    cost = words("verdict.stay_cost", money=words.money(tco.mean), low=words.money(tco.p05), high=words.money(tco.p95))
    odds = words(
        "verdict.stay_odds",
        option=study.options[content.leading].label,
        cases=words.cases(Figure(1 - p_beats.value, p_beats.mcse)),
    )
    return words("number.sentence").join((cost, odds))


def measuring(content: MemoContent, words: Wording) -> str:
    """What a proof of concept is worth; without a plan, what none can be worth more than."""
    plan, evpi = content.poc, content.result.decision.evpi
    if plan is not None and plan.sizes:
        best = plan.best or max(plan.sizes, key=lambda size: size.enbs.value)
        return words(
            "verdict.poc_pays" if plan.best else "verdict.poc_fails",
            runs=words.runs(best.runs),
            measures=words("number.comma").join(map(words.input, plan.measures)),
            cost=words.money(best.cost),
            evsi=words.money(best.evsi),
            enbs=words.money(best.enbs),
        )
    if evpi.value <= SURE * evpi.mcse:
        return words("verdict.poc_zero", money=words.money(Figure(max(evpi.mcse, abs(evpi.value)), 0.0), 1))
    return words("verdict.poc_bound", money=words.money(evpi))


def cautions(content: MemoContent, words: Wording) -> Iterator[str]:
    """What else must be said beside the odds."""
    study, result = content.study, content.result
    if fixed(content):
        yield words("verdict.fixed")
        return
    for name, found in result.options.items():
        if found.p_blocked is not None and found.p_blocked.value > 0:
            yield words("verdict.blocked", option=study.options[name].label, cases=words.cases(found.p_blocked))
    wrong = result.decision.p_wrong
    if wrong.value > SURE * wrong.mcse:
        yield words("verdict.wrong", cases=words.cases(wrong))
    yield words("verdict.odds", hurdle=words.share(study.hurdle))


def what_would_change(content: MemoContent, words: Wording) -> Iterator[str]:
    """Values, scenarios and measurements that would turn the advice round."""
    yield from _thresholds(content, words)
    yield from _scenarios(content, words)
    for curve in content.curves.acceptability:
        yield from _volume(content, curve, words)
        if (half := _crossing(curve.hurdles, curve.p_hurdle)) is not None:
            yield words(
                "mind.hurdle",
                option=content.study.options[curve.option].label,
                hurdle=words.percent(round(half, 2)).replace(".0", ""),
                now=words.share(content.study.hurdle),
            )
    if content.drivers is not None:
        first = content.drivers.inputs[0]
        if first.evppi is not None and first.evppi.value > SURE * first.evppi.mcse:
            yield words("mind.driver", input=words.input(first.input), money=words.money(first.evppi))
    decision = content.result.decision
    if decision.evpi.value > SURE * decision.evpi.mcse:
        yield words("mind.evpi", money=words.money(decision.evpi))
    if decision.epistemic_share is not None and not fixed(content):
        yield words("mind.epistemic", share=words.chance(decision.epistemic_share))


def _thresholds(content: MemoContent, words: Wording) -> Iterator[str]:
    found = content.break_even.thresholds if content.break_even else ()
    for each in found:
        if each.flips:
            flips = words("number.comma").join(words.with_unit(x, each.unit) for x in each.flips)
            now = words.with_unit(each.now, each.unit)
            yield words("mind.threshold", input=words.input(each.input), flip=flips, now=now)
    if never := [words.input(each.input) for each in found if not each.flips]:
        yield words("mind.threshold_never", inputs=words("number.semicolon").join(never))


def _scenarios(content: MemoContent, words: Wording) -> Iterator[str]:
    result, turned = content.result, False
    for name, case in result.scenarios.items():
        if case.decision.best == result.decision.best:
            continue
        turned = True
        best = case.decision.best
        candidate = best if best != content.study.baseline else content.leading
        p_beats = case.options[candidate].p_beats
        assert p_beats is not None, "a candidate has odds"
        yield words(
            "mind.scenario",
            scenario=name,
            option=content.study.options[best].label,
            cases=words.cases(p_beats),
        )
    if result.scenarios and not turned:
        yield words("mind.scenarios_none")


def _volume(content: MemoContent, curve: Acceptability, words: Wording) -> Iterator[str]:
    if not curve.volumes:
        return
    label = content.study.options[curve.option].label
    low, high = words.share(curve.volumes[0]), words.share(curve.volumes[-1])
    crossing = _crossing(curve.volumes, curve.p_volume)
    if crossing is not None:
        yield words("mind.volume", option=label, volume=f"{plain(100 * crossing, 2)} %")
    elif curve.p_volume[0] < 0.5:
        yield words("mind.volume_never", option=label, low=low, high=high)
    else:
        yield words("mind.volume_always", option=label, low=low, high=high)


def _crossing(x: tuple[float, ...], p: tuple[float, ...]) -> float | None:
    """The first place at which a curve crosses one half, linearly between its points."""
    for (a, pa), (b, pb) in pairwise(zip(x, p, strict=True)):
        if (pa > 0.5) != (pb > 0.5):
            return a + (b - a) * (pa - 0.5) / (pa - pb)
    return None
