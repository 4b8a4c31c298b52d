"""Seconds and memory for a large training log: `python benchmarks/evidence.py [MEGABYTES]` (1,000 by default).

The log is made in a temporary folder: Megatron-LM iteration lines as a 176B run prints them, a checkpoint every 1,000.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

READ = """
import resource, sys, time
from simulator.evidence import read
wall, cpu = time.perf_counter(), time.process_time()
reading = read(sys.argv[1])
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
step = reading.of("step_seconds")[0]
print(f"{wall:.1f} s ({cpu:.1f} s of processor), {megabytes:.0f} MB, {reading.lines:,} lines, step {step.value:.4f} s")
"""


def write_megatron(path: Path, megabytes: int) -> None:
    """Iteration lines until the file has its size."""
    size = i = 0
    with path.open("w") as stream:
        while size < megabytes * 1_000_000:
            i += 1
            milliseconds = 106_400 + (i * 7919) % 400 / 10
            line = (
                f" [default7]: iteration {i:8d}/ 9000000 | consumed samples: {i * 2048:12d} |"
                f" consumed tokens: {i * 2048 * 2048:12d} | elapsed time per iteration (ms): {milliseconds:.1f} |"
                f" learning rate: 5.279E-05 | global batch size:  2048 | lm loss: {2 + i * 31 % 1000 / 1000:.6f}E+00 |"
                f" grad norm: 0.242 | num zeros: 0.0 | number of skipped iterations:   0 |"
                f" number of nan iterations:   0 | samples per second: {2048000 / milliseconds:.3f} | TFLOPs: 147.3 |\n"
            )
            if i % 1000 == 0:
                line += f" successfully saved checkpoint at iteration {i} to /checkpoints\n"
            size += stream.write(line)


def main(megabytes: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "train.log"
        write_megatron(log, megabytes)
        started = time.perf_counter()
        subprocess.run(["sha256sum", str(log)], check=True, stdout=subprocess.DEVNULL)
        print(f"{megabytes:,} MB of Megatron-LM log; sha256sum alone: {time.perf_counter() - started:.1f} s")
        subprocess.run([sys.executable, "-c", READ, str(log)], check=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
