"""Makes the evidence of this example. It is synthetic: drawn from the true values below, to be found again.

Run it from any folder: `python studies/poc/make.py`. The same seed gives the same files.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "data"
SEED = 20261201

TRUE = {
    "trn2.utilization": 0.34,
    "trn2.compile_minutes": 26.0,
    "trn2.recompiles": 30.0,
    "trn2.faults_per_1000h": 3.5,
    "trn2.hours_lost_per_fault": 2.0,
    "trn2.engineer_hours": 300.0,
    "trn2.price": 35.7608,
    "trn2.blocked": 0.15,
}
"""What production has; the PoC differs from it by less than the default discrepancies allow."""

BETWEEN_RUNS, WITHIN_RUN, NEIGHBOURS = 0.03, 0.02, 0.6  # sd of log speed; correlation of neighbouring prints
RUNS, HOURS, EVERY = 4, 150.0, 500  # of the PoC's one instance; steps between two prints
BATCH, SEQUENCE = 64, 4096
FLOPS_OF_TOKEN = 6 * 13e9 + 12 * 40 * 5120 * 4096
PEAK = 10.672e15
DEVICES = 64  # NeuronCores, as the framework counts
SPENT, SHARE_TOLD = 160.0, 0.6  # the team believes to be further than it is: 160 of 300 hours are 53 %
TRIED, FAILED = 12, 2
COMPILE_SPREAD = 0.5


def main() -> None:
    """Write all files."""
    rng = np.random.default_rng(SEED)
    FOLDER.mkdir(exist_ok=True)
    for number in range(1, RUNS + 1):
        write(f"train-{number}.log", training(rng, number))
    write("compile.log", compiling(rng))
    write("timesheet.csv", timesheet(rng))
    write("bill.csv", bill())


def write(name: str, text: str) -> None:
    (FOLDER / name).write_text(text, encoding="utf-8")


def training(rng: np.random.Generator, number: int) -> str:
    """A Megatron log: one print in 500 steps, restarts after faults from the last checkpoint."""
    steady = (
        BATCH * SEQUENCE * FLOPS_OF_TOKEN / (TRUE["trn2.utilization"] * PEAK) / math.exp(rng.normal(0, BETWEEN_RUNS))
    )
    clock, step, noise = datetime(2026, 9, 7 * number - 6), 0, 0.0
    end = clock + timedelta(hours=HOURS)
    lines = [f"using world size: {DEVICES}, data-parallel size: 8, tensor-model-parallel size: 8\n"]
    fault = clock + timedelta(hours=rng.exponential(1000 / TRUE["trn2.faults_per_1000h"]))
    while clock < end:
        noise = NEIGHBOURS * noise + math.sqrt(1 - NEIGHBOURS**2) * rng.normal(0, WITHIN_RUN)
        seconds = steady * math.exp(noise)
        clock, step = clock + timedelta(seconds=EVERY * seconds), step + EVERY
        if clock > fault:
            lost = rng.lognormal(math.log(TRUE["trn2.hours_lost_per_fault"]) - 0.6**2 / 2, 0.6)
            lines.append(
                f"[{clock:%Y-%m-%d %H:%M:%S}] RuntimeError: neuron runtime execution failed, status=5 NRT_EXEC_ERROR\n"
            )
            again = max(1, round(0.7 * lost * 3600 / steady / EVERY))
            clock += timedelta(hours=0.3 * lost)
            step = max(EVERY, step - again * EVERY)
            fault = clock + timedelta(hours=rng.exponential(1000 / TRUE["trn2.faults_per_1000h"]))
            lines.append(
                f"[{clock:%Y-%m-%d %H:%M:%S}] successfully loaded checkpoint from /ckpt at iteration {step - EVERY}\n"
            )
            continue
        lines.append(
            f"[{clock:%Y-%m-%d %H:%M:%S}] iteration {step:8d}/  500000 | consumed samples: {step * BATCH:12d} | "
            f"elapsed time per iteration (ms): {1000 * seconds:.1f} | global batch size: {BATCH:5d} | "
            f"lm loss: {2.0 + 9 * math.exp(-step / 20_000):.6f}E+00 |\n"
        )
    return "".join(lines)


def compiling(rng: np.random.Generator) -> str:
    """A Neuron compile log; the last compilation was still going when the log was taken."""
    days = SPENT / 8
    rate = TRUE["trn2.recompiles"] / (TRUE["trn2.engineer_hours"] / 8)
    count = rng.poisson(rate * days * rng.gamma(1 / 0.3**2, 0.3**2))
    clock, lines = datetime(2026, 8, 24, 9), []
    for number in range(count):
        module = f"model.MODULE_{1000 + number}+f{number:02d}.hlo_module.pb"
        minutes = rng.lognormal(math.log(TRUE["trn2.compile_minutes"]) - COMPILE_SPREAD**2 / 2, COMPILE_SPREAD)
        stamp = f"{clock:%Y-%m-%d %H:%M:%S}.000001:  100  INFO ||NEURON_CC_WRAPPER||:"
        lines.append(f"{stamp} Call compiler with cmd: ['neuronx-cc', 'compile', '/tmp/{module}']\n")
        if number == count - 1:
            lines.append("." * 36 + "\n")  # a dot is 20 s
            break
        clock += timedelta(minutes=minutes)
        stamp = f"{clock:%Y-%m-%d %H:%M:%S}.000001:  100  INFO ||NEURON_CC_WRAPPER||:"
        lines.append(f"{stamp} Compilation Successfully Completed for {module}\n")
        clock += timedelta(hours=float(rng.uniform(2, 20)))
    return "".join(lines)


def timesheet(rng: np.random.Generator) -> str:
    """Hours to date, in entries of some hours; another project's are among them."""
    lines, left, day = ["User,Project,Description,Start date,Start time,Duration\n"], SPENT, datetime(2026, 8, 24)
    while left > 1e-9:
        hours = min(left, round(float(rng.uniform(2, 7)) * 4) / 4)
        minutes = round(60 * hours)
        lines.append(f"engineer,Trainium,port,{day:%Y-%m-%d},09:00:00,{minutes // 60:02d}:{minutes % 60:02d}:00\n")
        if rng.random() < 0.2:
            lines.append(f"engineer,Website,fixes,{day:%Y-%m-%d},16:00:00,01:00:00\n")
        left, day = left - hours, day + timedelta(days=1)
    return "".join(lines)


def bill() -> str:
    """A FOCUS export: the PoC's instance, an hour a line."""
    lines = [
        (
            "BilledCost,EffectiveCost,ListCost,BillingCurrency,ChargeCategory,ChargeClass,ChargeDescription,"
            "ChargePeriodStart,ChargePeriodEnd,ConsumedQuantity,ConsumedUnit,PricingCategory,CommitmentDiscountId,"
            "CommitmentDiscountCategory,CommitmentDiscountStatus,RegionId,ResourceId,ServiceCategory,ServiceName\n"
        )
    ]
    hour = datetime(2026, 9, 1)
    for _ in range(48):
        after = hour + timedelta(hours=1)
        price = TRUE["trn2.price"]
        lines.append(
            f"{price},{price},{price},USD,Usage,,trn2.48xlarge instance hour,{hour:%Y-%m-%dT%H:%M:%SZ},"
            f"{after:%Y-%m-%dT%H:%M:%SZ},1,Hours,Standard,,,,us-east-2,i-1,Compute,Amazon Elastic Compute Cloud\n"
        )
        hour = after
    return "".join(lines)


if __name__ == "__main__":
    main()
