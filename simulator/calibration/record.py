"""The posterior file: netCDF that ArviZ opens, with digests of all that it rests on.

`posterior` holds draws of the inputs and of the models' hidden parameters, `constant_data` the bends and correlations
that the engine uses, and the attribute `switchodds` a JSON text with the diagnostics and the digests. It is written
beside and then renamed, so that it is whole or not there. The file is the record of a calibration, not its seed: a
sampler's bits differ from one compile cache to the next.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simulator.calibration.posterior import Learned, prior_digest
from simulator.study.said import Said, Series

if TYPE_CHECKING:
    from xarray import Dataset

    from simulator.calibration.fit import Fit, Group
    from simulator.calibration.observation import Observation
    from simulator.study import Study

SCHEMA: Final = "switchodds/posterior/1"
ATTRIBUTE: Final = "switchodds"


@dataclass(frozen=True)
class Stored:
    """A posterior file as read: what the engine needs of each fit, and what is told of it."""

    path: Path
    learned: tuple[Learned, ...]
    told: Mapping[str, Any] = field(repr=False)

    @property
    def sha256(self) -> str:
        """Digest of the file."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()

    @property
    def sound(self) -> tuple[Learned, ...]:
        """The fits that passed their diagnostics."""
        return tuple(each for each, told in zip(self.learned, self.told["fits"], strict=True) if told["ok"])


def path_of(study: Study) -> Path:
    """Where the posterior of a study is kept: beside it, as `<study>.posterior.nc`."""
    return Path(study.path).with_suffix(".posterior.nc")


def observation_digest(observation: Observation) -> str:
    """Digest of the data and of all that gives them a meaning; the path of a file does not enter."""
    parts = (observation.quantity.name, observation.quantity.inputs, observation.model, observation.discrepancy)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def basis(group: Group) -> dict[str, Any]:
    """What a fit rests on: its priors, their correlations, its data."""
    return {
        "priors": {name: prior_digest(law) for name, law in group.laws.items()},
        "numbers": {n: group.fixed[n] for e in group.observations for n in e.quantity.inputs if n in group.fixed},
        "correlations": np.round(group.pearson, 9).tolist(),
        "data": sorted(f"{each.key} {observation_digest(each)}" for each in group.observations),
    }


def evidence_digests(study: Study) -> list[dict[str, Any]]:
    """Each `[[evidence]]` and the files that it names; EvidenceError where a file is gone."""
    from simulator.calibration.gather import digest, files_of

    folder = Path(study.path).parent
    found = []
    for each in study.evidence:
        files = files_of(study, each) if each.files is not None else []
        table = hashlib.sha256(repr(each).encode()).hexdigest()[:16]
        found.append({"table": table, "files": {os.path.relpath(path, folder): digest(path) for path in files}})
    return found


def write(path: Path, study: Study, fits: Sequence[Fit], told: Sequence[Mapping[str, Any]]) -> None:
    """Write the posterior file of fits, each with what is told of it; atomic.

    Raises
    ------
    StudyError
        If the file cannot be written.
    """
    import xarray as xr

    from simulator.study import Fault, StudyError

    names = [name for fit in fits for name in fit.group.names]
    draws = {name: values for fit in fits for name, values in fit.values().items()}
    draws |= {f"{name}.score": fit.scores[..., i] for fit in fits for i, name in enumerate(fit.group.names)}
    draws |= {name: values for fit in fits for name, values in fit.hidden.items()}
    shape = next(iter(draws.values())).shape
    posterior = xr.Dataset(
        {name: (("chain", "draw"), values) for name, values in draws.items()},
        coords={"chain": np.arange(shape[0]), "draw": np.arange(shape[1])},
    )
    at, correlation = 0, np.eye(len(names))
    for fit in fits:
        size = len(fit.group.names)
        correlation[at : at + size, at : at + size] = fit.pearson
        at += size
    constant = xr.Dataset(
        {
            "bend": (("input", "node"), np.concatenate([fit.bends for fit in fits])),
            "correlation": (("input", "other"), correlation),
            "effective": (("input",), np.concatenate([[fit.effective] * len(fit.group.names) for fit in fits])),
            "fit": (("input",), np.concatenate([[i] * len(fit.group.names) for i, fit in enumerate(fits)])),
        },
        coords={"input": names},
    )
    document = {
        "schema": SCHEMA, "study": Path(study.path).name, "fits": list(told), "evidence": evidence_digests(study)
    }  # fmt: skip
    image = _image({"posterior": posterior, "constant_data": constant}, json.dumps(document, ensure_ascii=False))
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(image)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        found = f"cannot be written ({error.strerror})"
        raise StudyError([Fault(str(path), 0, "", found, "a folder that may be written, with space left")]) from None
    finally:
        with suppress(OSError):  # where nothing could be written, nothing is there to be taken away
            beside.unlink(missing_ok=True)


