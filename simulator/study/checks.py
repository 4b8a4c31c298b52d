"""What the values of a study ask of each other, beyond what each must be by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from simulator.study import scalars
from simulator.study.findings import Findings
from simulator.study.said import Said
from simulator.study.values import Input, Note, Option, Workload

Table = Mapping[str, Any]

SPEEDS = ("utilization", "tokens_per_second")
WORK = {
    "pflop_hours": ("pflop_hours",),
    "parameters": ("parameters", "tokens"),
    "baseline_hours": ("baseline_hours", "baseline_utilization"),
    "tokens": ("tokens",),
}
"""Forms of the workload, by the key that tells them apart, and the inputs that each needs."""
SHAPE = ("layers", "hidden", "sequence")
OF_MIGRATION = ("blocked_spent", "trial_instance_hours")


def speed(raw: Table) -> Iterator[tuple[str, str, str]]:
    """What is wrong with how an option says its speed: key, found, expected."""
    match [key for key in SPEEDS if key in raw]:
        case []:
            yield (
                "utilization",
                "missing",
                "how fast the option trains: utilization with peak_pflops, or tokens_per_second",
            )
        case ["utilization"] if "peak_pflops" not in raw:
            yield "peak_pflops", "missing", "dense peak of one instance, PFLOP/s, which utilization is a share of"
        case [_, _]:
            yield "tokens_per_second", "a second way to give the speed", "utilization or tokens_per_second, not both"


def form(raw: Table) -> Iterator[tuple[str, str, str]]:
    """What is wrong with the form of a workload: key, found, expected."""
    forms = [form for form in ("pflop_hours", "parameters", "baseline_hours") if form in raw]
    forms = forms or (["tokens"] if "tokens" in raw else [])
    expected = "one of pflop_hours; parameters and tokens; baseline_hours and baseline_utilization; tokens"
    if not forms and "baseline_utilization" in raw:
        forms = ["baseline_hours"]
    if not forms:
        yield "pflop_hours", "no work", expected
        return
    for other in forms[1:]:
        yield other, f"a second way to give the work, beside {forms[0]}", expected
    known = WORK[forms[0]]
    for key in known:
        if key not in raw:
            yield key, "missing", f"{scalars.WORKLOAD[key].doc.split(';')[0]}, which {forms[0]} needs"
    if len(forms) == 1:
        for key in scalars.WORKLOAD.keys() & raw.keys() - set(known):
            yield key, f"a second way to give the work, beside {forms[0]}", expected
    shape = [key for key in SHAPE if key in raw]
    if shape and "parameters" not in raw:
        yield shape[0], "a shape without parameters", "parameters and tokens, whose work it makes exact"
    elif 0 < len(shape) < len(SHAPE):
        for key in SHAPE:
            if key not in raw:
                yield key, "missing", "layers, hidden and sequence together, or none of them"


def stays(inputs: Mapping[str, Input], findings: Findings) -> None:
    """The baseline is where a failed migration goes back to: it cannot fail itself."""
    blocked = inputs.get("blocked")
    if blocked and blocked.given and blocked.value != 0:
        findings.add(blocked.key, "the baseline cannot be blocked", "0, or no such key: there is nowhere to go back to")
    for key in OF_MIGRATION:
        if (given := inputs.get(key)) and given.given:
            message = Said("has no effect: the baseline cannot be blocked")
            findings.notes.append(Note("no_effect", "info", given.name, message))


def serves(options: Mapping[str, Option], baseline: object, workload: Workload, findings: Findings) -> None:
    """What the options' speeds and the work's form ask of each other, and that there is something to decide."""
    if list(options) == [baseline]:
        findings.add(("options",), "the baseline alone", "another option beside it, [options.NAME], to compare it with")
    flops = workload.inputs.keys() - {"tokens"}
    for option in options.values():
        speeds = option.inputs.keys() & set(SPEEDS)
        if speeds == {"tokens_per_second"} and "tokens" not in workload.inputs:
            findings.add(option.inputs["tokens_per_second"].key, "tokens/s without workload.tokens",
                         "the tokens to train on in [workload], or utilization")  # fmt: skip
        if speeds == {"utilization"} and workload.inputs and not flops:
            findings.add(option.inputs["utilization"].key, "a utilization, and the work in tokens alone",
                         "parameters beside tokens in [workload], or tokens_per_second")  # fmt: skip
    home = options.get(str(baseline))
    if "baseline_hours" in workload.inputs and home and "peak_pflops" not in home.inputs:
        findings.add(("options", home.name, "peak_pflops"), "missing",
                     "dense peak of one instance, PFLOP/s, which workload.baseline_hours needs")  # fmt: skip


def labour(options: Mapping[str, Option]) -> str | None:
    """An input that costs an engineer's time, if any does."""
    for option in options.values():
        for key in ("engineer_hours", "upkeep_hours_per_month", "compile_attention"):
            if (found := option.inputs.get(key)) and found.value != 0:
                return found.name
    return None
