"""The tables and keys of a study file. What a value that may be uncertain can be is for `reading`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic_core import ErrorDetails, SchemaValidator, ValidationError, core_schema

from simulator.study import scalars
from simulator.study.faults import Problem, nearest, shown
from simulator.study.kinds import Key, Kind, anything, array, choice, day, keys_of, mapping, number, table, text, whole
from simulator.study.scalars import Scalar
from simulator.study.sections import Evidence, Memo, Poc, ReportedFigures
from simulator.study.values import Path

# What is above these was not meant: a slip in a count, or a file that a program wrote and nobody read.
MAX_OPTIONS = 64
MAX_SCENARIOS = 20_000
MAX_CLAIMS = 1_000
MAX_CORRELATIONS = 2_000
MAX_OTHER_COSTS = 100
MAX_EVIDENCE = 1_000
MAX_INSTANCES = 100_000
MAX_UNCERTAIN = 1_000
MAX_SHAPE = 10_000_000

TEXT = text()
NAME = text("^[A-Za-z0-9_-]+$", "a name of letters, digits, _ and -")
NOTE = Key(TEXT, "anything a reader should know")
SOURCE = Key(TEXT, "where it comes from")
SHAPE = whole(1, MAX_SHAPE)


def _scalars(known: Mapping[str, Scalar]) -> dict[str, Key]:
    """Keys for values that may be uncertain; whether they are there is all that is checked here."""
    return {each.name: _scalar(each) for each in known.values()}


def _scalar(each: Scalar) -> Key:
    kind = anything({"anyOf": [bounded(each), {"$ref": "#/$defs/uncertain"}]}, "a number, or a table of a distribution")
    return Key(kind, each.doc, each.unit, each.default, each.required)


def _plain(each: Scalar, required: bool = False) -> Key:
    return Key(anything(bounded(each), f"a number, {each.domain}"), each.doc, each.unit, each.default, required)


def bounded(each: Scalar) -> dict[str, Any]:
    """JSON Schema of a plain number in the scalar's domain."""
    bounds = {
        "exclusiveMinimum" if each.low_open else "minimum": each.low,
        "exclusiveMaximum" if each.high_open else "maximum": each.high,
    }
    return {"type": "number", **{name: bound for name, bound in bounds.items() if abs(bound) != float("inf")}}


WORKLOAD = table(
    "[workload]",
    "The work to be done, in one of its forms: `pflop_hours`; `parameters` and `tokens`; `baseline_hours` and "
    "`baseline_utilization`; or `tokens` alone.",
    {
        **_scalars(scalars.WORKLOAD),
        "layers": Key(SHAPE, "layers of the model; with `hidden` and `sequence`, W counts attention too", "count"),
        "hidden": Key(SHAPE, "hidden size of the model", "count"),
        "sequence": Key(SHAPE, "tokens a sequence", "count"),
        "note": NOTE,
    },
)

RATES = table("[rates]", "What time costs.", {**_scalars(scalars.RATES), "note": NOTE})

COMMITMENT = table(
    "a commitment",
    "Instance-hours that are paid whether used or not.",
    {
        **_scalars(scalars.COMMITMENT),
        "signed": Key(
            choice("already", "before_trial", "after_trial"),
            "when it is signed; left out, `already` for the baseline and `before_trial` for the others",
        ),
        "note": NOTE,
    },
)

OTHER_COST = table(
    "an entry of other_costs",
    "A cost outside rent and labour, by one of its three measures.",
    {
        "label": Key(TEXT, "what it is for", required=True),
        **_scalars(scalars.OTHER_COST),
        "source": SOURCE,
        "note": NOTE,
    },
)

OPTION = table(
    "an option",
    "One way to do the work.",
    {
        "label": Key(TEXT, "what reports call it; left out, its name"),
        "instances": Key(
            whole(1, MAX_INSTANCES), "instances that work together (n), each the whole node that is billed", "count", 1
        ),
        **_scalars(scalars.OPTION),
        "commitment": Key(COMMITMENT, "instance-hours that are paid whether used or not"),
        "other_costs": Key(array(OTHER_COST, MAX_OTHER_COSTS), "costs outside rent and labour"),
        "note": NOTE,
    },
)

CORRELATION = table(
    "a correlation",
    "Rank correlation of two uncertain inputs, under a Gaussian copula.",
    {
        "between": Key(array(TEXT, exactly=2), "the two inputs: `trn2.utilization`", required=True),
        "spearman": Key(number(-1, 1), "their rank correlation", required=True),
        "source": SOURCE,
        "note": NOTE,
    },
)

CLAIM = table(
    "a claim",
    "A saving that someone claims, to be placed on the distribution.",
    {
        "option": Key(TEXT, "the option that it is about", required=True),
        "saving_share": _plain(scalars.SAVING_SHARE, required=True),
        "source": Key(TEXT, "who claims it, and where"),
        "note": NOTE,
    },
)

PRIORS = table(
    "[priors]",
    "Prior libraries beside the one that is shipped.",
    {"files": Key(array(TEXT), "TOML files relative to the study; their entries come first", required=True)},
)

