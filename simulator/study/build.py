"""From the tables of a file to a Study: inputs with their defaults, and what must hold between tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from simulator.study import scalars
from simulator.study.checks import SHAPE, form, speed, stays
from simulator.study.faults import nearest, shown
from simulator.study.findings import Findings
from simulator.study.names import canonical, given, given_names, options_of
from simulator.study.reading import Reader
from simulator.study.said import Said
from simulator.study.scalars import RATE_NAMES, Scalar
from simulator.study.values import (
    Claim,
    Commitment,
    Correlation,
    Input,
    Note,
    Option,
    OtherCost,
    Path,
    Per,
    Signed,
    Workload,
)

if TYPE_CHECKING:
    from simulator.inputs import Copula

T = TypeVar("T")
Table = Mapping[str, Any]


class Builder:
    """Builds the parts of studies that share tables: a part whose table was seen before is built already."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._built: dict[tuple[object, ...], tuple[object, Any, Findings]] = {}

    def _once(self, make: Callable[[Findings], T], raw: object, *key: object, findings: Findings) -> T:
        """What `make` makes of a table, made once a table; `raw` is kept so that its id stays its own."""
        if (known := self._built.get((id(raw), *key))) is None:
            own = Findings()
            known = self._built[id(raw), *key] = (raw, make(own), own)
        findings.take(known[2])
        return cast(T, known[1])

    def options(self, data: Table, findings: Findings) -> dict[str, Option]:
        """The options whose tables are tables."""
        baseline = data.get("baseline")
        return {
            name: self._once(
                lambda own, name=name, raw=raw: self._option(name, raw, name == baseline, own),  # type: ignore[misc]
                raw, name, name == baseline, findings=findings,
            )
            for name, raw in options_of(data).items()
            if isinstance(raw, dict)
        }  # fmt: skip

    def _option(self, name: str, raw: Table, is_baseline: bool, findings: Findings) -> Option:
        path = ("options", name)
        inputs = self._inputs(raw, scalars.OPTION, name, path, findings)
        for problem in speed(raw):
            findings.add((*path, problem[0]), *problem[1:])
        if is_baseline:
            stays(inputs, findings)
        label = raw.get("label", name)
        instances = raw.get("instances", 1)
        return Option(
            name, label, instances, inputs, self._commitment(raw.get("commitment"), name, is_baseline, findings),
            tuple(self._other_costs(raw.get("other_costs"), name, findings)),
        )  # fmt: skip

    def _inputs(
        self, raw: Table, known: Mapping[str, Scalar], prefix: str, path: Path, findings: Findings
    ) -> dict[str, Input]:
        """Inputs of a table by short name: those given, and those with a default."""
        found: dict[str, Input] = {}
        for key, scalar in known.items():
            name, place = f"{prefix}.{key}" if prefix else key, (*path, key)
            if key in raw:
                if (read := self.reader.read(raw[key], scalar, name, place, findings)) is not None:
                    found[key] = read
            elif scalar.default is not None:
                unit = scalar.unit_in(self.reader.currency)
                found[key] = Input(name, float(scalar.default), unit, given=False, key=place)
        return found

    def _commitment(self, raw: object, name: str, is_baseline: bool, findings: Findings) -> Commitment | None:
        if not isinstance(raw, dict):
            return None
        path = ("options", name, "commitment")
        inputs = self._inputs(raw, scalars.COMMITMENT, f"{name}.commitment", path, findings)
        if inputs.keys() != scalars.COMMITMENT.keys():
            return None
        signed: Signed = raw.get("signed", "already" if is_baseline else "before_trial")
        return Commitment(**inputs, signed=signed)

    def _other_costs(self, raw: object, name: str, findings: Findings) -> Iterator[OtherCost]:
        for place, each in enumerate(raw if isinstance(raw, list) else ()):
            if not isinstance(each, dict):
                continue
            path: Path = ("options", name, "other_costs", place)
            given = [key for key in scalars.OTHER_COST if key in each]
            if len(given) != 1:
                found = f"{' and '.join(given)} both given" if given else "no measure"
                findings.add(path, found, f"one of {', '.join(scalars.OTHER_COST)}")
            for key in given[:1]:
                value = self.reader.read(
                    each[key], scalars.OTHER_COST[key], f"{name}.other_costs.{place}.{key}", (*path, key), findings
                )
                if value:
                    yield OtherCost(each.get("label", ""), cast(Per, key), value)

    def workload(self, data: Table, findings: Findings) -> Workload:
        """The work, in the form that its keys tell."""
        raw = data.get("workload")
        if not isinstance(raw, dict):  # of which the schema has told
            return Workload({})
        return self._once(lambda own: self._workload(raw, own), raw, "workload", findings=findings)

    def _workload(self, raw: Table, findings: Findings) -> Workload:
        inputs = self._inputs(raw, scalars.WORKLOAD, "", ("workload",), findings)
        for problem in form(raw):
            findings.add(("workload", *problem[:1]), *problem[1:])
        return Workload(inputs, *(raw.get(key) for key in SHAPE))

    def rates(self, data: Table, needed_by: str | None, findings: Findings) -> dict[str, Input]:
        """The rates by their canonical names; `needed_by` is an input that costs an engineer's time."""
        raw = data.get("rates")
        raw = raw if isinstance(raw, dict) else {}
        rates: dict[str, Input] = {}
        for key, name in RATE_NAMES.items():
            scalar, path = scalars.RATES[key], ("rates", key)
            absent = Input(name, 0.0, scalar.unit_in(self.reader.currency), given=False, key=path)
            read = self.reader.read(raw[key], scalar, name, path, findings) if key in raw else absent
            rates[name] = read or absent
        if "engineer" not in raw and needed_by:
            expected = f"what an engineer-hour costs, {scalars.RATES['engineer'].unit}: {needed_by} is not 0"
            findings.add(("rates", "engineer"), "missing", expected)
        if "delay_week" not in raw:
            message = Said("a week of schedule is worth nothing: no rates.delay_week is given")
            findings.notes.append(Note("delay_is_free", "info", "delay_week_rate", message))
        return rates

    def correlations(
        self, data: Table, inputs: Mapping[str, Input], replaced: Callable[[Path], bool], findings: Findings
    ) -> tuple[Correlation, ...]:
        """Pairs of uncertain inputs, each once; one whose input an override fixed is left out, with a note."""
        found: dict[frozenset[str], Correlation] = {}
        for place, pair, spearman in _pairs(data):
            path: Path = ("correlations", place, "between")
            if pair[0] == pair[1]:
                findings.add(path, f"{pair[0]} with itself", "two inputs")
                continue
            if frozenset(pair) in found:
                findings.add(path, f"{pair[0]} and {pair[1]} a second time", "each pair once")
                continue
            laws = [inputs.get(name) for name in pair]
            if fixed := next((each for each in laws if each and each.fixed and replaced(each.key)), None):
                message = Said(
                    "the correlation of {one} and {other} has no effect: {fixed} was set to a number",
                    one=pair[0],
                    other=pair[1],
                    fixed=fixed.name,
                )
                findings.notes.append(Note("no_effect", "info", fixed.name, message))
                continue
            for side, (name, law) in enumerate(zip(pair, laws, strict=True)):
                if law is None and not given(name, data):
                    close = nearest(name, [*inputs, *given_names(data)])
                    findings.add((*path, side), f"no input {shown(name)}", "an uncertain input", close)
                elif law and law.fixed:
                    found_ = f"{name} is a fixed number, {law.value:g}{'' if law.given else ' by default'}"
                    findings.add((*path, side), found_, "an uncertain input: a number goes together with nothing")
            found[frozenset(pair)] = Correlation(pair, spearman)
        return tuple(found.values())

    def copula(
        self, correlations: tuple[Correlation, ...], data: Table, inputs: Mapping[str, Input], findings: Findings
    ) -> Copula | None:
        """The joint law of the correlated inputs, made once for the same pairs: of their laws only atoms matter."""
        if not correlations:
            return None
        from simulator.inputs import InfeasibleCorrelations, gaussian_copula

        pairs = {each.between: each.spearman for each in correlations}
        laws = {name: inputs[name].law for pair in pairs for name in pair}
        key = (correlations, *(id(law) if law.discrete else None for law in laws.values()))
        if key not in self._built:
            own, made = Findings(), None
            try:
                made = gaussian_copula(pairs, laws)
            except InfeasibleCorrelations as error:
                place = next(place for place, pair, _ in _pairs(data) if set(pair) == set(error.pair))
                own.add(("correlations", place), f"{' and '.join(error.pair)}: {error.found}", error.expected)
            self._built[key] = (laws, made, own)
        findings.take(self._built[key][2])
        return cast("Copula | None", self._built[key][1])

    def claims(self, data: Table, findings: Findings) -> tuple[Claim, ...]:
        """Claims on options other than the baseline."""
        raw, found, options = data.get("claims"), [], options_of(data)
        for name, each in (raw if isinstance(raw, dict) else {}).items():
            match each:
                case {"option": str(option), "saving_share": share}:
                    path: Path = ("claims", name)
                case _:
                    continue
            value = self.reader.number(share, scalars.SAVING_SHARE, (*path, "saving_share"), findings, "a number")
            if option not in options:
                expected = f"one of {', '.join(options)}"
                findings.add((*path, "option"), f"no option {shown(option)}", expected, nearest(option, options))
            elif option == data.get("baseline"):
                findings.add((*path, "option"), "the baseline, which saves nothing", "another option")
            elif value is not None:
                found.append(Claim(name, option, value, each.get("source")))
        return tuple(found)


def _pairs(data: Table) -> Iterator[tuple[int, tuple[str, str], float]]:
    """Place, canonical names and rank correlation of every entry that has them."""
    raw = data.get("correlations")
    for place, each in enumerate(raw if isinstance(raw, list) else ()):
        match each:
            case {"between": [str(first), str(second)], "spearman": float() | int() as rho} if -1 <= rho <= 1:
                yield place, (canonical(first), canonical(second)), float(rho)
