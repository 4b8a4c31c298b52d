"""kill -9 at random moments, and disks that fill up, under each command that writes: its file is whole or absent.

    python benchmarks/faults.py --kills 50 --disks 12

The disks are small tmpfs mounts, which need root; --disks 0 leaves them out.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.hardening.writers import WRITERS, Writer, prepared, started  # noqa: E402


def outcome(writer: Writer, folder: Path) -> str:
    """Whether the final name is whole or absent; raises when it is neither."""
    final = folder / writer.final
    if not final.exists():
        return "absent"
    writer.whole(final)
    return "whole"


def wait_for_writing(process: subprocess.Popen[str], folder: Path) -> None:
    """Until something is there beside the study, or the command has ended."""
    while process.poll() is None and sum(1 for _ in folder.iterdir()) < 2:
        time.sleep(0.001)


def killed(writer: Writer, times: int, randomly: random.Random) -> Counter[str]:
    """Outcomes of kills: half at moments from the start of a command to its end, half while it writes."""
    with tempfile.TemporaryDirectory() as place:
        clock = time.perf_counter()
        done = started(writer, prepared(Path(place) / "whole"))
        _, said = done.communicate()
        lasts = time.perf_counter() - clock
        if done.returncode != 0:
            raise SystemExit(f"{writer.name} does not work at all: {said}")
        found: Counter[str] = Counter()
        for number in range(times):
            folder = prepared(Path(place) / str(number))
            process = started(writer, folder)
            if number % 2:
                wait_for_writing(process, folder)
                time.sleep(randomly.uniform(0, 0.1))
            else:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.communicate(timeout=lasts * randomly.uniform(0.2, 1.3))
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                found["killed"] += 1
            found[outcome(writer, folder)] += 1
            shutil.rmtree(folder)
    return found


@contextlib.contextmanager
def disk(kilobytes: int) -> Iterator[Path]:
    """A disk of this size."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", place], check=True)
        try:
            yield Path(place)
        finally:
            subprocess.run(["umount", place], check=True)


def filled(writer: Writer, times: int) -> Counter[str]:
    """Outcomes on disks from a page to more than enough; each failure must be told in words, and leave nothing."""
    found: Counter[str] = Counter()
    for kilobytes in [8, *(int(8 * 2 ** (0.75 * step)) for step in range(1, times))]:
        with disk(kilobytes) as folder:
            process = started(writer, prepared(folder), TMPDIR=str(folder))
            _, said = process.communicate()
            state = outcome(writer, folder)
            assert "Traceback" not in said, said
            # a calibration keeps the fits that it has done: a whole file and a failure after it
            assert process.returncode in ((0, 2) if state == "whole" else (2,)), (process.returncode, said)
            assert process.returncode == 0 or said.strip(), "it failed without a word"
            left = {each.name for each in folder.iterdir()} - {"study.toml", writer.final}
            assert not left, f"left behind: {left}"
            found[state] += 1
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--disks", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    randomly = random.Random(options.seed)
    for writer in WRITERS:
        if options.kills:
            print(
                f"{writer.name}, killed at random moments: {dict(killed(writer, options.kills, randomly))}", flush=True
            )
        if options.disks:
            print(f"{writer.name}, on small disks: {dict(filled(writer, options.disks))}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
