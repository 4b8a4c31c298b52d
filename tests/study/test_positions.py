"""Positions of keys, against a document whose lines are known because the test wrote them."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.study.positions import positions
from simulator.study.values import Path

NAMES = st.one_of(
    st.from_regex(r"[A-Za-z0-9_-]{1,6}", fullmatch=True),
    st.text("a.é[]#='世界 \U0001f680\t", min_size=1, max_size=5),
)
VALUES = st.sampled_from(["1", '"[x]\\n# no"', "'''\n[a]\nb = 1\n'''", "[1,\n # note\n 2]", "2026-01-01", "true"])


def spelled(name: str) -> str:
    return (
        name
        if name.isascii() and name.replace("-", "a").replace("_", "a").isalnum()
        else json.dumps(name, ensure_ascii=False)
    )


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, dict[Path, int]]:
    """A TOML text and the line of every key in it."""
    lines: list[str] = []
    where: dict[Path, int] = {}
    breaks = draw(st.sampled_from(["\n", "\r\n"]))

    def pairs(path: Path) -> None:
        for name in draw(st.lists(NAMES, unique=True, max_size=3)):
            lines.extend(["# = [comment]"] * draw(st.integers(0, 1)))
            line = "\n".join(lines).count("\n") + 1 + bool(lines)
            where[(*path, name)] = line
            match draw(st.integers(0, 2)):
                case 0:
                    lines.append(f"{spelled(name)} = {draw(VALUES)}")
                case 1:
                    inner = draw(NAMES)
                    where[(*path, name, inner)] = line
                    lines.append(f" {spelled(name)} . {spelled(inner)} = 0 # 世")
                case _:
                    first, second = draw(st.lists(NAMES, unique=True, min_size=2, max_size=2))
                    where.update({(*path, name, first): line, (*path, name, second): line})
                    where[(*path, name, second, 1)] = line
                    lines.append(f"{spelled(name)} = {{ {spelled(first)} = 1, {spelled(second)} = [3, {{}}] }}")

    pairs(())
    heads = draw(st.lists(NAMES, unique=True, max_size=3))
    for head in heads:
        if (head,) in where:
            continue
        if draw(st.booleans()):
            where[(head,)] = "\n".join(lines).count("\n") + 1 + bool(lines)
            lines.append(f"[{spelled(head)}]")
            pairs((head,))
        else:
            for place in range(draw(st.integers(1, 2))):
                line = "\n".join(lines).count("\n") + 1 + bool(lines)
                where.setdefault((head,), line)
                where[(head, place)] = line
                lines.append(f"[[ {spelled(head)} ]]")
                pairs((head, place))
                inner = draw(NAMES)
                if (head, place, inner) not in where:
                    where[(head, place, inner)] = "\n".join(lines).count("\n") + 2
                    lines.append(f"[{spelled(head)}.{spelled(inner)}]")
                    pairs((head, place, inner))
    return breaks.join("\n".join(lines).split("\n")), where


def paths(value: Any, path: Path = ()) -> set[Path]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {path} | {each for key, child in items for each in paths(child, (*path, key))}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents())
def test_every_key_is_found_on_its_line(document: tuple[str, dict[Path, int]]) -> None:
    text, where = document
    data = tomllib.loads(text)

    found = positions(text.encode())

    assert {path: found[path][0] for path in where} == where
    assert paths(data) - {()} <= found.keys()


@pytest.mark.parametrize(
    ("text", "path", "place"),
    [
        ('"世界" = { "a.b" = 1 }', ("世界", "a.b"), (1, 10)),
        ("\ufeffa = 1", ("a",), (1, 1)),
        ("a = [1,\n  2]", ("a", 1), (2, 3)),
        ("[a]\n[[a.b]]\n[[a.b]]\nc = 1", ("a", "b", 1, "c"), (4, 1)),
        ("[[a]]\n[a.b]\nx = 1\n[[a]]\n[a.b]\n  x = 1", ("a", 1, "b", "x"), (6, 3)),
    ],
)
def test_lines_and_columns_count_characters_from_1(text: str, path: Path, place: tuple[int, int]) -> None:
    assert positions(text.encode())[path] == place
