"""The memo's words and numbers in one language: the catalogue `words.toml`, and figures as their error allows."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from simulator.engine import Figure
from simulator.report.memo.inert import inert
from simulator.report.numbers import resolution, rounded
from simulator.study.said import Between, Said, Series
from simulator.study.sections import Memo

Lang = Literal["en", "zh"]
LANGUAGES: tuple[Lang, ...] = get_args(Lang)

# Sizes by which amounts are counted: the catalogue's name, the amount from which, the divisor.
SCALES: dict[Lang, tuple[tuple[str, float, float], ...]] = {
    "en": (("billion", 1e9, 1e9), ("million", 1e6, 1e6), ("thousand", 1e4, 1e3), ("plain", 0.0, 1.0)),
    "zh": (("hundred_million", 1e8, 1e8), ("ten_thousand", 1e4, 1e4), ("plain", 0.0, 1.0)),
}
SHARES = frozenset({"share", "probability"})  # units that are told in per cent
GIVEN = 6  # digits of a number that was given; what is computed has fewer
LEAST_CHANCE = 0.001  # cells say no more of what is less likely
BETWEEN: dict[Between, str] = {
    "; ": "number.semicolon",
    ", ": "number.comma",
    " and ": "number.and",
    " or ": "number.or",
}
HOURS_OF = "instance-hours of "  # the unit of a volume: those of an option
MINUS = "\N{MINUS SIGN}"
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """Texts by dotted key, in every language."""
    text = (files("simulator") / "report" / "memo" / "words.toml").read_text("utf-8")
    return {f"{group}.{key}": each for group, table in tomllib.loads(text).items() for key, each in table.items()}


@cache
def sentences() -> dict[str, dict[str, str]]:
    """The program's sentences, in every language, by their English template."""
    return {each["en"]: each for key, each in catalogue().items() if key.startswith("said.")}


