"""Sentences of the program that another language can say too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, Self

Between = Literal["; ", ", ", " and ", " or "]


class Said(str):
    """A sentence in English that remembers what it was made of.

    Everywhere it is its English text. Who speaks another language looks that language's sentence up by `template` and
    fills in the same `values`, so that nothing is computed, rounded or decided a second time. The pattern is `Message`
    of zope.i18nmessageid.

    Parameters
    ----------
    template : str
        As of `str.format`.
    values
        What its places hold; a `Said` or `Series` among them can be said in the other language itself.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """The sentence, with its places filled in."""
        said = super().__new__(cls, template.format(**values))
        said.template, said.values = template, values
        return said

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        return (self.template,), dict(self.values)


class Series(str):
    """Sentences or words one after the other, with the English text between them."""

    between: Between
    parts: tuple[str, ...]

    def __new__(cls, between: Between, parts: Iterable[str], /) -> Self:
        """The parts, joined."""
        parts = tuple(parts)
        series = super().__new__(cls, between.join(parts))
        series.between, series.parts = between, parts
        return series

    def __getnewargs__(self) -> tuple[Between, tuple[str, ...]]:  # type: ignore[override]
        return self.between, self.parts
