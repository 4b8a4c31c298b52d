"""The memo as PDF: printed by a browser of the Chromium family, else by WeasyPrint; neither is part of the program."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path

from simulator.study.faults import UnableError

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
QUIET = (
    "--headless",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--no-pdf-header-footer",
    "--virtual-time-budget=10000",
)
SECONDS = 60


class NoPrinterError(UnableError):
    """Nothing that could print is installed, or what is failed; the message says what to do."""


def browser() -> str | None:
    """The browser that prints, if there is one."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def check_printer() -> None:
    """NoPrinterError, which says what to install, if nothing that could print is there."""
    if browser() is None and find_spec("weasyprint") is None:
        raise _missing("no browser of the Chromium family was found")


def _missing(why: str) -> NoPrinterError:
    return NoPrinterError(
        f"{why}, and WeasyPrint is not installed; install Chromium (Debian: apt install chromium fonts-noto-cjk) or "
        "`pip install weasyprint`, or write --format html and print it from any browser"
    )


def to_pdf(html: str) -> bytes:
    """The page printed.

    Raises
    ------
    NoPrinterError
        If neither a browser nor WeasyPrint is installed, or the browser fails and WeasyPrint is not there.
    """
    found, why = browser(), "no browser of the Chromium family was found"
    if found is not None:
        try:
            return _by_browser(found, html)
        except (OSError, subprocess.SubprocessError) as error:
            why = f"{found} failed ({type(error).__name__})"
    if find_spec("weasyprint") is not None:
        return _by_weasyprint(html)
    raise _missing(why)


def _by_browser(path: str, html: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="memo-") as folder:
        page, printed = Path(folder, "memo.html"), Path(folder, "memo.pdf")
        page.write_text(html, encoding="utf-8")
        # a browser run by root refuses its sandbox; the page is our own and its policy lets nothing else in
        sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        command = [
            path,
            *QUIET,
            *sandbox,
            f"--user-data-dir={folder}/profile",
            f"--print-to-pdf={printed}",
            page.as_uri(),
        ]
        subprocess.run(command, check=True, timeout=SECONDS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return printed.read_bytes()


def _by_weasyprint(html: str) -> bytes:
    from weasyprint import HTML

    def nothing(url: str) -> dict[str, object]:
        raise ValueError(f"the memo loads nothing: {url}")

    def own(url: str, *args: object, **kwargs: object) -> dict[str, object]:
        from weasyprint import default_url_fetcher

        return default_url_fetcher(url, *args, **kwargs) if url.startswith("data:") else nothing(url)

    printed: bytes = HTML(string=html, url_fetcher=own).write_pdf()
    return printed
