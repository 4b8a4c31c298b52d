"""Facts of a run: rates of its steady state, restarts and what they cost, hours in which it could fail; and notes."""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from simulator.evidence.job import Job
from simulator.evidence.reading import Fact
from simulator.evidence.run import Run
from simulator.evidence.steady import Steady, filled, separate

Floats = NDArray[np.float64]

# Dense BF16 TFLOP/s of a device, as frameworks hard-code them (makers' data sheets, read 2025).
PEAKS = {"A100": 312.0, "H100 or H200": 989.0, "B200": 2250.0, "MI300X": 1307.0, "TPU v5p": 459.0, "Trainium2": 667.0}


def facts(run: Run, job: Job, source: str) -> Iterator[Fact | str]:
    """Facts of a run, and notes (as strings) on what they assume."""
    group = {"run": str(run.number), "source": source}
    steady = separate(run)
    where = run.lines
    printed = f", printed every {run.interval:,}" if run.interval > 1 else ""
    if run.first_step.iteration is None:
        yield f"run {run.number}: {run.count:,} records without a step number"
    else:
        steps = run.count - run.again
        yield Fact("steps", float(steps), "steps", run.count, lines=where, group=group, basis=_span(run) + printed)
    yield from _rates(run, job, steady, group)
    yield from _restarts(run, job, steady, group)
    yield from _exposure(run, job, group)
    if run.memory_bytes:
        yield Fact(
            "memory_peak_bytes",
            run.memory_bytes,
            "bytes",
            lines=where,
            basis="as printed",
            group={**group, "per": "device"},
        )
    yield from _notes(run, job, steady)


def _span(run: Run) -> str:
    return f"distinct steps, {min(segment.first for segment in run.segments):,} to {run.top:,}"


def _rates(run: Run, job: Job, steady: Steady, group: Mapping[str, str]) -> Iterator[Fact]:
    seconds, batch = run.column("seconds"), run.column("batch")
    if run.count == 1 and run.printed_seconds:
        seconds = np.array([run.printed_seconds])
    batch = filled(batch, job.batch or np.nan)
    samples = run.column("samples_rate")
    printed = np.isfinite(samples)
    samples_per = run.per if printed.any() else "job"
    samples = samples if samples_per != "job" else np.where(printed, samples, batch / seconds)
    sequence = run.sequence or job.sequence
    tokens, per = run.column("tokens_rate"), run.per
    how = "tokens seen over the time between prints" if run.counted_tokens else "as printed"
    if not np.isfinite(tokens).any():
        per = samples_per if sequence else "job"
        if sequence:
            tokens, how = samples * sequence, f"samples/s x {sequence:g} tokens"
        elif job.options.tokens_per_step:
            tokens, how = job.options.tokens_per_step / seconds, "tokens of a step, as told, over its seconds"
    samples_how = "as printed" if printed.any() else "batch over seconds of a step"
    for quantity, values, unit, basis, of in (
        ("step_seconds", seconds, "s", "wall clock", None),
        ("tokens_per_second", tokens, f"tokens/s per {per}", how, per),
        ("samples_per_second", samples, f"samples/s per {samples_per}", samples_how, samples_per),
        ("tflops_per_device", run.column("tflops"), "TFLOP/s per device", "as printed", "device"),
    ):
        keep = steady.mask & np.isfinite(values)
        if keep.any():
            yield _mean(
                quantity, values[keep], unit, run.column("line")[keep], basis, {**group, **({"per": of} if of else {})}
            )


def _mean(quantity: str, values: Floats, unit: str, lines: Floats, basis: str, group: Mapping[str, str]) -> Fact:
    return Fact(
        quantity,
        float(values.mean()),
        unit,
        values.size,
        float(values.std(ddof=1)) if values.size > 1 else None,
        lines=(int(lines[0]), int(lines[-1])),
        basis=f"mean of steady steps, {basis}; median {np.median(values):,.6g}",
        group=group,
    )


