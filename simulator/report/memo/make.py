"""From a study to its memo: run, put together, write."""

from __future__ import annotations

import os
from pathlib import Path

from simulator.calibration import with_posterior
from simulator.engine import DEFAULT_DRAWS, DEFAULT_SEED, run
from simulator.engine.runner import Progress
from simulator.report.memo.analyses import analyses
from simulator.report.memo.assemble import assemble
from simulator.report.memo.learned import learned
from simulator.report.memo.pdf import check_printer
from simulator.report.memo.wording import Lang, Wording
from simulator.report.memo.write import FORMATS, check_place, document, repeated, write_charts, write_memo
from simulator.study import Study, scenario_of


def _silent(done: int, planned: int) -> None:
    """No progress shown."""


def make_memo(
    study: Study,
    form: str = "html",
    lang: Lang | None = None,
    paper: str = "a4",
    out: Path | None = None,
    charts: Path | None = None,
    *,
    scenario: str | None = None,
    draws: int = DEFAULT_DRAWS,
    seed: int = DEFAULT_SEED,
    progress: Progress = _silent,
) -> list[Path]:
    """Run a study and write its memo.

    Parameters
    ----------
    study : Study
        With its priors; a posterior that lies beside it is used, as `run` does.
    form : str
        One of `FORMATS`.
    lang : "en" or "zh", optional
        Else what `[memo]` says, else English.
    paper : str
        `a4` or `letter`, for printing.
    out : Path, optional
        The file; else the study's name in the current folder. A former memo is replaced.
    charts : Path, optional
        A folder for every chart as SVG and PNG.
    scenario : str, optional
        The scenario to write about as if it were the study.
    draws, seed : int
        As of `run`.
    progress : callable
        As of `run`.

    Returns
    -------
    list of Path
        The files written, the memo first.

    Raises
    ------
    StudyError
        If the logo is unfit or a file cannot be written.
    NoPrinterError
        If a PDF is asked for where nothing can print.
    """
    path = out or Path(Path(study.path).stem + FORMATS[form])
    check_place(path)
    if form == "pdf":
        check_printer()
    spoken: Lang = lang or (study.memo.lang if study.memo else "en")
    shape = repeated(spoken if lang else None, form, paper)
    used = with_posterior(study)
    asked = scenario_of(used, scenario)
    result = run(asked, draws, seed, progress=progress)
    content = assemble(
        asked,
        result,
        arguments=shape,
        calibration=learned(scenario_of(study, scenario), asked, result) if used.posterior else None,
        **analyses(asked, draws, seed)._asdict(),
    )
    words = Wording(spoken, study.currency)
    folder = None if charts is None else os.path.relpath(charts, path.parent)
    written = [write_memo(document(content, words, form, paper=paper, folder=folder), path)]
    return written + (write_charts(content, words, charts) if charts else [])
