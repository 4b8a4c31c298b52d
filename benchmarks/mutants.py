"""Mutants of the program that its tests do not notice: one operator or constant changed at a time.

    python benchmarks/mutants.py model --limit 100
    python benchmarks/mutants.py engine inputs decision --minutes 30 --seed 2

Each mutant is made in a copy of the program, in a process that has the heavy libraries loaded already, and those tests
of its package that run its line are run until one fails. What survives is printed for a person to judge: a mutant may
mean the same as the original, or only be slower. Code that only other processes run is covered by no test of its own,
and has all tests of the package run against it.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the tests and the command line have it
ROOT = Path(__file__).parents[1]
TESTS = {
    "model": ["tests/model", "tests/engine/test_plain.py"],
    "sampling": ["tests/sampling", "tests/engine/test_plain.py"],
    "inputs": ["tests/inputs"],
    "engine": ["tests/engine"],
    "decision": ["tests/decision"],
}
SECONDS = 240  # of the clock; what takes longer hangs, and is noticed
COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
COMPUTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
CALLED = {"minimum": "maximum", "maximum": "minimum", "min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    file: str
    line: int
    end: int
    before: str
    after: str
    text: str  # of the whole file


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of a module."""
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    name = str(path.relative_to(ROOT))
    left_out = {id(inner) for node in ast.walk(tree) for inner in _annotations(node)}
    for node in ast.walk(tree):
        if id(node) in left_out or not isinstance(node, ast.expr):
            continue
        for new in _changed(node):
            before, after = ast.get_source_segment(text, node), ast.unparse(new)
            if before is None:
                continue
            start, end = _span(text, node)
            changed = text[:start] + f"({after})" + text[end:]
            yield Mutant(name, node.lineno, node.end_lineno or node.lineno, before, after, changed)


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    """What is no computation: annotations, switches of dataclasses, and texts of errors that are raised."""
    if isinstance(node, ast.ClassDef):
        for each in node.decorator_list:
            yield from ast.walk(each)
    for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
        if part is not None:
            yield from ast.walk(part)
    if isinstance(node, ast.Raise):
        yield from ast.walk(node)


def _span(text: str, node: ast.expr) -> tuple[int, int]:
    lines = text.splitlines(keepends=True)

    def place(line: int, column: int) -> int:
        return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())

    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)


def _changed(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARED:
            yield ast.Compare(node.left, [COMPARED[type(op)]()], node.comparators)
        case ast.BinOp(op=op) if type(op) in COMPUTED and not _is_text(node):
            yield ast.BinOp(node.left, COMPUTED[type(op)](), node.right)
        case ast.BoolOp(op=op):
            yield ast.BoolOp(ast.And() if isinstance(op, ast.Or) else ast.Or(), node.values)
        case ast.UnaryOp(op=ast.USub()):
            yield node.operand
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield ast.Constant(value + 1 if abs(value) < 100 else value * 2)
        case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if attr in CALLED:
            yield ast.Call(ast.Attribute(owner, CALLED[attr]), node.args, node.keywords)
        case ast.Call(func=ast.Name(id=name)) if name in CALLED:
            yield ast.Call(ast.Name(CALLED[name]), node.args, node.keywords)


def _is_text(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )


def noticed(mutant: Mutant, tests: Sequence[str], copy: Path) -> bool:
    """Whether the tests fail with this mutant in the copy."""
    file = copy / mutant.file
    original = file.read_text("utf-8")
    file.write_text(mutant.text, "utf-8")
    child = os.fork()
    if not child:
        os.setsid()
        code = 1
        try:
            code = _tested(tests, copy)
        finally:
            os._exit(code)
    start = time.monotonic()
    try:
        while time.monotonic() - start < SECONDS:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status) != 0
            time.sleep(0.05)
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return True
    finally:
        file.write_text(original, "utf-8")


def _tested(tests: Sequence[str], copy: Path) -> int:
    import pytest

    os.chdir(copy)
    sys.path.insert(0, str(copy))
    sys.dont_write_bytecode = True
    with (
        Path(os.devnull).open("w") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        return int(pytest.main(["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-m", "not slow", *tests]))


class Coverage:
    """Which tests run which lines."""

    def __init__(self, tests: Sequence[str], copy: Path) -> None:
        from coverage import CoverageData

        file = copy / f".coverage.{Path(tests[0]).name}"  # read when it is asked: no other may write there
        command = [sys.executable, "-m", "pytest", "-m", "not slow", "-p", "no:cacheprovider", "-W", "ignore"]
        command += ["--cov=simulator", "--cov-context=test", "--cov-report=", *tests]
        environment = {**os.environ, "COVERAGE_FILE": str(file)}
        subprocess.run(command, cwd=copy, check=True, stdout=subprocess.DEVNULL, env=environment)
        self._tests = tuple(tests)
        self._data = CoverageData(str(file))
        self._data.read()
        self._copy = copy
        self._lines: dict[str, Mapping[int, list[str]]] = {}

    def of(self, mutant: Mutant) -> tuple[str, ...]:
        """The tests to run, those of the module that is named after the mutant's first; all where none is known.

        What a fixture runs is known of the test that asked first for it alone: then the whole file is run.
        """
        if mutant.file not in self._lines:
            path = str((self._copy / mutant.file).resolve())
            self._lines[mutant.file] = self._data.contexts_by_lineno(path)
        lines = self._lines[mutant.file]
        phases: dict[str, set[str]] = defaultdict(set)
        for line in range(mutant.line, mutant.end + 1):
            for context in lines.get(line, ()):
                test, _, phase = context.rpartition("|")
                if not test:
                    return self._tests  # run as the module is loaded
                phases[test].add(phase)
        whole = {test.partition("::")[0] for test, seen in phases.items() if seen != {"run"}}
        chosen = {test if test.partition("::")[0] not in whole else test.partition("::")[0] for test in phases}
        own = f"test_{Path(mutant.file).name}"
        return tuple(sorted(chosen, key=lambda test: (own not in test, test))) or self._tests


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="+", choices=TESTS)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--limit", type=int, default=10**9, help="mutants at most, chosen at random")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    import scipy.stats  # noqa: F401  loaded once, for every mutant's process

    every = [
        (mutant, package)
        for package in options.packages
        for path in sorted((ROOT / "simulator" / package).rglob("*.py"))
        for mutant in mutants(path)
    ]
    random.Random(options.seed).shuffle(every)
    deadline = time.monotonic() + 60 * options.minutes
    tried = survived = 0
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place)
        for name in ("simulator", "tests", "priors", "studies", "docs"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("cli.py", "pyproject.toml", "README.md"):
            shutil.copy(ROOT / name, copy)
        covered = {package: Coverage(TESTS[package], copy) for package in options.packages}
        for mutant, package in every[: options.limit]:
            if time.monotonic() > deadline:
                break
            tried += 1
            if not noticed(mutant, covered[package].of(mutant), copy):
                survived += 1
                print(f"{mutant.file}:{mutant.line}: {mutant.before}  ->  {mutant.after}", flush=True)
    noticed_ = tried - survived
    print(f"{' '.join(options.packages)}: {tried} of {len(every)} mutants, {noticed_} noticed, {survived} not")
    return 0


if __name__ == "__main__":
    sys.exit(main())
