"""Tokens, steps, speed and efficiency: one quantity seen from several sides, which must agree."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.audit.finding import Case, Finding
from simulator.study.sections import ReportedFigures

AGREE = 0.15  # relative; printed figures are rounded and steps vary, contradictions are factors
PETA = 1e15


def flops_per_token(parameters: float, layers: int | None, hidden: int | None, sequence: int | None) -> float:
    """Training FLOPs a token: 6 N, plus 12 layers hidden sequence of attention where they are known."""
    attention = 12 * layers * hidden * sequence if layers and hidden and sequence else 0
    return 6 * parameters + attention


def flops(facts: ReportedFigures) -> float | None:
    """Training FLOPs a token of the reported model; None where its size is not stated."""
    if facts.parameters is None:
        return None
    return flops_per_token(facts.parameters, facts.layers, facts.hidden, facts.sequence)


def tokens_per_second(facts: ReportedFigures) -> float | None:
    """Tokens/s of one instance, as printed or of sequences/s; None where neither is stated."""
    if facts.tokens_per_second is not None or facts.samples_per_second is None or facts.sequence is None:
        return facts.tokens_per_second
    return facts.samples_per_second * facts.sequence


def sustained_pflops(facts: ReportedFigures) -> float | None:
    """PFLOP/s of one instance that its tokens/s amount to; None where they or the model's size are not stated."""
    each, speed = flops(facts), tokens_per_second(facts)
    return None if each is None or speed is None else each * speed / PETA


def tokens_per_step(facts: ReportedFigures) -> float | None:
    """Tokens a step and instance; None where batch or sequence length are not stated."""
    if facts.batch_sequences is None or facts.sequence is None:
        return None
    return facts.batch_sequences * facts.sequence / (facts.instances or 1)


def step_contradicts_tokens(case: Case) -> Iterator[Finding]:
    """Step time x tokens/s against batch x sequence length.

    All of them describe one step, so both ways to its tokens must agree. Which one is plausible is told by the FLOP/s
    that the stated step would need.
    """
    for name, facts in case.stated().items():
        tokens, seconds, speed = tokens_per_step(facts), facts.step_seconds, tokens_per_second(facts)
        if tokens is None or seconds is None or speed is None or abs(seconds * speed / tokens - 1) < AGREE:
            continue
        factor = max(seconds * speed / tokens, tokens / speed / seconds)
        yield Finding(
            code="step_contradicts_tokens",
            severity="error",
            where=f"reported.{name}.step_seconds",
            message=f"step time, batch and tokens/s of {name} differ by a factor of {factor:.0f}",
            arithmetic="; ".join(_sides(case, name, facts, tokens, seconds, speed)),
            source=facts.source,
            advice="Ask which was measured: tokens/s, or the time of a micro-batch. Use the tokens/s if plausible.",
        )


def _sides(case: Case, name: str, facts: ReportedFigures, tokens: float, seconds: float, speed: float) -> Iterator[str]:
    yield f"{facts.batch_sequences:g} x {facts.sequence:,} = {tokens:,.0f} tokens a step"
    yield f"at {speed:,.0f} tokens/s they take {tokens / speed:.1f} s, not {seconds:g} s"
    sequences = seconds * speed / (facts.sequence or 1)
    yield f"{seconds:g} s x {speed:,.0f} = {seconds * speed:,.0f} tokens = {sequences:.1f} sequences"
    each, peak = flops(facts), case.dense_peak(name, facts)
    if each is not None and peak is not None:
        needed = each * tokens / seconds / PETA
        yield (
            f"{seconds:g} s would be {tokens / seconds / 1e6:.2f} M tokens/s = {needed:.0f} PFLOP/s on an instance of "
            f"{peak.value:.1f}"
        )
    if facts.steps is not None:
        yield f"{facts.steps:,.0f} steps take {facts.steps * tokens / speed / 3600:.1f} h at those tokens/s"


def samples_contradict_tokens(case: Case) -> Iterator[Finding]:
    """Sequences/s x sequence length against tokens/s."""
    for name, facts in case.stated().items():
        samples, length, tokens = facts.samples_per_second, facts.sequence, facts.tokens_per_second
        if samples is None or length is None or tokens is None or abs(samples * length / tokens - 1) < AGREE:
            continue
        yield Finding(
            code="samples_contradict_tokens",
            severity="error",
            where=f"reported.{name}.samples_per_second",
            message=f"sequences/s and tokens/s of {name} do not describe the same run",
            arithmetic=f"{samples:g} x {length:,} = {samples * length:,.0f} tokens/s, printed {tokens:,.0f}",
            source=facts.source,
            advice="Ask whether one of them is per device, and what the sequence length was.",
        )


def steps_contradict_duration(case: Case) -> Iterator[Finding]:
    """Steps x step time, with the compile that is said to be inside, against the duration of the run."""
    for name, facts in case.stated().items():
        if facts.steps is None or facts.step_seconds is None or facts.total_seconds is None:
            continue
        stepping, compiling = facts.steps * facts.step_seconds, 60 * (facts.compile_minutes or 0)
        if (stepping + compiling) / facts.total_seconds - 1 < AGREE:
            continue
        left = facts.total_seconds - stepping
        yield Finding(
            code="steps_contradict_duration",
            severity="error",
            where=f"reported.{name}.total_seconds",
            message=f"the run on {name} is too short for its steps and the compile said to be inside",
            arithmetic=f"{facts.steps:,.0f} x {facts.step_seconds:g} s = {stepping:,.0f} s of "
            f"{facts.total_seconds:,.0f}; {left:,.0f} s are left for {compiling:,.0f} s of compiling",
            source=facts.source,
            advice="Ask whether the graphs came from a cache, and count a cold compile apart.",
        )


