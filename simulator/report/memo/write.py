"""Memos and their charts as files: written beside, then renamed, so that there is a whole one or the former one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from simulator.report.memo.charts import pictures
from simulator.report.memo.content import MemoContent
from simulator.report.memo.wording import Lang, Wording
from simulator.study import Fault, StudyError

FORMATS: Mapping[str, str] = {"html": ".memo.html", "md": ".memo.md", "pdf": ".memo.pdf"}
"""Formats, and what the file of each is called behind the name of the study."""


def document(content: MemoContent, words: Wording, form: str, *, paper: str = "a4", folder: str | None = None) -> bytes:
    """The memo in one of `FORMATS`; `folder` is where its charts are, for a Markdown memo to link to."""
    if form == "md":
        from simulator.report.memo.markdown import render_markdown

        return render_markdown(content, words, folder).encode()
    from simulator.report.memo.page import render

    html = render(content, words, paper=paper)
    if form == "html":
        return html.encode()
    from simulator.report.memo.pdf import to_pdf

    return to_pdf(html)


def repeated(lang: Lang | None, form: str, paper: str) -> list[str]:
    """How a memo is written, for the command that makes it again; what it would be without saying so is left out."""
    said = {"--lang": lang, "--format": form if form != "html" else None, "--paper": paper if paper != "a4" else None}
    return [part for option, value in said.items() if value for part in (option, value)]


def check_place(path: Path) -> None:
    """StudyError if there is no folder to write a file into: said before anything is computed."""
    if not path.parent.is_dir():
        raise StudyError([Fault(str(path), 0, "--out", f"no folder {str(path.parent)!r}", "a folder that is there")])


def write_memo(data: bytes, path: Path) -> Path:
    """Write a memo; a former one is replaced.

    Raises
    ------
    StudyError
        If the file cannot be written.
    """
    _replace(path, data, "--out")
    return path


def write_charts(content: MemoContent, words: Wording, folder: Path) -> list[Path]:
    """Every chart with its title, as SVG and PNG, in a folder; those of the same name are replaced."""
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StudyError([_fault(folder, "--charts", error)]) from None
    for found in pictures(content, words).values():
        for each in found:
            svg, png = each.files()
            for suffix, data in ((".svg", svg.encode()), (".png", png)):
                path = folder / f"{each.key}{suffix}"
                _replace(path, data, "--charts")
                written.append(path)
    return written


def _replace(path: Path, data: bytes, option: str) -> None:
    beside = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            beside = Path(file.name)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(0o644)
        beside.replace(path)
    except OSError as error:
        raise StudyError([_fault(path, option, error)]) from None
    finally:
        if beside is not None:
            beside.unlink(missing_ok=True)


def _fault(path: Path, option: str, error: OSError) -> Fault:
    return Fault(str(path), 0, option, f"cannot be written ({error.strerror})", "a place that may be written")