REPORTED_OPTION = table("[reported.OPTION]", ReportedFigures.__doc__ or "", keys_of(ReportedFigures))
SCENARIO = mapping(anything({}, "a value"), TEXT, 'a table of quoted dotted keys: "options.trn2.price" = 15.09')

STUDY = table(
    "a study",
    "A decision: which of several ways to do one piece of work costs least?",
    {
        "title": Key(TEXT, "the question in one line; left out, the file's name"),
        "baseline": Key(TEXT, "the option that is kept when nothing is changed", required=True),
        "currency": Key(text(r"^\S{1,8}$", "a currency such as USD"), "the currency of every amount", required=True),
        "hurdle": _plain(scalars.HURDLE),
        "as_of": Key(day(), "the day for which prices and facts are meant"),
        "note": NOTE,
        "workload": Key(WORKLOAD, "the work to be done", required=True),
        "rates": Key(RATES, "what time costs"),
        "options": Key(
            mapping(OPTION, NAME, "a table of options, [options.NAME] each", 1, MAX_OPTIONS), "ways to do the work",
            required=True,
        ),
        "correlations": Key(array(CORRELATION, MAX_CORRELATIONS), "inputs that go together"),
        "claims": Key(mapping(CLAIM, TEXT, "a table of claims", most=MAX_CLAIMS), "savings that someone claims"),
        "scenarios": Key(
            mapping(SCENARIO, NAME, "a table of scenarios, [scenarios.NAME] each", most=MAX_SCENARIOS),
            "studies that differ in a few values and run on the same draws",
        ),
        "priors": Key(PRIORS, "prior libraries beside the one that is shipped"),
        "reported": Key(
            table("[reported]", "Figures of the study as a whole, and a table an option.", keys_of(ReportedFigures),
                  REPORTED_OPTION),
            "figures as printed somewhere, to be held against each other",
        ),
        "evidence": Key(
            array(table("an entry of evidence", Evidence.__doc__ or "", keys_of(Evidence)), MAX_EVIDENCE),
            "what was measured",
        ),
        "poc": Key(table("[poc]", Poc.__doc__ or "", keys_of(Poc)), "what a proof of concept would cost"),
        "memo": Key(table("[memo]", Memo.__doc__ or "", keys_of(Memo)), "how the memo looks"),
    },
)  # fmt: skip

SHARED_KEYS = frozenset({"note", "source", "as_of", "label"})
HOMES: Mapping[str, Mapping[str, Key]] = {
    "the head of the file, before any [section]": {k: v for k, v in STUDY.keys.items() if not v.kind.keys},
    "[workload]": WORKLOAD.keys,
    "[rates]": RATES.keys,
    "an [options.NAME]": OPTION.keys,
}
"""Where a key belongs that stands in another table: in TOML a key goes to the section above it."""

_VALIDATOR = SchemaValidator(STUDY.core, core_schema.CoreConfig(hide_input_in_errors=True))


def structure(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """The study's tables with arrays as tuples, and what is wrong with their keys and kinds (then no tables)."""
    try:
        tables: dict[str, Any] = _VALIDATOR.validate_python(data)
    except ValidationError as error:
        return {}, list(_problems(error.errors(include_url=False, include_context=False)))
    return tables, []


def kind_at(path: Path) -> Kind | None:
    """The kind of value that belongs at a path; None where nothing is known of it."""
    kind: Kind | None = STUDY
    for part in path:
        known = kind.keys.get(str(part)) if kind else None
        kind = known.kind if known else kind.item if kind else None
    return kind


def _problems(errors: list[ErrorDetails]) -> Iterator[Problem]:
    for error in errors:
        path, found = error["loc"], error["input"]
        kind = kind_at(path)
        match error["type"]:
            case "missing":
                yield _missing(path)
            case "extra_forbidden":
                yield _unknown(path)
            case "too_long" | "too_short":
                yield Problem(path, f"{len(found) or 'none'} of them", kind.words if kind else "fewer")
            case _ if path[-1:] == ("[key]",):
                yield Problem(path[:-1], f"the name {shown(path[-2])}", NAME.words)
            case _ if path[0] == "reported" and len(path) == 2 and path[1] not in STUDY.keys["reported"].kind.keys:
                yield _unknown(path)
            case _:
                choices = kind.choices if kind else ()
                yield Problem(path, shown(found), kind.words if kind else "another value", nearest(found, choices))


def _missing(path: Path) -> Problem:
    table_, name = kind_at(path[:-1]), str(path[-1])
    key = table_.keys[name] if table_ else Key(TEXT)
    return Problem(path, "missing", f"{key.doc} ({key.unit})" if key.unit else key.doc)


def _unknown(path: Path) -> Problem:
    table_, name = kind_at(path[:-1]), str(path[-1])
    known = table_.keys if table_ else {}
    expected = f"a key of {table_.called}" if table_ else "a known key"
    close = nearest(name, known)
    home = next((home for home, keys in HOMES.items() if name in keys and name not in SHARED_KEYS), None)
    if home and (close is None or name in HOMES[home]):
        return Problem(path, "no such key here", f'{expected}; "{name}" belongs in {home}')
    return Problem(path, "no such key", expected, close)
