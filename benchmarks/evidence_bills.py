"""Read a synthetic AWS Cost and Usage Report: seconds and memory against hashing the same file.

    python benchmarks/evidence_bills.py [MEGABYTES]

Target: 1 GB in under 10 s and 1 GB of memory. The file has one identity a record, 94 columns, hourly usage of four
instance types bought in three ways, taxes and storage, as a month of a small cluster has.
"""

import hashlib
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from simulator.evidence import read

COLUMNS = (
    *("identity/LineItemId", "identity/TimeInterval", "bill/InvoiceId", "lineItem/UsageAccountId"),
    *("lineItem/LineItemType", "lineItem/UsageStartDate", "lineItem/UsageEndDate", "lineItem/ProductCode"),
    *("lineItem/UsageType", "lineItem/Operation", "lineItem/AvailabilityZone", "lineItem/ResourceId"),
    *("lineItem/UsageAmount", "lineItem/CurrencyCode", "lineItem/UnblendedRate", "lineItem/UnblendedCost"),
    *("lineItem/LineItemDescription", "product/ProductName", "product/location", "product/regionCode"),
    *(
        "pricing/publicOnDemandCost",
        "pricing/unit",
        "reservation/EffectiveCost",
        "savingsPlan/SavingsPlanEffectiveCost",
    ),
    *(f"product/attribute{i}" for i in range(70)),
)
KINDS = ("Usage", "SavingsPlanCoveredUsage", "DiscountedUsage")
TYPES = {"p5.48xlarge": 55.04, "trn2.48xlarge": 35.76, "trn1.32xlarge": 21.5, "m5.large": 0.096}
FILLER = "," * 40 + "Amazon Elastic Compute Cloud,Compute Instance,AWS Region,USE2-BoxUsage" + "," * 27


def lines(size: int) -> Iterator[str]:
    yield ",".join(COLUMNS) + "\n"
    written, number = 0, 0
    names = list(TYPES)
    while written < size:
        number += 1
        name, kind = names[number % 4], KINDS[number % 3]
        day, hour = 1 + number % 28, number % 23
        start, end = f"2026-03-{day:02d}T{hour:02d}:00:00Z", f"2026-03-{day:02d}T{hour + 1:02d}:00:00Z"
        cost = f"{TYPES[name]:.10f}"
        line = (
            f"{number * 7919:052x},{start}/{end},EUINV26-1234567,111122223333,{'Tax' if number % 50 == 0 else kind},"
            f"{start},{end},AmazonEC2,USE2-{'BoxUsage:' + name if number % 5 else 'EBS:VolumeUsage.gp3'},RunInstances,"
            f"us-east-2a,arn:aws:ec2:us-east-2:111122223333:instance/i-{number % 977:017x},"
            f"1.0000000000,USD,{cost},{cost},"
            f'"${cost} per On Demand Linux {name} Instance Hour, in US East (Ohio)",Amazon Elastic Compute Cloud,'
            f"US East (Ohio),us-east-2,{cost},Hrs,{TYPES[name] * 0.6:.10f},{TYPES[name] * 0.65:.10f},{FILLER}\n"
        )
        written += len(line)
        yield line


def main(megabytes: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cur.csv"
        with path.open("w") as stream:
            stream.writelines(lines(megabytes * 1_000_000))
        began = time.perf_counter()
        with path.open("rb") as raw:
            hashlib.file_digest(raw, "sha256")
        hashed = time.perf_counter() - began
        began, cpu = time.perf_counter(), time.process_time()
        reading = read(path)
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{megabytes:,} MB, {reading.used:,} records, {len(reading.facts)} facts")
    print(
        f"read   {seconds:6.2f} s ({cpu:.2f} s of processor), {seconds / hashed:.1f} x hashing, peak {memory:,.0f} MB"
    )
    print(f"hashed {hashed:6.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
