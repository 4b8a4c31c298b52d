"""Speeds that stated figures amount to."""

from __future__ import annotations

from simulator.study.sections import ReportedFigures

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


def effective_pflops(facts: ReportedFigures) -> float | None:
    """Effective PFLOP/s as printed, else utilization x peak as printed."""
    if facts.effective_pflops is not None:
        return facts.effective_pflops
    return facts.utilization * facts.peak_pflops if facts.utilization and facts.peak_pflops else None
