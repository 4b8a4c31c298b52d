"""The one place where a memo's content is put together from the parts of the program that compute it."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from simulator.audit import Finding, audit, claim_outside
from simulator.audit.check import gravity, notes
from simulator.audit.explain import not_modelled, told
from simulator.engine import Result
from simulator.report.memo.content import BreakEven, Calibration, Drivers, Logo, MemoContent, Origin, PocPlan
from simulator.report.memo.curves import curves
from simulator.report.memo.sample import Sample
from simulator.report.memo.whatif import whatif
from simulator.report.verdict import leading
from simulator.study import Fault, Study, StudyError

CURVE_DRAWS = 2**15
MAX_LOGO_BYTES = 200_000

# The first bytes of the images that a page can carry; an SVG in an <img> runs no scripts and loads nothing.
IMAGES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
    b"<svg": "image/svg+xml",
    b"<?xml": "image/svg+xml",
}


def assemble(
    study: Study,
    result: Result,
    *,
    arguments: Sequence[str] = (),
    drivers: Drivers | None = None,
    break_even: BreakEven | None = None,
    poc: PocPlan | None = None,
    calibration: Calibration | None = None,
) -> MemoContent:
    """Everything that a memo of a run tells.

    Parameters
    ----------
    study, result : Study, Result
        What was run, and what came out.
    arguments : sequence of str
        How the memo is written (`--lang zh`), to be repeated on the command line that makes it again.
    drivers, break_even, poc, calibration
        What other analyses found; sections of those that are None are left out of the memo.

    Raises
    ------
    StudyError
        If the logo is no image that a page can carry.
    """
    sample = Sample.of(study, result, CURVE_DRAWS)
    return MemoContent(
        study=study,
        result=result,
        leading=leading(study, result),
        curves=curves(study, sample),
        inputs=told(study),
        left_out=not_modelled(study),
        findings=findings(study, result),
        origin=origin(study, result, arguments),
        whatif=whatif(study, result, sample),
        drivers=drivers,
        break_even=break_even,
        poc=poc,
        calibration=calibration,
        logo=logo(study),
    )


def findings(study: Study, result: Result) -> tuple[Finding, ...]:
    """What the audit and the reading of the file found, the gravest first, each once."""
    found = [*audit(study), *notes(study)]
    for name, claim in result.claims.items():
        reached = claim.p_reached
        found += claim_outside(f"claims.{name}", claim.option, claim.saving_share, reached.value, reached.mcse)
    known = {(each.code, each.where, each.message) for each in found}
    found += [Finding(**asdict(each)) for each in result.findings if (each.code, each.where, each.message) not in known]
    return tuple(sorted(found, key=gravity))


def origin(study: Study, result: Result, arguments: Sequence[str]) -> Origin:
    """The command that makes the memo again, and the versions on which its figures rest."""
    run = result.run
    changed = [part for each in study.settings for part in ("--set", each)]
    changed += ["--scenario", study.chosen] if study.chosen is not None else []
    parts = [
        "simulate",
        "memo",
        study.path or "STUDY",
        *changed,
        *arguments,
        "--seed",
        str(run.seed),
        "--draws",
        str(run.draws),
    ]
    versions = {
        "switchodds": run.version,
        "Python": platform.python_version(),
        "NumPy": version("numpy"),
        "SciPy": version("scipy"),
    }
    return Origin(shlex.join(parts), versions)


def logo(study: Study) -> Logo | None:
    """The logo that the study names; that it lies in the study's folder was checked when the study was read."""
    if study.memo is None or study.memo.logo is None:
        return None
    path = Path(study.path).parent / study.memo.logo
    expected = f"a PNG, JPEG, GIF, WebP or SVG image of at most {MAX_LOGO_BYTES // 1000} kB"
    try:
        with path.open("rb") as file:
            data = file.read(MAX_LOGO_BYTES + 1)
    except OSError as error:
        raise StudyError([Fault(study.path, 0, "memo.logo", f"cannot be read ({error.strerror})", expected)]) from None
    media = next((media for start, media in IMAGES.items() if data.startswith(start)), None)
    if media is None or len(data) > MAX_LOGO_BYTES:
        found = "no image" if media is None else f"more than {MAX_LOGO_BYTES // 1000} kB"
        raise StudyError([Fault(study.path, 0, "memo.logo", f"{study.memo.logo!r} is {found}", expected)])
    return Logo(media, data)
