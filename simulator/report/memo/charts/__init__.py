"""The charts of a memo, section by section."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.report.memo.charts import decide, learn, money, saving
from simulator.report.memo.content import MemoContent
from simulator.report.memo.picture import Picture
from simulator.report.memo.wording import Wording


def pictures(content: MemoContent, words: Wording) -> Mapping[str, tuple[Picture, ...]]:
    """Every chart that the content has numbers for, by the section that shows it."""
    found = {
        "money": (*money.waterfall(content, words), *money.components(content, words)),
        "saving": (
            *saving.exceedance(content, words),
            *saving.density(content, words),
            *saving.acceptability(content, words),
        ),
        "drivers": tuple(decide.tornado(content.drivers, words)) if content.drivers else (),
        "break_even": tuple(decide.break_even(content, content.break_even, words)) if content.break_even else (),
        "scenarios": tuple(decide.scenarios(content, words)),
        "timeline": tuple(money.timeline(content, words)),
        "poc": tuple(learn.poc(content.poc, words)) if content.poc else (),
        "calibration": tuple(learn.posterior(content.calibration, words)) if content.calibration else (),
    }
    return {section: each for section, each in found.items() if each}
