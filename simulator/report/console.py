"""Where reports are printed, and how a paragraph is set there."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import TYPE_CHECKING

from simulator.study.faults import printable

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.text import Text


def console() -> Console:
    """Standard output as rich writes it: no colour when it is no terminal or `NO_COLOR` is set.

    What is printed may hold text from files that others wrote: it is no markup, and characters that would steer the
    terminal are spelled out, wherever in a report they stand.
    """
    from rich.console import Console

    class Inert(Console):
        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
            for segment in super().render(renderable, options):
                yield segment if segment.control else segment._replace(text=printable(segment.text, keep="\n"))

    return Inert(highlight=False, markup=False, emoji=False)


def paragraph(text: str, width: int, by: int = 0, style: str = "", hang: int = 0) -> Text:
    """Text within a width, indented, without blanks at the ends of its lines as rich's own padding leaves them."""
    from rich.text import Text

    lines = wrap(text, width, initial_indent=" " * by, subsequent_indent=" " * (by + hang), break_on_hyphens=False)
    return Text("\n".join(lines), style)
