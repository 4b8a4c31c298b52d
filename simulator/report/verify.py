"""What `simulate verify` found, on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from simulator.verification import Check, Verification

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

NAME = 38
HEAD = f"{'expected':>{NAME + 13}}{'got':>11}{'error':>9}{'allowed':>9}"


def show_verification(found: Verification, console: Console, *, failed_only: bool) -> None:
    """Print each check, or only those that failed, and the verdict."""
    for part in _parts(found, failed_only):
        console.print(part)


def _parts(found: Verification, failed_only: bool) -> Iterator[RenderableType]:
    from rich.text import Text

    for group, checks in found.groups.items():
        failed = sum(not check.passed for check in checks)
        verdict = f"{failed} of {len(checks)} FAILED" if failed else f"{len(checks)} hold"
        yield Text(f"{group}: {verdict}", "bold red" if failed else "bold")
        shown = [check for check in checks if not (check.passed and failed_only)]
        if shown:
            yield Text(HEAD, "dim")
        for check in shown:
            yield Text(_line(check), "" if check.passed else "red")
    total = f"{len(found.checks)} checks in {found.seconds:.0f} s"
    yield ""
    if found.failed:
        yield Text(
            f"{len(found.failed)} of {total} FAILED: this installation's figures are not to be trusted.", "bold red"
        )
    else:
        yield Text(f"All of {total} hold.", "bold green")


def _line(check: Check) -> str:
    """The name, on a line of its own if it is long, and the numbers."""
    mark = "  " if check.passed else "x "
    name = f"{check.name:<{NAME}}" if len(check.name) <= NAME else check.name + "\n" + " " * (NAME + 2)
    return f"{mark}{name}{check.expected:>11.6g}{check.got:>11.6g}{check.error:>9.1e}{check.tolerance:>9.1e}"