def utilization_is_busy_time(case: Case) -> Iterator[Finding]:
    """A utilization that tokens/s do not bear out: MFU = FLOPs a token x tokens/s / dense peak.

    Monitors print the share of time in which a device did anything; it is near 1 on a chip that waits for memory.
    """
    for name, facts in case.stated().items():
        each, achieved, peak = flops(facts), sustained_pflops(facts), case.dense_peak(name, facts)
        if each is None or achieved is None or peak is None or facts.utilization is None:
            continue
        mfu = achieved / peak.value
        if facts.utilization / mfu < 1 + AGREE:
            continue
        yield Finding(
            code="utilization_is_busy_time",
            severity="error",
            where=f"reported.{name}.utilization",
            message=f"{facts.utilization:.0%} is no FLOP efficiency of {name}: its tokens/s give an MFU of {mfu:.1%}",
            arithmetic=f"{each:.3g} FLOPs a token x {tokens_per_second(facts):,.0f} tokens/s = {achieved:.2f} PFLOP/s; "
            f"{achieved:.2f} / {peak.value:g} ({peak.label} of {peak.instance}) = {mfu:.1%}",
            source=peak.source,
            advice=f"Use {mfu:.3f} as `utilization`; the busy time of a monitor is never an MFU.",
        )


def busy_share_used_as_utilization(case: Case) -> Iterator[Finding]:
    """A utilization, of the study or as printed, that equals the busy share that is printed too."""
    for name, facts in case.stated().items():
        used = case.study.options[name].inputs.get("utilization")
        places = {f"options.{name}.utilization": used and used.value, f"reported.{name}.utilization": facts.utilization}
        for where in (where for where, value in places.items() if value is not None and value == facts.busy_share):
            yield Finding(
                code="busy_share_used_as_utilization",
                severity="error",
                where=where,
                message=f"the utilization of {name} is the busy share of a monitor",
                arithmetic=f"utilization {facts.busy_share:g} = busy_share {facts.busy_share:g}",
                source=facts.source,
                advice="Compute it from tokens/s: FLOPs a token x tokens/s / dense peak.",
            )


def speed_contradicts_peak(case: Case) -> Iterator[Finding]:
    """Utilization x peak, both as printed, against the PFLOP/s that tokens/s amount to."""
    for name, facts in case.stated().items():
        each, achieved = flops(facts), sustained_pflops(facts)
        if each is None or achieved is None or not facts.utilization or facts.peak_pflops is None:
            continue
        product = facts.utilization * facts.peak_pflops
        if abs(product / achieved - 1) < AGREE:
            continue
        yield Finding(
            code="speed_contradicts_peak",
            severity="error",
            where=f"reported.{name}.tokens_per_second",
            message=f"utilization x peak of {name} is {product / achieved:.2g} times what its tokens/s amount to",
            arithmetic=f"{facts.utilization:g} x {facts.peak_pflops:g} = {product:.3g} PFLOP/s; {each:.3g} FLOPs a "
            f"token x {tokens_per_second(facts):,.0f} tokens/s = {achieved:.3g} PFLOP/s",
            source=facts.source,
            advice="Trust the tokens/s if they were counted; the peak or the utilization is another quantity.",
        )


def speed_contradicts_efficiency(case: Case) -> Iterator[Finding]:
    """Relative speed by effective PFLOP/s (or utilization x peak) against relative speed by tokens/s, same model."""
    stated = case.stated()
    base = stated.get(case.study.baseline)
    base_speed = None if base is None else tokens_per_second(base)
    if base is None or base_speed is None or (theirs := effective_pflops(base)) is None:
        return
    for name, facts in stated.items():
        ours, speed = effective_pflops(facts), tokens_per_second(facts)
        if name == case.study.baseline or speed is None or ours is None:
            continue
        claimed, measured = ours / theirs, speed / base_speed
        if facts.parameters != base.parameters or abs(claimed / measured - 1) < AGREE:
            continue
        yield Finding(
            code="speed_contradicts_efficiency",
            severity="error",
            where=f"reported.{name}.effective_pflops",
            message=f"{name} runs at {claimed:.3f} times {case.study.baseline} by effective PFLOP/s, "
            f"at {measured:.2f} times by tokens/s",
            arithmetic="; ".join(
                [
                    f"{ours:.4g} / {theirs:.4g} = {claimed:.3f}",
                    *_by_utilization(facts, base),
                    f"{speed:,.0f} / {base_speed:,.0f} = {measured:.2f}",
                ]
            ),
            source=facts.source,
            advice="Work is tokens, time is tokens / (tokens/s): take the measured speeds and derive the efficiency.",
        )


def _by_utilization(facts: ReportedFigures, base: ReportedFigures) -> Iterator[str]:
    u, peak, base_u, base_peak = facts.utilization, facts.peak_pflops, base.utilization, base.peak_pflops
    if u and peak and base_u and base_peak:
        yield f"{u:g} x {peak:g} / ({base_u:g} x {base_peak:g}) = {u * peak / base_u / base_peak:.3f}"


def effective_pflops(facts: ReportedFigures) -> float | None:
    """Effective PFLOP/s as printed, else utilization x peak as printed."""
    if facts.effective_pflops is not None:
        return facts.effective_pflops
    return facts.utilization * facts.peak_pflops if facts.utilization and facts.peak_pflops else None