def _image(groups: Mapping[str, Dataset], document: str) -> bytes:
    """The netCDF file, made in memory: HDF5 does not take it well when a disk is full."""
    import h5netcdf
    from xarray.backends import H5NetCDFStore

    image = io.BytesIO()
    with h5netcdf.File(image, "w") as file:
        for name, dataset in groups.items():
            dataset.dump_to_store(H5NetCDFStore(file.create_group(name)))
        file.attrs[ATTRIBUTE] = document
    return image.getvalue()


def read(path: Path) -> Stored | None:
    """The posterior file at a path; None where there is none, or one of another program or version."""
    if not path.exists():
        return None
    import h5py

    try:
        with h5py.File(path) as file:
            told = json.loads(file.attrs[ATTRIBUTE])
            if told["schema"] != SCHEMA:
                return None
            table = file["constant_data"]
            names = [name.decode() if isinstance(name, bytes) else str(name) for name in table["input"][()]]
            bends, correlation = table["bend"][()], table["correlation"][()]
            effective, which = table["effective"][()], table["fit"][()]
    except (OSError, KeyError, ValueError):
        return None
    learned = []
    for i in range(len(told["fits"])):
        own = np.flatnonzero(which == i)
        learned.append(
            Learned(tuple(names[j] for j in own), bends[own], correlation[np.ix_(own, own)], float(effective[own[0]]))
        )
    return Stored(path, tuple(learned), told)


def stale(stored: Stored, study: Study) -> list[str]:
    """What changed since the posterior was made, in words; empty where it still holds."""
    return [*changed_priors(stored, study), *_changed_evidence(stored, study)]


def changed_priors(stored: Stored, study: Study) -> list[str]:
    """The same of the study alone, where its evidence is not at hand."""
    inputs, reasons = study.inputs, []
    for told in stored.told["fits"]:
        for name, before in told["basis"]["priors"].items():
            if name not in inputs:
                reasons.append(Said("{input} is no input any more", input=name))
            elif prior_digest(inputs[name].value) != before:
                reasons.append(Said("the prior of {input} changed", input=name))
        for name, number in told["basis"]["numbers"].items():
            if name not in inputs or inputs[name].value != number:
                reasons.append(Said("{what} changed", what=name))
        if told["correlations"] != correlations_of(study, told["basis"]["priors"]):
            reasons.append(Said("the correlations of {inputs} changed", inputs=Series(", ", told["basis"]["priors"])))
    return list(dict.fromkeys(reasons))


def _changed_evidence(stored: Stored, study: Study) -> list[str]:
    from simulator.evidence import EvidenceError

    reasons: list[str] = []
    try:
        now = evidence_digests(study)
    except EvidenceError as error:
        return [str(error)]
    before_evidence = stored.told["evidence"]
    if len(now) != len(before_evidence):
        reasons.append(Said("there are {now} [[evidence]], not {before}", now=len(now), before=len(before_evidence)))
    for place, (new, old) in enumerate(zip(now, before_evidence, strict=False), 1):
        if new["table"] != old["table"]:
            reasons.append(Said("[[evidence]] {place} changed", place=place))
        for file in sorted({*new["files"], *old["files"]}):
            if file not in new["files"]:
                reasons.append(Said("{file} is gone", file=file))
            elif file not in old["files"]:
                reasons.append(Said("{file} is new", file=file))
            elif new["files"][file] != old["files"][file]:
                reasons.append(Said("{what} changed", what=file))
    return reasons


def correlations_of(study: Study, names: Collection[str]) -> list[list[Any]]:
    """Pairs of the study's copula in which one of the names stands, with their correlation: [a, b, r], sorted."""
    if study.copula is None:
        return []
    every, pearson = study.copula.names, study.copula.pearson
    return sorted(
        [*sorted((a, b)), round(float(pearson[i, j]), 9)]
        for i, a in enumerate(every)
        for j, b in enumerate(every)
        if i < j and pearson[i, j] and {a, b} & {*names}
    )


def fit_of(stored: Stored, group: Group, learned: Learned, told: Mapping[str, Any]) -> Fit:
    """A fit of the file as the sampler or the quadrature gave it: the same priors and data, so the same scores."""
    import h5py

    from simulator.calibration.fit import Fit

    with h5py.File(stored.path) as file:
        draws = file["posterior"]
        scores = np.stack([draws[f"{name}.score"][()] for name in learned.names], axis=-1)
        keys = tuple(f"{each.key}." for each in group.observations)
        hidden = {name: draws[name][()] for name in draws if name.startswith(keys)}
    return Fit(
        group, told["method"], scores, learned.bends, learned.pearson, hidden, learned.effective, told["divergences"]
    )
