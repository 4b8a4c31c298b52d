"""All evidence of a study as observations, its faults at their lines."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.calibration.numbers import observation
from simulator.study.faults import Fault, StudyError

if TYPE_CHECKING:
    from simulator.calibration.facts import Source
    from simulator.calibration.observation import Observation
    from simulator.evidence import Options
    from simulator.study import Study
    from simulator.study.sections import Evidence

CHUNK = 2**20


@dataclass(frozen=True)
class Gathered:
    """Observations of a study, and what its evidence does not teach, by place of the `[[evidence]]`."""

    observations: tuple[Observation, ...]
    notes: Mapping[int, tuple[str, ...]]


def gather(study: Study) -> Gathered:
    """Read the evidence of a study.

    Raises
    ------
    StudyError
        Where the study has no evidence, a file cannot be read, or numbers do not fit their input.
    """
    if not study.evidence:
        raise StudyError(
            [Fault(study.path, 0, "evidence", "missing", "[[evidence]] with files or numbers to learn from")]
        )
    found, notes = [], {}
    sources = _sources(study)
    for place, evidence in enumerate(study.evidence):
        if evidence.files is None:
            found.append(observation(study, place, evidence, lambda *told, at=place: _error(study, at, *told)))
        else:
            from simulator.calibration.facts import taught

            own = taught(study, sources[place], list(sources.values()))
            found += own.observations
            notes[place] = own.notes
    return Gathered(tuple(found), notes)


def files_of(study: Study, evidence: Evidence) -> list[str]:
    """Paths of the files of an `[[evidence]]`, in order; EvidenceError where there are none."""
    from simulator.evidence import expand

    return expand(evidence.files or (), Path(study.path).parent)


def digest(path: str) -> str:
    """SHA-256 of a file, read in pieces."""
    found = hashlib.sha256()
    with Path(path).open("rb") as file:
        while chunk := file.read(CHUNK):
            found.update(chunk)
    return found.hexdigest()


def _sources(study: Study) -> dict[int, Source]:
    """The evidence that lies in files, read."""
    if all(evidence.files is None for evidence in study.evidence):
        return {}
    from simulator.calibration.facts import Source
    from simulator.evidence import EvidenceError, read

    sources, faults = {}, []
    for place, evidence in enumerate(study.evidence):
        if evidence.files is None:
            continue
        options = _options(study, evidence)
        try:
            readings = tuple(read(path, options) for path in files_of(study, evidence))
        except EvidenceError as error:
            faults.append(
                Fault(
                    study.path,
                    _line(study, place, "files"),
                    f"evidence.{place}.files",
                    str(error),
                    "files that can be read",
                )
            )
            continue
        sources[place] = Source(place, evidence, readings, options)
    if faults:
        raise StudyError(faults)
    return sources


def _options(study: Study, evidence: Evidence) -> Options:
    """What the readers must be told, from the evidence and the workload."""
    from simulator.evidence import Options

    parameters = study.workload.inputs.get("parameters")
    told = parameters.value if parameters is not None else None
    conditions = [f"{key} = {value}" for key, value in (evidence.filter or {}).items()]
    return Options(
        reader=evidence.reader,
        instances=evidence.instances,
        devices_per_instance=evidence.devices_per_instance,
        tokens_per_step=evidence.tokens_per_step,
        sequence=study.workload.sequence,
        layers=study.workload.layers,
        hidden=study.workload.hidden,
        parameters=told if isinstance(told, float) else None,
        time_zone=evidence.time_zone,
        column=evidence.column,
        period_seconds=evidence.period_seconds,
        hours_per_day=evidence.hours_per_day,
        filter=" and ".join(conditions) or None,
        share_done=evidence.share_done,
    )


def _error(study: Study, place: int, key: str, found: str, expected: str) -> StudyError:
    return StudyError([Fault(study.path, _line(study, place, key), f"evidence.{place}.{key}", found, expected)])


def _line(study: Study, place: int, key: str) -> int:
    """Line of a key of an `[[evidence]]`, or of its head."""
    from simulator.study.positions import positions

    at = positions(study.text) if study.text else {}
    return next((at[path][0] for path in (("evidence", place, key), ("evidence", place)) if path in at), 0)


def places(observations: Sequence[Observation]) -> list[int]:
    """Places of the `[[evidence]]` that teach something, in order."""
    return sorted({each.place for each in observations})
