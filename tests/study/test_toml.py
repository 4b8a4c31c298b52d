"""Keys and values outside a file mean what they mean in one, and nothing more."""

from __future__ import annotations

import tomllib

import pytest

from simulator.study.toml import key_path, value_of


@pytest.mark.parametrize(
    ("text", "path"),
    [("a.b-c.0", ["a", "b-c", "0"]), ('a."b.c" . d', ["a", "b.c", "d"]), ("'é'.\"\\u00e9\"", ["é", "é"])],
)
def test_a_dotted_key(text: str, path: list[str]) -> None:
    assert key_path(text) == path


@pytest.mark.parametrize("text", ["", "a.", "a b", "a # b", "a = 3 #", "a = 1\nb", "[a]", "é", '"a'])
def test_no_key(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        key_path(text)


@pytest.mark.parametrize("text", ["", "x", "1\n[a]", "1\r\nb = 2", "{ a = 1", "1, 2"])
def test_no_value(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        value_of(text)
