"""The memo as Markdown, for a pull request or a wiki: the same words and tables, charts by link where there are any."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from simulator.report.memo.charts import pictures
from simulator.report.memo.content import MemoContent
from simulator.report.memo.inert import inert
from simulator.report.memo.page import context
from simulator.report.memo.picture import Picture
from simulator.report.memo.wording import Wording

if TYPE_CHECKING:
    from jinja2 import Environment

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$!])")
_LINK = re.compile(r"(?i)\b(https?|ftp)(?=:)|\bwww(?=\.)|@(?=\w)")


class Plain(str):
    """Text that is Markdown already."""

    __slots__ = ()


def render_markdown(content: MemoContent, words: Wording, folder: str | None = None) -> str:
    """The memo as CommonMark with tables; `folder` is where its charts are, relative to the file, if anywhere."""
    return markdown(
        "memo.md.j2",
        content.origin.command,
        **context(content, words),
        charts=pictures(content, words),
        folder=None if folder is None else Plain(re.sub(r"[<>\n]", "", inert(folder))),
    )


def markdown(template: str, command: str, **filled: object) -> str:
    """A document of a template in which a command stands fenced."""
    text = environment().get_template(template).render(**filled, fence=Plain(_fence(command)))
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Plain:
    """A table, an empty line behind it."""
    lines = [head, ["---"] * len(head), *rows]
    cells = (" | ".join(each if i == 1 else escaped(str(each)) for each in line) for i, line in enumerate(lines))
    return Plain("".join(f"| {line} |\n" for line in cells))


def _figure(each: Picture, folder: str | None) -> Plain:
    """A chart: its message, its image where there is one, its numbers."""
    image = f"![{escaped(each.title)}](<{folder}/{each.key}.svg>)" if folder is not None else ""
    parts = (f"### {escaped(each.title)}", image, _table(each.head, each.rows), escaped(each.note))
    return Plain("\n\n".join(part for part in parts if part) + "\n")


def _fence(text: str) -> str:
    """A code fence longer than any run of backticks in the text."""
    return "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))


def escaped(text: str) -> str:
    """Text in which nothing is markup, HTML, a mention or a link."""
    return _LINK.sub(lambda found: f"{found[0]}&#8203;", _SPECIAL.sub(r"\\\1", inert(text)))


@cache
def environment() -> Environment:
    """Templates of the Markdown memo: everything that is filled in is escaped, unless it is Markdown already."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    def finalized(value: object) -> object:
        if isinstance(value, str) and not isinstance(value, Plain):
            return escaped(value)
        return "" if value is None else value

    made = Environment(  # no HTML: `finalized` escapes
        loader=PackageLoader("simulator.report.memo"),
        finalize=finalized,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"table": _table, "figure": _figure}
    made.filters["raw"] = lambda text: Plain(inert(str(text)))
    return made
