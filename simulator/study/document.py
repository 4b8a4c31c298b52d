"""A study file as read: its bytes, its values, and where each of them stands."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

from simulator.study.faults import Fault, Problem, StudyError, dotted, shown, unsafe
from simulator.study.values import Path

MAX_BYTES = 4 * 2**20  # a study of 20,000 scenarios is below it
MAX_DEPTH = 12  # tables in tables; a study needs seven

_TOML_PLACE = re.compile(r"(?P<what>.*?) ?\(at (?:line (?P<line>\d+), column \d+|end of document)\)", re.DOTALL)


@dataclass(frozen=True)
class Document:
    """The values of a study file and the places of its keys; the places are found when they are asked for."""

    path: FilePath
    text: bytes
    data: Mapping[str, Any]

    @property
    def file(self) -> str:
        """The file as messages name it."""
        return str(self.path)

    @property
    def folder(self) -> FilePath:
        """Where the files that a study names are looked for."""
        return self.path.parent

    @cached_property
    def sha256(self) -> str:
        """Digest of the bytes as read."""
        return hashlib.sha256(self.text).hexdigest()

    @cached_property
    def _positions(self) -> dict[Path, tuple[int, int]]:
        from simulator.study.positions import positions

        return positions(self.text)

    def place(self, path: Path) -> tuple[int, int]:
        """Line and column of a path, or of the innermost table around it that the file mentions."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._positions:
                return self._positions[path[:length]]
        return (1, 1)

    def fault(self, problem: Problem) -> Fault:
        """The problem with its place."""
        return Fault(
            self.file, self.place(problem.path)[0], dotted(problem.path), problem.found, problem.expected,
            problem.nearest,
        )  # fmt: skip


def read_document(path: FilePath) -> Document:
    """Read and parse a TOML file; StudyError says why it cannot be."""
    text = _bytes(path)
    data = _parse(path, text)
    document = Document(path, text, data)
    if problems := list(_unprintable(data)):
        raise StudyError([document.fault(problem) for problem in problems])
    return document


def _bytes(path: FilePath) -> bytes:
    def refuse(found: str, expected: str = "a study file") -> StudyError:
        return StudyError([Fault(str(path), 0, "", found, expected)])

    if path.is_dir():
        inside = sorted(each.name for each in path.glob("*.toml"))
        raise refuse("this is a folder", f"a study file, such as {path / inside[0]}" if inside else "a study file")
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise refuse("no such file") from None
    except (OSError, ValueError) as error:
        raise refuse(f"cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if len(text) > MAX_BYTES:
        raise refuse(f"more than {MAX_BYTES // 2**20} MiB", "a study written by hand")
    return text


def _parse(path: FilePath, text: bytes) -> dict[str, Any]:
    def refuse(line: int, found: str, expected: str) -> StudyError:
        return StudyError([Fault(str(path), line, "", found, expected)])

    try:
        data = tomllib.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise refuse(line, f"byte 0x{text[error.start]:02x} is no UTF-8", "a text file in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        place = _TOML_PLACE.fullmatch(str(error))
        line = int(place["line"]) if place and place["line"] else _last_line(text)
        what = place["what"] if place else str(error)
        raise refuse(line, what, "valid TOML, each key once") from None
    except ValueError:  # of an integer of over 4,300 digits, which tomllib hands on
        raise refuse(0, "a number of thousands of digits", "numbers of a size that means something") from None
    except RecursionError:
        raise refuse(0, "nested too deep to be read", f"at most {MAX_DEPTH} levels") from None
    if deep := _too_deep(data):
        raise refuse(_line_of(text, deep[0]), f"{dotted(deep[:3])}...: nested too deep", f"at most {MAX_DEPTH} levels")
    return data


def _last_line(text: bytes) -> int:
    return text.rstrip().count(b"\n") + 1


def _line_of(text: bytes, key: object) -> int:
    where = text.find(str(key).encode())
    return text.count(b"\n", 0, where) + 1 if where >= 0 else 1


def _too_deep(data: dict[str, Any]) -> Path | None:
    """The path of something nested below the limit; without recursion, which the nesting could exhaust."""
    open_: list[tuple[Path, Any]] = [((), data)]
    while open_:
        path, value = open_.pop()
        if len(path) > MAX_DEPTH:
            return path
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        open_ += [((*path, key), child) for key, child in items]
    return None


def _unprintable(value: Any, path: Path = ()) -> Iterator[Problem]:
    """Names and texts that would steer the terminal they are printed on; a note may have lines."""
    match value:
        case str() if not value.isprintable() and (
            char := unsafe(value, keep="\n\t" if path[-1:] == ("note",) else "")
        ):
            yield Problem(path, f"control character U+{ord(char):04X} in {shown(value)}", "printable text")
        case dict():
            for key, child in value.items():
                if not key.isprintable() and (char := unsafe(key)):
                    yield Problem((*path, key), f"control character U+{ord(char):04X} in a key", "printable text")
                yield from _unprintable(child, (*path, key))
        case list():
            for index, child in enumerate(value):
                yield from _unprintable(child, (*path, index))
