"""The files that lie beside a study and without which it cannot be read again."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

from simulator.study.document import read_document
from simulator.study.findings import Findings
from simulator.study.overrides import change, settings
from simulator.study.values import Study


def companions(study: Study) -> tuple[str, ...]:
    """Priors of its own, columns of empirical laws and the memo's logo, relative to the study; each once.

    Evidence is none of them: a study is read without it.
    """
    folder = FilePath(study.path).parent
    data = change(tomllib.loads(study.text.decode("utf-8-sig")), settings(study.settings), ("--set",), Findings()).data
    found = dict.fromkeys(_columns(data))
    for name in data.get("priors", {}).get("files", ()):
        beside = FilePath(name).parent
        columns = _columns(read_document(folder / name).data)
        found |= dict.fromkeys([str(name), *(os.path.normpath(beside / each) for each in columns)])
    if study.memo is not None and study.memo.logo is not None:
        found[study.memo.logo] = None
    return tuple(found)


def _columns(value: Any) -> Iterator[str]:
    """Files of the empirical laws anywhere in a value."""
    if isinstance(value, list):
        for each in value:
            yield from _columns(each)
    elif isinstance(value, dict):
        if value.get("dist") == "empirical" and isinstance(value.get("file"), str):
            yield value["file"]
        yield from _columns(list(value.values()))
