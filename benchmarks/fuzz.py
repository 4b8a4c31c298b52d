"""Mutated studies and files of evidence through the command line: no traceback, no hang, bounded memory.

    python benchmarks/fuzz.py --studies 10000 --evidence 2000

Each file is a function of its number, so that one that failed is made again by --only. A worker handles the files in
turn, in an address space of its own; one that hangs or dies is counted against the file that it was at.
"""

from __future__ import annotations

import argparse
import faulthandler
import multiprocessing
import resource
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

SECONDS = 60  # of the clock, for one file, on a machine that does other things too
MEMORY = 1 << 30
CHUNK = 200


def studies() -> list[bytes]:
    """The shipped studies and starters, and those of the tests."""
    folders = ("studies", "tests/data", "simulator/study/templates", "simulator/verification/studies")
    return [path.read_bytes() for folder in folders for path in sorted((ROOT / folder).glob("*.toml"))]


def evidence() -> list[bytes]:
    from tests.hardening.samples import SAMPLES

    return [text.encode() for text in SAMPLES.values()]


def work(kind: str, first: int, last: int, results: Any, folder: str) -> None:
    """Handle files `first` to `last` - 1."""
    from tests.hardening import attempt
    from tests.hardening.mutations import mutated

    warnings.simplefilter("ignore")
    samples = studies() if kind == "studies" else evidence()
    commands = attempt.study_commands if kind == "studies" else attempt.evidence_commands
    path = Path(folder) / ("study.toml" if kind == "studies" else "file.log")
    for number in range(first, last):
        path.write_bytes(mutated(samples, number))
        results.put((number, "start", 0.0, 0))
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        start = time.process_time()
        found = "\n".join(filter(None, map(attempt.complaint, commands(path, number))))
        faulthandler.cancel_dump_traceback_later()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        results.put((number, found, time.process_time() - start, peak))
    results.put((last, "done", 0.0, 0))


def fuzzed(kind: str, first: int, count: int) -> tuple[dict[int, str], float, int]:
    """Complaints by file, the longest time of a file, and the peak memory."""
    complaints: dict[int, str] = {}
    slowest, peak, at, end = 0.0, 0, first, first + count
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        while at < end:
            results = context.Queue()
            worker = context.Process(target=work, args=(kind, at, min(at + CHUNK, end), results, folder))
            worker.start()
            current, done = at, False
            while not done:
                try:
                    number, found, seconds, memory = results.get(timeout=SECONDS + 10)
                except Exception:
                    if worker.is_alive():
                        worker.kill()
                    complaints[current] = f"hangs for over {SECONDS} s, or ends the process (exit {worker.exitcode})"
                    at = current + 1
                    break
                done = found == "done"
                at = current = number
                if found not in ("start", "done"):
                    slowest, peak = max(slowest, seconds), max(peak, memory)
                    if found:
                        complaints[number] = found
            worker.join()
            print(f"{kind}: {at - first} of {count}, {len(complaints)} complaints, "
                  f"slowest {slowest:.1f} s of processor, {peak >> 20} MB", file=sys.stderr, flush=True)  # fmt: skip
    return complaints, slowest, peak


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=0)
    parser.add_argument("--evidence", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--only", type=int, help="write this one file to standard output")
    options = parser.parse_args()
    if options.only is not None:
        from tests.hardening.mutations import mutated

        sys.stdout.buffer.write(mutated(studies() if options.studies else evidence(), options.only))
        return 0
    bad = False
    for kind in ("studies", "evidence"):
        if count := getattr(options, kind):
            complaints, slowest, peak = fuzzed(kind, options.first, count)
            kinds = Counter(text.strip().splitlines()[-1] for text in complaints.values())
            for text, times in kinds.most_common():
                print(f"{times} x {text}")
            for number, text in list(complaints.items())[:20]:
                print(f"--- {kind} {number}\n{text}")
            print(
                f"{count} {kind}: {len(complaints)} complaints, slowest {slowest:.1f} s of processor, "
                f"peak {peak >> 20} MB"
            )
            bad |= bool(complaints) or peak > MEMORY
    return bad


if __name__ == "__main__":
    sys.exit(main())
