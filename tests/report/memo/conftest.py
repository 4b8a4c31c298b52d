"""A memo with every section, made once; a browser that reports what it was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from simulator.report.memo import Wording, document
from simulator.report.memo.pdf import browser as installed
from tests.report.memo.example import Made, hostile, plain, whole

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def made() -> Made:
    return whole()


@pytest.fixture(scope="session")
def committed() -> Made:
    """Three options, a commitment signed already, correlations, a mixture, other costs."""
    return plain("tests/data/study-c.toml")


@pytest.fixture(scope="session")
def wicked(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A study whose every text is an attack."""
    return hostile(tmp_path_factory.mktemp("wicked"))


Saved = Callable[[Made, str], Path]


@pytest.fixture(scope="session")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Saved:
    """Write a memo as HTML, each once."""
    folder, known = tmp_path_factory.mktemp("memos"), {}
    kept: list[Made] = []

    def save(made: Made, lang: str = "en") -> Path:
        key = (id(made.content), lang)
        if key not in known:
            kept.append(made)  # lest another memo come to the same id
            path = folder / f"{len(known)}.html"
            path.write_bytes(document(made.content, Wording(lang, made.study.currency), "html"))
            known[key] = path
        return known[key]

    return save


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = installed()
    if path is None:
        pytest.skip("no Chromium is installed (Debian: apt install chromium fonts-noto-cjk)")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


Opened = Callable[..., "Page"]


@pytest.fixture
def opened(visited: Opened, saved: Saved) -> Opened:
    """Open a memo."""

    def open_memo(made: Made, lang: str = "en", anchor: str = "", width: int = 1100, scheme: str = "light") -> Page:
        return visited(saved(made, lang), anchor, width, scheme)

    return open_memo


@pytest.fixture
def visited(chromium: Browser) -> Iterator[Opened]:
    """Open a file; the test fails when the page asks a network for anything, or complains."""
    asked: list[str] = []
    said: list[str] = []
    contexts = []

    def visit(path: Path, anchor: str = "", width: int = 1100, scheme: str = "light") -> Page:
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (said.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.goto(path.as_uri() + anchor)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert said == []
