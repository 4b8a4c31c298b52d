"""Tokens, steps, speed and efficiency: one quantity seen from several sides, which must agree."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.audit.finding import Case, Finding
from simulator.audit.speeds import PETA, effective_pflops, flops, sustained_pflops, tokens_per_second, tokens_per_step
from simulator.study.said import Said, Series
from simulator.study.sections import ReportedFigures

AGREE = 0.15  # relative; printed figures are rounded and steps vary, contradictions are factors


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
            message=Said(
                "step time, batch and tokens/s of {option} differ by a factor of {factor:.0f}",
                option=name,
                factor=factor,
            ),
            arithmetic=Series("; ", _sides(case, name, facts, tokens, seconds, speed)),
            source=facts.source,
            advice=Said(
                "Ask which was measured: tokens/s, or the time of a micro-batch. Use the tokens/s if plausible."
            ),
        )


def _sides(
    case: Case, name: str, facts: ReportedFigures, tokens: float, seconds: float, speed: float
) -> Iterator[Said]:
    yield Said(
        "{batch:g} x {length:,} = {tokens:,.0f} tokens a step",
        batch=facts.batch_sequences,
        length=facts.sequence,
        tokens=tokens,
    )
    yield Said(
        "at {speed:,.0f} tokens/s they take {needed:.1f} s, not {seconds:g} s",
        speed=speed,
        needed=tokens / speed,
        seconds=seconds,
    )
    yield Said(
        "{seconds:g} s x {speed:,.0f} = {tokens:,.0f} tokens = {sequences:.1f} sequences",
        seconds=seconds,
        speed=speed,
        tokens=seconds * speed,
        sequences=seconds * speed / (facts.sequence or 1),
    )
    each, peak = flops(facts), case.dense_peak(name, facts)
    if each is not None and peak is not None:
        yield Said(
            "{seconds:g} s would be {millions:.2f} M tokens/s = {needed:.0f} PFLOP/s on an instance of {peak:.1f}",
            seconds=seconds,
            millions=tokens / seconds / 1e6,
            needed=each * tokens / seconds / PETA,
            peak=peak.value,
        )
    if facts.steps is not None:
        yield Said(
            "{steps:,.0f} steps take {hours:.1f} h at those tokens/s",
            steps=facts.steps,
            hours=facts.steps * tokens / speed / 3600,
        )


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
            message=Said("sequences/s and tokens/s of {option} do not describe the same run", option=name),
            arithmetic=Said(
                "{samples:g} x {length:,} = {product:,.0f} tokens/s, printed {printed:,.0f}",
                samples=samples,
                length=length,
                product=samples * length,
                printed=tokens,
            ),
            source=facts.source,
            advice=Said("Ask whether one of them is per device, and what the sequence length was."),
        )


def steps_contradict_duration(case: Case) -> Iterator[Finding]:
    """Steps x step time, with the compile that is said to be inside, against the duration of the run."""
    for name, facts in case.stated().items():
        if facts.steps is None or facts.step_seconds is None or facts.total_seconds is None:
            continue
        stepping, compiling = facts.steps * facts.step_seconds, 60 * (facts.compile_minutes or 0)
        if (stepping + compiling) / facts.total_seconds - 1 < AGREE:
            continue
        yield Finding(
            code="steps_contradict_duration",
            severity="error",
            where=f"reported.{name}.total_seconds",
            message=Said(
                "the run on {option} is too short for its steps and the compile said to be inside", option=name
            ),
            arithmetic=Said(
                "{steps:,.0f} x {each:g} s = {stepping:,.0f} s of {total:,.0f}; "
                "{left:,.0f} s are left for {compiling:,.0f} s of compiling",
                steps=facts.steps,
                each=facts.step_seconds,
                stepping=stepping,
                total=facts.total_seconds,
                left=facts.total_seconds - stepping,
                compiling=compiling,
            ),
            source=facts.source,
            advice=Said("Ask whether the graphs came from a cache, and count a cold compile apart."),
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
            message=Said(
                "{stated:.0%} is no FLOP efficiency of {option}: its tokens/s give an MFU of {mfu:.1%}",
                stated=facts.utilization,
                option=name,
                mfu=mfu,
            ),
            arithmetic=Said(
                "{each:.3g} FLOPs a token x {speed:,.0f} tokens/s = {achieved:.2f} PFLOP/s; "
                "{achieved:.2f} / {peak:g} ({label} of {instance}) = {mfu:.1%}",
                each=each,
                speed=tokens_per_second(facts),
                achieved=achieved,
                peak=peak.value,
                label=peak.label,
                instance=peak.instance,
                mfu=mfu,
            ),
            source=peak.source,
            advice=Said("Use {mfu:.3f} as `utilization`; the busy time of a monitor is never an MFU.", mfu=mfu),
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
                message=Said("the utilization of {option} is the busy share of a monitor", option=name),
                arithmetic=Said("utilization {share:g} = busy_share {share:g}", share=facts.busy_share),
                source=facts.source,
                advice=Said("Compute it from tokens/s: FLOPs a token x tokens/s / dense peak."),
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
            message=Said(
                "utilization x peak of {option} is {times:.2g} times what its tokens/s amount to",
                option=name,
                times=product / achieved,
            ),
            arithmetic=Said(
                "{utilization:g} x {peak:g} = {product:.3g} PFLOP/s; "
                "{each:.3g} FLOPs a token x {speed:,.0f} tokens/s = {achieved:.3g} PFLOP/s",
                utilization=facts.utilization,
                peak=facts.peak_pflops,
                product=product,
                each=each,
                speed=tokens_per_second(facts),
                achieved=achieved,
            ),
            source=facts.source,
            advice=Said("Trust the tokens/s if they were counted; the peak or the utilization is another quantity."),
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
            message=Said(
                "{option} runs at {claimed:.3f} times {baseline} by effective PFLOP/s, "
                "at {measured:.2f} times by tokens/s",
                option=name,
                claimed=claimed,
                baseline=case.study.baseline,
                measured=measured,
            ),
            arithmetic=Series(
                "; ",
                [
                    Said("{ours:.4g} / {theirs:.4g} = {ratio:.3f}", ours=ours, theirs=theirs, ratio=claimed),
                    *_by_utilization(facts, base),
                    Said("{ours:,.0f} / {theirs:,.0f} = {ratio:.2f}", ours=speed, theirs=base_speed, ratio=measured),
                ],
            ),
            source=facts.source,
            advice=Said(
                "Work is tokens, time is tokens / (tokens/s): take the measured speeds and derive the efficiency."
            ),
        )


def _by_utilization(facts: ReportedFigures, base: ReportedFigures) -> Iterator[Said]:
    u, peak, base_u, base_peak = facts.utilization, facts.peak_pflops, base.utilization, base.peak_pflops
    if u and peak and base_u and base_peak:
        yield Said(
            "{u:g} x {peak:g} / ({base_u:g} x {base_peak:g}) = {ratio:.3f}",
            u=u,
            peak=peak,
            base_u=base_u,
            base_peak=base_peak,
            ratio=u * peak / base_u / base_peak,
        )
