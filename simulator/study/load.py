"""Reading a study: the file, its overrides, its scenarios; a Study, or every fault at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path as FilePath
from typing import Any

from simulator.study import scalars
from simulator.study.belongings import belongings
from simulator.study.build import Builder
from simulator.study.checks import labour, serves
from simulator.study.document import Document, read_document
from simulator.study.faults import Fault, Problem, StudyError, dotted, nearest, shown
from simulator.study.findings import Findings
from simulator.study.library import Library, own_library, read_own
from simulator.study.names import options_of
from simulator.study.nearby import NotNearbyError, nearby
from simulator.study.overrides import OF_SCENARIOS, Changed, change, moved, settings
from simulator.study.reading import Reader
from simulator.study.schema import MAX_UNCERTAIN, structure
from simulator.study.shipped import found
from simulator.study.values import Path, Study

SETTINGS: Path = ("--set",)
Tables = Mapping[str, Any]


def load_study(path: str | PathLike[str], overrides: Sequence[str] = ()) -> Study:
    """Read a study file.

    Parameters
    ----------
    path
        A TOML file as docs/study.md describes it; where there is none, the shipped study of that name.
    overrides
        `KEY=VALUE` each, as of `--set`: "options.trn2.price=15.09".

    Raises
    ------
    StudyError
        With every fault of the file, of the files that it names and of the overrides.
    """
    document = read_document(found(FilePath(path)))
    findings = Findings()
    changed = change(document.data, settings(overrides), SETTINGS, findings)
    maker = _Maker(document, changed, _library(document, changed.data, findings))
    study = maker.base(findings)
    if study is None:
        currency = str(changed.data.get("currency", "currency"))
        problems = [moved(each, changed, SETTINGS) for each in _without_echoes(findings.problems)]
        raise StudyError([*(_placed(document, each, currency) for each in problems), *findings.faults])
    return replace(study, settings=tuple(overrides))


def _without_echoes(problems: list[Problem]) -> list[Problem]:
    """Without the keys that are missing because they are there, mistyped: they have a fault of their own."""
    meant = {(*each.path[:-1], each.nearest) for each in problems if each.found == "no such key"}
    return [
        each
        for each in problems
        if each.found != "missing" or not any(each.path[:length] in meant for length in range(1, len(each.path) + 1))
    ]


def _placed(document: Document, problem: Problem, currency: str) -> Fault:
    fault = document.fault(problem._replace(expected=problem.expected.replace(scalars.CURRENCY, currency)))
    if problem.path[0] != "--set":
        return fault
    return replace(fault, file="--set", line=0, key=".".join(map(str, problem.path[1:])))


def _library(document: Document, data: Mapping[str, Any], findings: Findings) -> Library:
    """The shipped priors behind those of the files that the study names."""
    match data.get("priors"):
        case {"files": list(names)}:
            pass
        case _:
            return Library()
    paths = []
    for place, name in enumerate(names):
        try:
            paths.append(nearby(document.folder, str(name)))
        except NotNearbyError as bad:
            findings.add(("priors", "files", place), bad.found, bad.expected, bad.nearest)
    try:
        library, notes = own_library(read_own(paths))
    except StudyError as bad:
        findings.faults += bad.faults
        return Library()
    findings.notes += notes
    return library


@dataclass(frozen=True)
class _Maker:
    """Makes the study and its scenarios from one document with its settings."""

    document: Document
    changed: Changed
    library: Library

    def base(self, findings: Findings) -> Study | None:
        """The study with its scenarios; None when anything is wrong."""
        data = self.changed.data
        plain = {key: value for key, value in data.items() if key != "scenarios"}
        raw = data.get("scenarios")
        builder = Builder(Reader(self.document.folder, self.library, str(data.get("currency", ""))))
        findings.problems += structure(data)[1]
        study = self._study(Changed(plain, self.changed.origins), builder, findings)
        known = set(findings.problems)
        made = {
            name: self._scenario(name, values, plain, builder, known, findings)
            for name, values in (raw if isinstance(raw, dict) else {}).items()
            if isinstance(values, dict)
        }
        if study is None or findings.wrong:
            return None
        return replace(
            study, notes=tuple(findings.notes), scenarios={name: each for name, each in made.items() if each}
        )

    def _scenario(
        self, name: str, values: Tables, plain: Tables, builder: Builder, known: set[Problem], findings: Findings
    ) -> Study | None:
        """The study with a scenario's values; only the problems that they bring are added to the findings."""
        where: Path = ("scenarios", name)
        own = Findings()
        changed = change(plain, values, where, findings, OF_SCENARIOS)
        study = self._study(changed, builder, own)
        for problem in own.problems:
            if problem not in known:
                there = moved(problem, changed, where)
                found = f"with it, {dotted(problem.path)}: {problem.found}"
                findings.problems.append(there if there != problem else problem._replace(path=where, found=found))
        findings.faults += own.faults
        return study

    def _study(self, changed: Changed, builder: Builder, findings: Findings) -> Study | None:
        """One study of these tables; None when something that it cannot do without is wrong."""
        data = changed.data
        tables, problems = structure(data)
        findings.problems += [each for each in problems if each not in findings.problems]
        options = builder.options(data, findings)
        workload = builder.workload(data, findings)
        rates = builder.rates(data, labour(options), findings)
        baseline, known = data.get("baseline"), options_of(data)
        if isinstance(baseline, str) and baseline not in known:
            expected = f"one of {', '.join(known)}"
            findings.add(("baseline",), f"no option {shown(baseline)}", expected, nearest(baseline, known))
        hurdle = builder.reader.number(data.get("hurdle", 0), scalars.HURDLE, ("hurdle",), findings, "a number")
        serves(options, baseline, workload, findings)
        claims = builder.claims(data, findings)
        study = Study(
            title=data.get("title", self.document.path.stem),
            baseline=str(baseline),
            currency=builder.reader.currency,
            hurdle=hurdle or 0.0,
            as_of=data.get("as_of"),
            workload=workload,
            engineer_rate=rates["engineer_rate"],
            delay_week_rate=rates["delay_week_rate"],
            options=options,
            claims=claims,
            path=self.document.file,
            sha256=self.document.sha256,
            text=self.document.text,
        )
        inputs = study.inputs
        uncertain = sum(not each.fixed for each in inputs.values())
        if uncertain > MAX_UNCERTAIN:
            findings.add(("options",), f"{uncertain:,} uncertain inputs", f"{MAX_UNCERTAIN:,} at most")
        correlations = builder.correlations(data, inputs, self._replaced(changed), findings)
        sections = belongings(tables, data, inputs, options, self.document.folder, findings)
        if findings.wrong:
            return None
        copula = builder.copula(correlations, data, inputs, findings)
        return replace(study, correlations=correlations, copula=copula, notes=tuple(findings.notes), **sections)

    def _replaced(self, changed: Changed) -> Callable[[Path], bool]:
        """Whether a setting or the scenario gave the value at a path."""
        return lambda path: bool(changed.origin(path) or self.changed.origin(path))
