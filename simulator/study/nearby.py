"""Files that a study names: relative to it and within its folder, wherever links lead."""

from __future__ import annotations

import csv
import math
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

import numpy as np

from simulator.study.faults import Fault, StudyError, nearest, shown

if TYPE_CHECKING:
    from simulator.inputs import Floats

MAX_COLUMN_BYTES = 64 * 2**20
HERE = "a file in the study's folder or below it"
MAX_SHOWN = 5  # wrong cells of one column that are told apart


class NotNearbyError(ValueError):
    """A file that may not or cannot be read; `found` and `expected` say why, `key` which key is to blame."""

    def __init__(self, found: str, expected: str, nearest: str | None = None, key: str = "file") -> None:
        super().__init__(found)
        self.found, self.expected, self.nearest, self.key = found, expected, nearest, key


def nearby(folder: FilePath, name: str) -> FilePath:
    """The file of this name within the folder's tree.

    Raises
    ------
    NotNearbyError
        When the path leaves the tree, by itself or through a link, or there is no such file.
    """
    home = folder.resolve()
    path = (home / name).resolve()
    if not path.is_relative_to(home):
        raise NotNearbyError(
            f"{shown(name)} lies outside the study's folder", "a file in the study's folder or below it"
        )
    if not path.is_file():
        there = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
        close = nearest(path.name, there)
        hint = str((path.parent / close).relative_to(home)) if close else None
        raise NotNearbyError(f"no file {shown(name)}", HERE, hint)
    return folder / name


def column(folder: FilePath, name: str, header: str) -> Floats:
    """The numbers under a header of a CSV (or, by its name, TSV) file.

    Returns
    -------
    (rows,) array
        Every row's number; empty lines are none.

    Raises
    ------
    NotNearbyError
        When the file cannot be used at all.
    StudyError
        When cells are no finite numbers, each with its line.
    """
    path = nearby(folder, name)
    if path.stat().st_size > MAX_COLUMN_BYTES:
        raise NotNearbyError(f"{shown(name)} is above {MAX_COLUMN_BYTES // 2**20} MiB", "a file of measurements")
    numbers: list[float] = []
    wrong: list[Fault] = []
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ",")
            headers = [each.strip() for each in next(rows, [])]
            if header not in headers:
                raise NotNearbyError(
                    f"no column {shown(header)} in {shown(name)}", "a header in its first line",
                    nearest(header, headers), "column",
                )  # fmt: skip
            place = headers.index(header)
            for row in rows:
                if not row:
                    continue
                cell = row[place].strip() if place < len(row) else ""
                number = _number(cell)
                if math.isfinite(number):
                    numbers.append(number)
                else:
                    wrong.append(Fault(str(path), rows.line_num, header, shown(cell), "a finite number"))
    except UnicodeDecodeError:
        raise NotNearbyError(f"{shown(name)} is no UTF-8", "a text file in UTF-8") from None
    except (OSError, csv.Error) as error:
        raise NotNearbyError(f"{shown(name)} cannot be read ({error})", "a CSV file") from None
    if more := wrong[MAX_SHOWN:]:
        wrong[MAX_SHOWN:] = [Fault(str(path), more[0].line, header, f"{len(more)} more such cells", "numbers")]
    if wrong:
        raise StudyError(wrong)
    if not numbers:
        raise NotNearbyError(f"column {shown(header)} of {shown(name)} is empty", "numbers below it", key="column")
    return np.array(numbers)


def _number(cell: str) -> float:
    try:
        return float(cell) if "_" not in cell else math.nan
    except ValueError:
        return math.nan
