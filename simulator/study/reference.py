"""docs/study.md and the JSON Schema file, made from the schema. `python -m simulator.study.reference` writes both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path as FilePath
from string import Template

from simulator.study import domain, nearby, reading, scalars, schema
from simulator.study.document import MAX_BYTES, MAX_DEPTH
from simulator.study.jsonschema import SHIPPED, rendered_schema
from simulator.study.kinds import Key, Kind, keys_of
from simulator.study.overrides import OF_SCENARIOS
from simulator.study.scalars import CURRENCY, Scalar
from simulator.study.sections import Design
from simulator.study.starters import template, templates

HEAD = """\
<!-- Made by `python -m simulator.study.reference` from the schema; edit that, not this. -->

# The study file

A study is one decision, written in TOML (UTF-8). `simulate init` writes a commented one, `simulate check STUDY` tells
every fault of it with its line, `simulate schema` prints the JSON Schema for editors: with the line
`#:schema ./study.schema.json` at the head of a study, an editor that knows TOML schemas completes and checks it.

In TOML a key belongs to the `[section]` above it: keys of the study as a whole come before the first section.
"""

VALUES = Template("""\
## Values

Every key of `[workload]`, `[rates]`, an option, a commitment and `other_costs` in the tables below that has a range
takes a number or a table:

| spelling | meaning |
|---|---|
| `0.42` | a fixed number |
| `{ value = 0.42, source = "..." }` | a fixed number with facts |
| `{ dist = "beta", mean = 0.42, sd = 0.06 }` | a named distribution |
| `{ p05 = 0.2, p50 = 0.4, p95 = 0.6 }` | a judgement: two or more of p01 to p99; a metalog goes through them, or the \
family of `dist` is fitted |
| `{ prior = "trn2/utilization" }` | an entry of the prior library |

`min` and `max` beside any of them but a fixed number truncate the law: it is conditioned on the interval. Beside
quantiles they are ends of the metalog, which then still passes through the quantiles.

Facts may stand in any such table: `unit` (must be that of the key), `source`, `as_of` (a TOML date, without quotes),
`basis` ($bases), `note`, and for prices `kind` ($kinds) and `region`. `luck = true` marks what no measuring can
reduce; all other laws are ignorance, and count in the value of information.

A law must keep to the range of its key. A judgement by quantiles alone that would reach beyond it is fitted with the
range's ends as `min` and `max`; of any other law a mass up to $refused beyond it is cut off; a note says so in both
cases. More is refused. So is a law of $dividing that crowds at 0, such as a uniform one from 0: the cost goes with
1 / value, and its mean would be infinite.

### Distributions

| `dist` | keys | |
|---|---|---|
""")

NAMES = """\
## Names of inputs

`OPTION.key` (`trn2.utilization`, `trn2.commitment.instance_hours`, `trn2.other_costs.0.amount`), and for the study
`engineer_rate`, `delay_week_rate` and the keys of `[workload]`. The path in the file (`options.trn2.utilization`,
`rates.engineer`, `workload.tokens`) names the same input everywhere.
"""

OVERRIDES = Template("""\
A scenario is the study with some values replaced; all run on the same draws. Each key is a name of an input or a path
in the file, **in quotes**, and its value replaces what the path names, whole. `--set KEY=VALUE` on the command line
follows the same rule, with a TOML value, or text where it is none: `--set trn2.price=15.09`, `--set baseline=trn2`.

- What is not named stays. Giving `pflop_hours` over a workload by `tokens` makes two ways for one thing, which is a
  fault: replace the table, `"workload" = { pflop_hours = 5e4 }`.
- A scenario may change $allowed. It has the options of the study; `--set` may change anything.
- A number set for an input takes its correlations away, with a note.
""")

PRIORS = """\
An entry of a library is a table under its name, `["trn2/utilization"]`, with a value as above and its facts;
`quantiles` states what the law should give, `history` what held before. Entries of a study's own files come before the
shipped ones of the same name, and a note says so. Beside a reference may stand facts, `luck`, `min` and `max`.
"""

FILES = f"""\
## Files that a study names