def _restarts(run: Run, job: Job, steady: Steady, group: Mapping[str, str]) -> Iterator[Fact | str]:
    if run.first_step.iteration is None and not run.restarts:
        return
    where = (run.restart_lines[0], run.restart_lines[-1]) if run.restart_lines else run.lines
    yield Fact(
        "restarts",
        float(run.restarts),
        "restarts",
        run.restarts,
        lines=where,
        basis="the step went back or the run resumed",
        group=group,
    )
    if not run.restarts or run.first_step.iteration is None:
        return
    yield Fact(
        "lost_steps",
        float(run.lost_steps),
        "steps",
        run.restarts,
        lines=where,
        group=group,
        basis="highest step before a restart less the step it resumed from",
    )
    seconds = run.column("seconds")[steady.mask]
    seconds = seconds[np.isfinite(seconds)]
    if not seconds.size and not run.gap_seconds:
        return
    again = run.lost_steps * float(seconds.mean()) if seconds.size else 0.0
    hours = (again + run.gap_seconds) / 3600
    waited = f"{run.gap_seconds / 3600:.3g} h between last and next step"
    basis = f"{run.lost_steps:,} steps done again ({again / 3600:.3g} h) and {waited}"
    if job.devices is None:
        yield f"run {run.number}: {hours:.3g} wall-clock hours lost in {run.restarts} restarts; devices unknown"
        return
    yield Fact(
        "lost_device_hours",
        hours * job.devices,
        "device-hours",
        run.restarts,
        lines=where,
        basis=basis,
        group={**group, "devices": f"{job.devices:g}"},
    )


def _exposure(run: Run, job: Job, group: Mapping[str, str]) -> Iterator[Fact | str]:
    """Running time in which faults could happen: between the first and the last print, or the sum of the steps."""
    if job.instances is None:
        return
    if run.first_clock is not None and run.clock is not None and run.clock > run.first_clock:
        hours = (run.clock - run.first_clock - run.gap_seconds) / 3600
        basis = "first to last time stamp, waits before restarts left out"
    else:
        seconds = run.column("seconds")
        known = seconds[np.isfinite(seconds)]
        if not known.size:
            return
        hours, basis = float(known.mean()) * run.count * max(run.interval, 1) / 3600, "steps x seconds"
    yield Fact(
        "exposure_hours",
        hours * job.instances,
        "instance-hours",
        lines=run.lines,
        group=group,
        basis=f"{basis} ({hours:.4g} h) x {job.instances:g} instances",
    )


def _notes(run: Run, job: Job, steady: Steady) -> Iterator[str]:
    name = f"run {run.number}"
    iterations, lines = run.column("iteration"), run.column("line")
    for reason, mask in steady.apart.items():
        at = ", ".join(f"{iterations[i]:.0f} (line {lines[i]:.0f})" for i in np.flatnonzero(mask)[:5])
        more = f" and {mask.sum() - 5:,} more" if mask.sum() > 5 else ""
        yield f"{name}: set apart as {reason}: {mask.sum():,} steps: {at}{more}"
    if run.count and not steady.mask.any():
        yield f"{name}: no steady step is left: nothing is said of its speed"
    if run.copies:
        yield f"{name}: {run.copies:,} lines repeat a step already counted (ranks or duplicates)"
    if run.losses and run.nan_losses == run.losses:
        yield f"{name}: every loss is NaN: its time counts as cost, but it is no run that converged"
    elif run.nan_losses:
        yield f"{name}: {run.nan_losses:,} of {run.losses:,} losses are NaN"
    if periods := _until_zero(run):
        yield f"{name}: the learning rate is zero after {periods:.4g} x logging_steps ({10 * periods:.4g} steps if 10)"
    if run.batch_mismatches:
        yield f"{name}: consumed samples contradict the batch at {run.batch_mismatches:,} steps"
    if run.rate_mismatches:
        yield f"{name}: printed samples/s contradict batch / seconds at {run.rate_mismatches:,} steps"
    if run.sequence and job.sequence and abs(run.sequence / job.sequence - 1) > 0.01:
        yield f"{name}: consumed tokens give {run.sequence:g} tokens a sample (taken), not {job.sequence:g}"
    if run.peak_tflops:
        peak = run.peak_tflops
        of = f", {run.capacity_bytes / 2**30:,.0f} GiB of memory" if run.capacity_bytes else ""
        like = next((f" ({device})" for device, flops in PEAKS.items() if abs(peak / flops - 1) < 0.005), "")
        yield f"{name}: the printed MFU rests on a peak of {peak:,.0f} TFLOP/s a device{like}{of}: is it yours?"
    elif run.first_step.mfu:
        yield f"{name}: the printed MFU ({run.first_step.mfu:.1%}) rests on a peak unknown here; not used"


def _until_zero(run: Run) -> float | None:
    """Records until a linearly falling learning rate is zero, or None where it does not fall linearly."""
    if len(run.learning_rates) < 3:
        return None
    (_, first), (_, second), (last_at, last) = run.learning_rates
    slope = first - second
    if slope <= 0 or abs((first - last) / (last_at * slope) - 1) > 0.01:
        return None
    return first / slope + 1
