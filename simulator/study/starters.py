"""Starters for a study of one's own: commented templates, written where nothing is yet."""

from __future__ import annotations

from importlib.resources import files
from os import PathLike
from pathlib import Path as FilePath

from simulator.study.faults import Fault, StudyError, nearest

_ABOUT = {
    "minimal": "two options, the fewest keys",
    "hardware-switch": "two options with every part of a move, from the prior library",
    "price-bases": "one move on several price bases, a scenario each",
}


def templates() -> dict[str, str]:
    """The kinds of starters, and what each is for."""
    return dict(_ABOUT)


def template(kind: str) -> str:
    """The text of a starter; StudyError when there is no such kind."""
    if kind not in _ABOUT:
        fault = Fault("init", 0, kind, "no such starter", f"one of {', '.join(_ABOUT)}", nearest(kind, _ABOUT))
        raise StudyError([fault])
    return (files("simulator.study") / "templates" / f"{kind}.toml").read_text("utf-8")


def write_starter(kind: str, path: str | PathLike[str]) -> FilePath:
    """Write a starter to a new file.

    Returns
    -------
    Path
        The file, as given; in a folder that is given, `study.toml`.

    Raises
    ------
    StudyError
        When there is something at the path already, which stays as it is, or the file cannot be written.
    """
    text = template(kind)
    target = FilePath(path)
    if target.is_dir():
        target /= "study.toml"
    try:
        with target.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise StudyError([Fault(str(target), 0, "", "this file is there already", "a name that is free")]) from None
    except OSError as error:
        found = f"cannot be written ({error.strerror})"
        raise StudyError([Fault(str(target), 0, "", found, "a folder that is there and may be written")]) from None
    return target
