"""A chart as a value: its message, its words, its numbers, and the Vega-Lite document that draws it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.report.memo.inert import inert

Spec = dict[str, Any]
"""A Vega-Lite 5 document, or a part of one."""

# Okabe & Ito (2008), "Color universal design": told apart by readers with any common colour blindness.
BLUE, VERMILLION, GREEN, ORANGE = "#0072b2", "#d55e00", "#009e73", "#e69f00"
SKY, PURPLE, YELLOW = "#56b4e9", "#cc79a7", "#f0e442"
INK, MUTED, GRID, PALE = "#1a1a1a", "#5a5a5a", "#d8d8d8", "#a8a8a8"
PAPER = "#ffffff"
CANDIDATES = (BLUE, ORANGE, GREEN, PURPLE, VERMILLION, SKY)

WIDTH = 420  # of a whole chart: at 360 px of a telephone its labels can still be read
FONT = "Liberation Sans, Arial, Helvetica, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif"
TITLE_CHARACTERS = 52
VEGA_LITE = "5.20"

CONFIG: Spec = {
    "background": PAPER,
    "font": FONT,
    "axis": {
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelColor": INK,
        "titleColor": INK,
        "gridColor": GRID,
        "domainColor": MUTED,
        "tickColor": MUTED,
        "titlePadding": 8,
        "labelLimit": 170,
        "titleLimit": 400,
    },
    "legend": {
        "labelFontSize": 12,
        "titleFontSize": 12,
        "labelColor": INK,
        "titleColor": INK,
        "labelLimit": 380,
        "symbolSize": 110,
    },
    "title": {"fontSize": 14, "color": INK, "anchor": "start", "fontWeight": "bold", "offset": 12},
    "header": {"labelFontSize": 12, "labelColor": INK, "titleFontSize": 12},
    "view": {"stroke": None},
    "text": {"fontSize": 12, "color": INK},
}


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart.

    Attributes
    ----------
    key : str
        Its name in the page and of its files.
    title : str
        Its message.
    alt : str
        What it shows, for those who cannot see it.
    head, rows : tuples of str
        Its numbers as a table.
    spec : Spec
        The Vega-Lite document without title.
    note : str
        What a reader needs to know beside it; may be empty.
    """

    key: str
    title: str
    alt: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    spec: Spec
    note: str = ""

    def svg(self) -> str:
        """The chart for a page that gives the title: an SVG element whose identifiers are its own."""
        from vl_convert import vegalite_to_svg

        return _for_page(vegalite_to_svg(_whole(self.spec), vl_version=VEGA_LITE), self.key)

    def files(self) -> tuple[str, bytes]:
        """The chart with its title, as SVG and as PNG."""
        from vl_convert import vegalite_to_png, vegalite_to_svg

        spec = _whole(self.spec) | {"title": _lines(self.title)}
        return (
            vegalite_to_svg(spec, vl_version=VEGA_LITE),
            vegalite_to_png(spec, vl_version=VEGA_LITE, scale=2),
        )


def _whole(spec: Spec) -> Spec:
    head = {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "padding": 6, "config": CONFIG}
    return {**head, **{key: _inert_texts(each) for key, each in spec.items()}}


def _inert_texts(value: Any) -> Any:
    """Every text of a document without characters that could turn or hide it."""
    if isinstance(value, str):
        return inert(value)
    if isinstance(value, Mapping):
        return {key: _inert_texts(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_inert_texts(each) for each in value]
    return value


def _lines(title: str) -> list[str]:
    """A title in lines that fit the chart; a Chinese one may break anywhere, and its characters are twice as wide."""
    lines: list[str] = []
    line, width = "", 0
    for word in re.findall(r"[\u2e80-\uffef]|[^\s\u2e80-\uffef]+\s*|\s+", inert(title)):
        size = sum(2 if ord(c) > 0x2E7F else 1 for c in word.rstrip())
        if line and width + size > TITLE_CHARACTERS:
            lines, line, width = [*lines, line.rstrip()], "", 0
        line, width = line + word, width + sum(2 if ord(c) > 0x2E7F else 1 for c in word)
    return [*lines, line.rstrip()]


_MARKS = re.compile(r' (?:role|aria-[a-z]+|class)="[^"]*"')
_SIZE = re.compile(r'^<svg [^>]*?width="([\d.]+)" height="([\d.]+)"[^>]*>')


def _for_page(svg: str, key: str) -> str:
    """One image to assistive software, which the page names; identifiers are unique in a page of many charts."""
    svg = _MARKS.sub("", svg)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{key}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{key}-\1)", svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{key}-\1"', svg)
    size = _SIZE.match(svg)
    assert size is not None, "vl-convert writes the size of an image first"
    box = f"0 0 {size[1]} {size[2]}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="presentation" focusable="false">'
    return head + svg[size.end() :]