Libraries, evidence, a logo and the `file` of an `empirical` law lie in the study's folder or below it, wherever links
lead. The column of an `empirical` law stands in a CSV file (tabs for `.tsv`) of at most
{nearby.MAX_COLUMN_BYTES // 2**20} MiB, under a header in the first line; every cell of it is a finite number.
"""


def study_reference() -> str:
    """The text of docs/study.md."""
    from simulator.inputs import KEYS

    dividing = ", ".join(f"`{each.name}`" for each in scalars.OPTION.values() if each.divides)
    values = VALUES.substitute(
        bases=_words(reading.BASES),
        kinds=_words(reading.PRICE_KINDS),
        refused=f"{domain.MASS_REFUSED:g}",
        dividing=dividing,
    )
    keys = [f"| `{name}` | {key.doc} |" for name, key in KEYS.items()]
    return "\n".join(
        [
            HEAD,
            "## Example\n",
            f"```toml\n{template('minimal')}```\n",
            "`simulate init` writes this and other starters:\n",
            *(f"- `{kind}`: {doc}" for kind, doc in templates().items()),
            "",
            "## Head\n",
            *_keys(_heads()),
            values + "\n".join(_distributions()) + "\n",
            "| key | |\n|---|---|",
            *keys,
            "| `p01` ... `p99` | value that is not exceeded with so many per cent |\n",
            NAMES,
            *_section("[workload]", schema.WORKLOAD.json["description"], schema.WORKLOAD.keys, scalars.WORKLOAD),
            *_section("[rates]", "", schema.RATES.keys, scalars.RATES),
            *_section("[options.NAME]", _options_doc(), schema.OPTION.keys, scalars.OPTION),
            *_section(
                "[options.NAME.commitment]", schema.COMMITMENT.json["description"], schema.COMMITMENT.keys,
                scalars.COMMITMENT,
            ),
            *_section(
                "[[options.NAME.other_costs]]", schema.OTHER_COST.json["description"], schema.OTHER_COST.keys,
                scalars.OTHER_COST,
            ),
            *_section("[[correlations]]", schema.CORRELATION.json["description"], schema.CORRELATION.keys),
            *_section("[claims]", f"{schema.CLAIM.json['description']} `NAME = {{ ... }}`", schema.CLAIM.keys),
            "## `[scenarios.NAME]`\n",
            OVERRIDES.substitute(allowed=_words(OF_SCENARIOS)),
            *_section("[priors]", PRIORS, schema.PRIORS.keys),
            *_section("[reported]", _reported_doc(), schema.REPORTED_OPTION.keys),
            *_section("[[evidence]]", _doc("evidence"), _of("evidence")),
            *_section("[poc]", _doc("poc"), _of("poc")),
            *_section("[poc.designs.NAME]", Design.__doc__ or "", keys_of(Design)),
            *_section("[memo]", _doc("memo"), _of("memo")),
            FILES,
            *_limits(),
        ]
    )  # fmt: skip


def _heads() -> dict[str, Key]:
    return {name: key for name, key in schema.STUDY.keys.items() if not key.kind.keys and not key.kind.item}


def _of(section: str) -> Mapping[str, Key]:
    kind = schema.STUDY.keys[section].kind
    return kind.keys or (kind.item.keys if kind.item else {})


def _doc(section: str) -> str:
    kind = schema.STUDY.keys[section].kind
    return str((kind.item or kind).json["description"])


def _options_doc() -> str:
    return (
        "NAME is of letters, digits, `_` and `-`. Rates are per instance, the whole node that is billed. "
        "docs/model.md says how each symbol enters the cost."
    )


def _reported_doc() -> str:
    return (
        "Figures as someone printed them, to be held against each other; they enter no cost. In `[reported]` those of "
        "the study as a whole, in `[reported.OPTION]` those of an option."
    )


def _section(title: str, doc: str, keys: Mapping[str, Key], known: Mapping[str, Scalar] | None = None) -> Iterator[str]:
    yield f"## `{title}`\n"
    if doc:
        yield doc.strip() + "\n"
    yield from _keys(keys, known or {})


def _keys(keys: Mapping[str, Key], known: Mapping[str, Scalar] | None = None) -> Iterator[str]:
    """A table of keys; those that may be uncertain come with symbol and range."""
    known = known or {}
    yield "| key | is | unit | default | |"
    yield "|---|---|---|---|---|"
    for name, key in keys.items():
        scalar = known.get(name)
        kind = scalar.domain if scalar else _kind(key.kind)
        symbol = f" ({scalar.symbol})" if scalar and scalar.symbol else ""
        default = "**required**" if key.required else "" if key.default is None else f"{key.default}"
        cells = (f"`{name}`{symbol}", kind, key.unit, default, key.doc)
        yield "| " + " | ".join(_cell(each) for each in cells) + " |"
    yield ""


def _kind(kind: Kind) -> str:
    if kind.keys:
        return "a table, below"
    return "tables, below" if kind.item and kind.item.keys else kind.words


def _cell(text: str) -> str:
    return text.replace(CURRENCY, "currency").replace("|", "\\|").replace("<", "&lt;")


def _distributions() -> Iterator[str]:
    from simulator.inputs import BY_QUANTILES, FAMILIES

    for name, family in FAMILIES.items():
        spellings: Iterable[tuple[str, ...]] = family.spellings
        ways = [", ".join(f"`{key}`" for key in spelling) for spelling in spellings]
        ways += ["quantiles"] if name in BY_QUANTILES else []
        doc = (family.__doc__ or "").strip().splitlines()[0]
        yield f"| `{name}` | {_cell('; or '.join(ways))} | {_cell(doc)} |"


def _limits() -> Iterator[str]:
    yield "## Limits\n"
    yield "What is above these was not meant: a slip in a count, or a file that a program wrote and nobody read.\n"
    yield "| of a study | at most |"
    yield "|---|---|"
    limits = {
        "size of the file": f"{MAX_BYTES // 2**20} MiB",
        "tables in tables": MAX_DEPTH,
        "options": schema.MAX_OPTIONS,
        "uncertain inputs": schema.MAX_UNCERTAIN,
        "scenarios": schema.MAX_SCENARIOS,
        "correlations": schema.MAX_CORRELATIONS,
        "claims": schema.MAX_CLAIMS,
        "other costs of an option": schema.MAX_OTHER_COSTS,
        "entries of evidence": schema.MAX_EVIDENCE,
        "instances of an option": schema.MAX_INSTANCES,
    }
    for name, limit in limits.items():
        yield f"| {name} | {limit if isinstance(limit, str) else f'{limit:,}'} |"
    yield ""


def _words(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def main() -> None:
    """Write both files into the checkout that this module lies in."""
    package = FilePath(__file__).parent
    (package / SHIPPED).write_text(rendered_schema(), "utf-8", newline="\n")
    (package.parent.parent / "docs" / "study.md").write_text(study_reference(), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
