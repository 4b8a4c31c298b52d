"""Where reports are printed, and how a paragraph is set there."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


def console() -> Console:
    """Standard output as rich writes it: no colour when it is no terminal or `NO_COLOR` is set."""
    from rich.console import Console

    return Console(highlight=False)


def paragraph(text: str, width: int, by: int = 0, style: str = "", hang: int = 0) -> Text:
    """Text within a width, indented, without blanks at the ends of its lines as rich's own padding leaves them."""
    from rich.text import Text

    lines = wrap(text, width, initial_indent=" " * by, subsequent_indent=" " * (by + hang), break_on_hyphens=False)
    return Text("\n".join(lines), style)