@dataclass(frozen=True, slots=True)
class Wording:
    """Words and numbers in one language, amounts in one currency."""

    lang: Lang
    currency: str

    def __call__(self, key: str, **values: object) -> str:
        """A text of the catalogue with its places filled in, with inert text: it may come from the study."""
        text = catalogue()[key][self.lang]
        return text.format(**{name: inert(str(value)) for name, value in values.items()}) if values else text

    # Amounts and probabilities: never more digits than the Monte Carlo error supports, and at most three.

    def money(self, amount: Figure | float, digits: int = 3) -> str:
        """An amount without its sign: `38.2 thousand USD`; one that its error swallows is no more than that error."""
        figure = amount if isinstance(amount, Figure) else Figure(amount, 0.0)
        value = abs(rounded(figure, digits))
        if not math.isfinite(value):
            return self("number.none")
        if value == 0 and figure.mcse >= 0.5:
            return self("number.nothing", e=self.money(Figure(figure.mcse, 0.0), 1))
        name, _, divisor = self._scale(value)
        number = f"{value:,.0f}" if divisor == 1 else plain(value / divisor, digits)
        return self(f"number.{name}", x=number, currency=self.currency)

    def amount(self, amount: Figure, divisor: float) -> str:
        """An amount for a cell below a heading that names its unit."""
        value = rounded(amount)
        return self("number.none") if not math.isfinite(value) else plain(value / divisor, 3)

    def signed(self, amount: Figure | float, digits: int = 3) -> str:
        """An amount with a minus sign where it is negative."""
        value = amount.value if isinstance(amount, Figure) else amount
        text = self.money(amount, digits)
        return MINUS + text if value < 0 and text[:1].isdigit() and text[:2] != "0 " else text

    def cases(self, probability: Figure | float) -> str:
        """A probability as cases: `32 of 100 cases`; small ones in a larger number of cases."""
        figure = probability if isinstance(probability, Figure) else Figure(probability, 0.0)
        p, noise = figure.value, max(3 * figure.mcse, 1e-12)
        if p <= noise:
            return self("number.cases_none") if p <= 0 else self("number.cases_fewer", n=_whole(1 / (p + noise)))
        if p >= 1 - noise:
            return self("number.cases_all") if p >= 1 else self("number.cases_all_but", n=_whole(1 / (1 - p + noise)))
        for whole in (100, 1_000, 10_000, 100_000, 1_000_000):
            if whole * p >= 0.95 and whole * (1 - p) >= 0.95:
                return self("number.cases", x=f"{whole * p:,.0f}", n=f"{whole:,}")
        return self("number.cases_fewer" if p < 0.5 else "number.cases_all_but", n="1,000,000")

    def percent(self, share: Figure | float) -> str:
        """A share as a percentage, to a tenth where the error allows."""
        figure = share if isinstance(share, Figure) else Figure(share, 0.0)
        if not math.isfinite(figure.value):
            return self("number.none")
        decimals = 1 if resolution(figure) <= 1e-3 else 0
        text = f"{abs(100 * figure.value):.{decimals}f}"
        return (MINUS if figure.value < 0 and float(text) else "") + text + " %"

    def chance(self, probability: Figure) -> str:
        """A probability for a cell; never none or all of the cases."""
        if probability.value < LEAST_CHANCE:
            return f"< {100 * LEAST_CHANCE:g} %"
        return (
            f"> {100 - 100 * LEAST_CHANCE:g} %" if probability.value > 1 - LEAST_CHANCE else self.percent(probability)
        )

    def share(self, value: float) -> str:
        """A given share, which has no error, in as few digits as it was given with."""
        return f"{100 * value:.{GIVEN}g} %".replace("-", MINUS)

    def number(self, value: float | None, digits: int = GIVEN) -> str:
        """A value of an input."""
        if value is None or not math.isfinite(value):
            return self("number.none")
        if value == 0:
            return "0"
        if 1e-4 <= abs(value) < 1e7:
            return plain(float(f"{value:.{digits}g}"), digits)
        power = math.floor(math.log10(abs(value)))
        return f"{plain(value / 10.0**power, digits)} × 10{str(power).translate(_RAISED)}"

    # Sentences of the program.

    def say(self, sentence: str) -> str:
        """What the program said in English, as it is made of catalogued templates; any other text as it is."""
        match sentence:
            case Series():
                return self(BETWEEN[sentence.between]).join(map(self.say, sentence.parts))
            case Said():
                values = {k: self.say(x) if isinstance(x, str) else x for k, x in sentence.values.items()}
                return sentences()[sentence.template][self.lang].format(**values)
        return inert(sentence)

    # Names.

    def input(self, name: str) -> str:
        """An input in words, with its option."""
        owner, _, key = name.partition(".")
        if not key:
            return self(f"input.{name}") if f"input.{name}" in catalogue() else inert(name)
        key = "other_costs" if key.startswith("other_costs") else key
        words = self(f"input.{key}") if f"input.{key}" in catalogue() else key
        return self("input.of_option", option=owner, input=words)

    def unit(self, unit: str) -> str:
        """A unit in words."""
        if unit.startswith(HOURS_OF):
            return self("unit.hours_of", option=unit.removeprefix(HOURS_OF))
        key = f"unit.{unit.replace(self.currency, '{currency}') if self.currency else unit}"
        return self(key, currency=self.currency) if key in catalogue() else inert(unit)

    def byline(self, head: str, as_of: date | None, memo: Memo | None, company: str | None = None) -> str:
        """What stands over a title: whose it is, what it is, as of when, and by whom."""
        dated = self("head.as_of", date=as_of) if as_of else None
        signed = self("head.by", author=memo.author) if memo and memo.author else None
        return self("number.dot").join(filter(None, (company, self(head), dated, signed)))

    def runs(self, count: int) -> str:
        """So many runs of a proof of concept."""
        return self("number.run") if count == 1 else self("number.runs", n=count)

    def first(self, shown: int, every: int) -> str:
        """That a chart shows the first of many; nothing where it shows all."""
        return self("chart.shown_first", shown=shown, all=every) if shown < every else ""

    def sentences(self, *each: str) -> str:
        """Sentences one after another; empty ones are left out."""
        return self("number.sentence").join(filter(None, each))

    def purchase(self, kind: str) -> str:
        """A way of buying."""
        return self(f"kind.{kind}") if f"kind.{kind}" in catalogue() else inert(kind)

    def value(self, value: float | None, unit: str, digits: int = GIVEN) -> str:
        """A value for a cell beside its unit; a share as a percentage."""
        if unit in SHARES and value is not None and math.isfinite(value):
            return self.share(float(f"{value:.{digits}g}"))
        return self.number(value, digits)

    def with_unit(self, value: float, unit: str) -> str:
        """A value with its unit; a share as a percentage."""
        told = self.value(value, unit, 3)
        return told if unit in {*SHARES, "count"} else f"{told} {self.unit(unit)}"

    # The unit of an axis of amounts.

    def scale(self, largest: float) -> tuple[str, float]:
        """The unit in which amounts up to a largest one are drawn, and what to divide by."""
        name, _, divisor = self._scale(abs(largest))
        return self(f"number.unit_{name}", currency=self.currency), divisor

    def _scale(self, value: float) -> tuple[str, float, float]:
        return next(each for each in SCALES[self.lang] if value >= each[1])

    @property
    def js_units(self) -> list[list[object]]:
        """The scales for the page's own numbers: amount from which, divisor, and the word behind the number."""
        found: list[list[object]] = []
        for name, least, divisor in SCALES[self.lang]:
            words = catalogue()[f"number.{name}"][self.lang]
            found.append([least, divisor, words.removeprefix("{x}").removesuffix(" {currency}")])
        return found


def plain(value: float, digits: int) -> str:
    """A number to so many significant digits, never with an exponent and without zeros at its end."""
    if value == 0 or not math.isfinite(value):
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{decimals}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", MINUS)


def _whole(number: float) -> str:
    """A number of cases rounded down to one digit."""
    step = 10.0 ** max(math.floor(math.log10(max(number, 1))), 0)
    return f"{math.floor(number / step) * step:,.0f}"
