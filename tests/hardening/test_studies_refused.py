"""Would catch: a study that is read and then stops the run, or never ends it. Each was found by fuzzing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from simulator.sampling import poisson_quantile
from tests.hardening.attempt import complaint

STUDY = """\
baseline = "a"
currency = "USD"

[workload]
pflop_hours = 1e4

[rates]
engineer = 100

[options.a]
price = 50
peak_pflops = 8
utilization = 0.4

[options.b]
price = 40
peak_pflops = 8
utilization = 0.4
engineer_hours = { dist = "lognormal", median = 200, sigma = 0.5 }
faults_per_1000h = 1
hours_lost_per_fault = 2
"""
STRANGE = {
    "no work": ("pflop_hours = 1e4", ""),
    "an integer of thousands of digits": ("engineer = 100", "engineer = 1" + "0" * 5000),
    "an integer beyond all floats": ("engineer = 100", "engineer = 1" + "0" * 400),
    "a price whose square is infinite": ("price = 40", "price = 1e200"),
    "more work than there are hours": ("pflop_hours = 1e4", "pflop_hours = 1e29"),
    "a rate next to nothing": ("price = 40", "price = 1e-300"),
    "a law beyond all sizes": ("median = 200, sigma = 0.5", "median = 200, sigma = 15"),
    "nested without end": ("price = 40", "price = " + "{a = " * 2000),
    "a long dotted key": ("price = 40", ".".join(["a"] * 5000) + " = 1"),
    "many instances": ("price = 40", "price = 40\ninstances = 1" + "0" * 30),
    "names with blanks": (
        "[options.a]",
        '[[correlations]]\nbetween = ["b. engineer_hours", "b .faults_per_1000h"]\nspearman = 0.3\n\n[options.a]',
    ),
    "a baseline that is a list": ('baseline = "a"', "baseline = []"),
    "a title that steers": ('currency = "USD"', 'currency = "USD"\ntitle = "\\u001b[31mred"'),
    "a title that turns": ('currency = "USD"', 'currency = "USD"\ntitle = "\\u202egnp.exe"'),
    "a raw escape": ('currency = "USD"', 'currency = "USD"\ntitle = "\x1b]0;x\x07"'),
    "a label of markup": ("price = 40", 'price = 40\nlabel = "[bold red]b[/] [/] [link=x]"'),
    "a unit of markup": ("price = 40", 'price = { value = 40, unit = "USD/instance-hour [/]" }'),
}


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("verb", ["run", "check"])
def test_a_strange_study_is_run_or_refused_in_words(name: str, verb: str, tmp_path: Path) -> None:
    old, new = STRANGE[name]
    assert old in STUDY
    path = tmp_path / "study.toml"
    path.write_text(STUDY.replace(old, new), "utf-8")
    assert complaint([verb, str(path), *(["--draws", "256"] if verb == "run" else [])]) == ""


def test_one_option_alone_is_no_decision(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY[: STUDY.index("[options.b]")], "utf-8")
    assert complaint(["run", str(path)]) == ""


def test_a_count_of_a_huge_mean_ends() -> None:
    mean = np.array([1e6, 1e12])
    counts = poisson_quantile(mean, np.full(2, 0.975))
    assert np.all(np.abs((counts - mean) / np.sqrt(mean) - 1.95996) < 2e-3)
    assert np.all(poisson_quantile(np.array([1e85]), np.array([0.3])) > 0)


def test_windows_line_ends_give_the_same_study(tmp_path: Path) -> None:
    from simulator.study import load_study

    unix, windows = tmp_path / "unix.toml", tmp_path / "windows.toml"
    unix.write_bytes(STUDY.encode())
    windows.write_bytes(b"\xef\xbb\xbf" + STUDY.replace("\n", "\r\n").encode())
    assert load_study(windows).inputs == load_study(unix).inputs


def test_a_fault_names_the_line_under_windows_line_ends_too(tmp_path: Path) -> None:
    from simulator.study import StudyError, load_study

    path = tmp_path / "study.toml"
    path.write_bytes(STUDY.replace("utilization", "utilisation", 1).replace("\n", "\r\n").encode())
    with pytest.raises(StudyError) as caught:
        load_study(path)
    assert caught.value.faults[0].line == 1 + STUDY[: STUDY.index("utilization")].count("\n")
