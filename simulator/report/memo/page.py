"""The memo as one HTML file that needs nothing else: styles, scripts, charts, draws and logo are inside."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from simulator.report.memo import tables
from simulator.report.memo.advice import advice, cautions, what_would_change
from simulator.report.memo.charts import pictures
from simulator.report.memo.content import MemoContent
from simulator.report.memo.inert import inert
from simulator.report.memo.picture import Picture
from simulator.report.memo.whatif import Slider
from simulator.report.memo.wording import Wording, catalogue

if TYPE_CHECKING:
    from jinja2 import Environment

SCRIPTS = ("model.js", "drawing.js", "page.js")
LEAST_EFFECTIVE = 400  # draws: below it a reweighted probability is off by 5 points or more at two standard errors
PAPERS = {"a4": "A4", "letter": "letter"}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chart in the page."""

    picture: Picture
    svg: str


def render(content: MemoContent, words: Wording, *, paper: str = "a4") -> str:
    """The memo as HTML.

    Parameters
    ----------
    content : MemoContent
    words : Wording
        The language that it speaks.
    paper : str
        `a4` or `letter`, for printing.
    """
    from markupsafe import Markup

    script = "".join(_template(name) for name in SCRIPTS)
    filled = context(content, words) | {
        "data": Markup(_json(_page_data(content, words))) if content.whatif else None,
        "logo": content.logo,
        "sliders": _sliders(content),
    }
    return page("memo.html.j2", pictures(content, words), filled, paper=paper, script=script)


def page(
    template: str,
    sections: Mapping[str, Sequence[Picture]],
    filled: Mapping[str, object],
    *,
    paper: str = "a4",
    script: str = "",
) -> str:
    """A page of a template, with the memo's style, charts by section, and a policy that lets nothing else in."""
    from markupsafe import Markup

    # Marked as safe are this package's own files, what vl-convert has escaped, and what `_json` has.
    style = _template("memo.css").replace("/*paper*/", f"@page {{ size: {PAPERS[paper]}; }}")
    drawn = {section: [Drawn(each, Markup(each.svg())) for each in found] for section, found in sections.items()}
    return environment().get_template(template).render(
        **filled, charts=drawn, policy=policy(style, script), style=Markup(style), script=Markup(script)
    )  # fmt: skip


def context(content: MemoContent, words: Wording) -> dict[str, object]:
    """What the templates of HTML and Markdown both read."""
    return {
        "t": words,
        "c": content,
        "study": content.study,
        "result": content.result,
        "advice": advice(content, words),
        "cautions": list(cautions(content, words)),
        "mind": list(what_would_change(content, words)),
        "options": tables.options(content, words),
        "claims": tables.claims(content, words),
        "thresholds": tables.thresholds(content, words),
        "needed": tables.needed(content, words),
        "effects": tables.effects(content, words),
        "shifts": tables.shifts(content, words),
        "inputs": tables.inputs(content, words),
        "method": tables.method(content, words),
    }


def policy(style: str, script: str) -> str:
    """A Content-Security-Policy that lets this page's own style and script be, images within it, and nothing else."""
    allowed = f"'{_digest(script)}'" if script else "'none'"
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_digest(style)}'",
            f"script-src {allowed}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def environment() -> Environment:
    """Templates of the memo: everything that is filled in is made inert, then escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def finalized(value: object) -> object:
        if isinstance(value, str) and not isinstance(value, Markup):
            return _unbroken(inert(value))
        return "" if value is None else value

    def coded(text: str) -> Markup:
        """What stands between backticks as code."""
        parts = (
            Markup("<code>{}</code>" if i % 2 else "{}").format(_unbroken(inert(x)))
            for i, x in enumerate(text.split("`"))
        )
        return Markup("").join(parts)

    made = Environment(
        loader=PackageLoader("simulator.report.memo"),
        autoescape=True,
        finalize=finalized,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["coded"] = coded
    return made


def _unbroken(text: str) -> str:
    """Text in which no line ends between a number and its per cent sign."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def _template(name: str) -> str:
    return (files("simulator") / "report" / "memo" / "templates" / name).read_text("utf-8")


def _sliders(content: MemoContent) -> dict[str, list[Slider]]:
    """Sliders by the option that they move, in file order; those of the study as a whole under an empty name."""
    groups: dict[str, list[Slider]] = {}
    for each in content.whatif.sliders if content.whatif else ():
        groups.setdefault(each.option, []).append(each)
    return groups


def _page_data(content: MemoContent, words: Wording) -> dict[str, object]:
    """The what-if document with the words and scales that the page writes with."""
    whatif = content.whatif
    assert whatif is not None, "asked for only with sliders"
    most = max(each.tco.mean.value for each in content.result.options.values())
    unit, divisor = words.scale(most)
    units = {*(each.unit for each in whatif.sliders), *(each.unit for each in whatif.knowns)}
    suffixes = {unit: _suffix(unit, words) for unit in units}
    return {
        **whatif.document,
        "sliders": [asdict(each) | {"suffix": suffixes[each.unit]} for each in whatif.sliders],
        "knowns": [asdict(each) | {"suffix": suffixes[each.unit]} for each in whatif.knowns],
        "candidates": list(whatif.candidates),
        "currency": content.study.currency,
        "units": words.js_units,
        "chart_unit": [divisor, unit],
        "least_effective": LEAST_EFFECTIVE,
        "text": _texts(words, unit),
    }


def _suffix(unit: str, words: Wording) -> str:
    return "" if unit in {"share", "probability", "count"} else words.unit(unit)


def _texts(words: Wording, unit: str) -> dict[str, str]:
    """Texts of the page's script by the names it has for them; places in braces are filled there."""
    group = {
        key.removeprefix("whatif.").removeprefix("answer_"): text[words.lang]
        for key, text in catalogue().items()
        if key.startswith(("whatif.answer_", "whatif.chart_")) or key in {"whatif.effective", "whatif.too_few"}
    }
    parts = {key.replace(".", "_"): text[words.lang] for key, text in catalogue().items() if key.startswith("part.")}
    return group | parts | {
        "axis_saving": words("axis.saving", unit=unit),
        "axis_share": words("axis.saving_share"),
        "axis_cost": words("axis.cost", unit=unit),
        "axis_cases": words("axis.cases"),
        "hurdle": words("mark.hurdle"),
        "join": words("number.sentence"),
    }  # fmt: skip


def _json(value: object) -> str:
    """JSON that may stand in a script element: no character of it can end the element or turn its text."""
    text = json.dumps(_inert_all(value), ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _inert_all(value: object) -> object:
    if isinstance(value, str):
        return inert(value)
    if isinstance(value, Mapping):
        return {key: _inert_all(each) for key, each in value.items()}
    if isinstance(value, Sequence):
        return [_inert_all(each) for each in value]
    return value
