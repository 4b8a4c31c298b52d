"""Line and column of every key of a TOML document. Values come from tomllib; this only says where they stand."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

from simulator.study.toml import key_path
from simulator.study.values import Path

_PARSER = Parser(Language(tree_sitter_toml.language()))


def positions(source: bytes) -> dict[Path, tuple[int, int]]:
    """Line and column, from 1, of every key, header and array item; a path's first mention wins.

    `source` is UTF-8 that tomllib accepts; a byte order mark is skipped.
    """
    source = source.removeprefix(b"\xef\xbb\xbf")
    lines = source.split(b"\n")
    found: dict[Path, tuple[int, int]] = {}
    for path, node in _walk(_PARSER.parse(source).root_node):
        row, byte = node.start_point
        found.setdefault(path, (row + 1, len(lines[row][:byte].decode()) + 1))
    return found


def _walk(document: Node) -> Iterator[tuple[Path, Node]]:
    last: dict[Path, int] = {}
    for node in _children(document):
        if node.type == "pair":
            yield from _pair(node, ())
            continue
        key, *pairs = _children(node)
        path: Path = ()
        names = _names(key)
        for depth, name in enumerate(names, 1):
            path = (*path, name)
            yield path, key
            if depth == len(names) and node.type == "table_array_element":
                last[path] = last.get(path, -1) + 1
            if path in last:  # [[a]] then [a.b]: b belongs to the last a
                path = (*path, last[path])
                yield path, key
        for pair in pairs:
            yield from _pair(pair, path)


def _pair(pair: Node, path: Path) -> Iterator[tuple[Path, Node]]:
    key, value = _children(pair)
    for name in _names(key):
        path = (*path, name)
        yield path, key
    yield from _inside(value, path)


def _inside(value: Node, path: Path) -> Iterator[tuple[Path, Node]]:
    for index, child in enumerate(_children(value)):
        if value.type == "inline_table":
            yield from _pair(child, path)
        elif value.type == "array":
            yield (*path, index), child
            yield from _inside(child, (*path, index))


def _names(key: Node) -> list[str]:
    return key_path((key.text or b"").decode())


def _children(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type != "comment"]
