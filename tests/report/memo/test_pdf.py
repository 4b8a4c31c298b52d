"""Catches a PDF that is none, and a machine that cannot print and does not say so."""

from __future__ import annotations

import re

import pytest

from simulator.report.memo import NoPrinterError, Wording, document, pdf
from tests.report.memo.example import Made


def test_where_nothing_prints_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf.shutil, "which", lambda _: None)
    monkeypatch.setattr(pdf, "find_spec", lambda _: None)

    with pytest.raises(NoPrinterError, match=r"install Chromium .* or write --format html"):
        pdf.check_printer()
    with pytest.raises(NoPrinterError, match="no browser of the Chromium family was found"):
        pdf.to_pdf("<p>")


def test_a_browser_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf.shutil, "which", lambda _: "/bin/false")
    monkeypatch.setattr(pdf, "find_spec", lambda _: None)

    with pytest.raises(NoPrinterError, match="/bin/false failed"):
        pdf.to_pdf("<p>")


def test_a_browser_prints_pages_of_the_paper(made: Made) -> None:
    if pdf.browser() is None:
        pytest.skip("no Chromium is installed (Debian: apt install chromium fonts-noto-cjk)")
    printed = document(made.content, Wording("zh", "USD"), "pdf", paper="letter")

    assert printed.startswith(b"%PDF")
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    assert len(boxes) > 5
    assert set(boxes) == {(b"612", b"792")}
