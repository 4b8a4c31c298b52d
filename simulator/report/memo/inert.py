"""Text from a study made harmless to look at: what turns, hides or breaks other text becomes a visible mark."""

from __future__ import annotations

import unicodedata

MARK = "\N{REPLACEMENT CHARACTER}"

# Format characters that ordinary writing needs: the joiners of Indic and Persian scripts and of emoji.
_KEPT = {"\N{ZERO WIDTH NON-JOINER}", "\N{ZERO WIDTH JOINER}"}
_SPACES = {"\t", "\n", "\r"}


def inert(text: str) -> str:
    """Text whose bidirectional controls, other format and control characters, and lone surrogates are marks.

    Markup is not touched: where the text goes, it is escaped. Line breaks and tabs become spaces.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_inert(character) for character in text)


def _inert(character: str) -> str:
    if character in _SPACES:
        return " "
    if character in _KEPT:
        return character
    return MARK if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} else character
