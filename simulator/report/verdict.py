"""The answer in sentences that someone who is not a statistician can repeat."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.engine import Decision, Figure, OptionFigures, Result
from simulator.report.numbers import cases, money, per_cent
from simulator.study import Study


def question(study: Study) -> str:
    """What the study asks."""
    stay = study.options[study.baseline].label
    others = [option.label for name, option in study.options.items() if name != study.baseline]
    least = f" by at least {100 * study.hurdle:g} %" if study.hurdle > 0 else ""
    if len(others) == 1:
        return f"Does moving from {stay} to {others[0]} pay{least}?"
    return f"Which pays{least}, compared with staying on {stay}: {', '.join(others[:-1])} or {others[-1]}?"


def leading(study: Study, result: Result) -> str:
    """The candidate with the highest expected saving: the one that the answer is about."""
    names = [name for name in study.options if name != study.baseline]
    return max(names, key=lambda name: result.options[name].saving.mean.value)


def answer(study: Study, result: Result, name: str) -> str:
    """How likely switching pays, by how much on average, and how bad the worst cases are."""
    found = result.options[name]
    assert found.p_beats is not None and found.cvar05 is not None
    saves = f"saves at least {100 * study.hurdle:g} %" if study.hurdle > 0 else "saves money"
    often = cases(found.p_beats).removeprefix("no case").strip()
    how_often = "in no case that was drawn" if often.startswith("that") else f"in {often}"
    mean, tail = found.saving.mean, found.cvar05
    return (
        f"Switching to {study.options[name].label} {saves} {how_often}; on average it {_verb(mean)} "
        f"{money(mean, study.currency)}{_more(mean)}; in the worst 5 % it {_verb(tail)} "
        f"{money(tail, study.currency)}{_more(tail)} on average."
    )


def _verb(saving: Figure) -> str:
    return "saves" if saving.value >= 0 else "costs"


def _more(saving: Figure) -> str:
    return "" if saving.value >= 0 else " more"


def recommendation(study: Study, decision: Decision) -> str:
    """Which option to take on what is known today, how often that is wrong, and what knowing would be worth."""
    label = study.options[decision.best].label
    choice = f"stay on {label}" if decision.best == study.baseline else f"switch to {label}"
    if decision.p_wrong.value <= 3 * decision.p_wrong.mcse:
        return f"On what is known today: {choice}. No other option came out ahead, luck aside."
    return (
        f"On what is known today: {choice}. Luck aside, another option would be the better choice in "
        f"{cases(decision.p_wrong)}; knowing every input in advance would be worth "
        f"{money(decision.evpi, study.currency)} on average."
    )


def remarks(study: Study, name: str, found: OptionFigures) -> Iterator[str]:
    """What else decides an option: being blocked, being unworkable."""
    label = study.options[name].label
    if found.p_blocked is not None and found.p_blocked.value > 0:
        yield f"The move to {label} fails and the team goes back in {cases(found.p_blocked)}."
    if found.p_unworkable.value > 1e-4:
        yield (
            f"In {cases(found.p_unworkable)} faults would take so much of the time on {label} that a team gives it up."
            if name != study.baseline
            else f"In {cases(found.p_unworkable)} faults take so much of the time on {label} that the run is held "
            "at its limit."
        )


def spread_of(decision: Decision) -> str | None:
    """How much of the spread more knowledge could remove."""
    share = decision.epistemic_share
    if share is None:
        return None
    return (
        f"Of the saving's spread (variance), {per_cent(share)} is lack of knowledge, which measuring can reduce; "
        "the rest is luck."
    )
