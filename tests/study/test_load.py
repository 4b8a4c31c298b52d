"""A bad file per fault: the line, the key and the nearest name are what a user needs to mend it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from simulator.study import Fault, StudyError, load_study
from tests.study.conftest import GOOD, Faults, Loads, spoiled

DATA = Path(__file__).parent.parent / "data"


def test_a_good_study_has_its_inputs_in_file_order_with_defaults(load: Loads) -> None:
    study = load(GOOD)

    assert study.title == "study"
    assert list(study.inputs)[:4] == ["engineer_rate", "delay_week_rate", "pflop_hours", "h100.price"]
    assert study.inputs["h100.price"].value == 55
    assert study.inputs["h100.price"].unit == "USD/instance-hour"
    assert study.inputs["trn2.compile_idle"].value == 1
    assert not study.inputs["trn2.compile_idle"].given
    assert "trn2.tokens_per_second" not in study.inputs
    assert study.inputs["trn2.utilization"].value.mean == pytest.approx(0.38)  # type: ignore[union-attr]
    assert study.options["trn2"].instances == 1
    assert study.text.decode() == GOOD


def test_reference_studies_are_read_whole() -> None:
    a, c = load_study(DATA / "study-a.toml"), load_study(DATA / "study-c.toml")

    assert a.options["trn2"].instances == 8
    assert a.workload.inputs["baseline_hours"].value == 4000
    assert c.options["h100"].commitment is not None
    assert c.options["h100"].commitment.signed == "already"
    assert [cost.per for cost in c.options["trn2"].other_costs] == ["amount", "per_week", "per_instance_hour"]
    assert c.correlations[0].between == ("trn2.utilization", "trn2.engineer_hours")
    assert c.copula is not None
    assert c.claims[0].saving_share == 0.3
    assert list(c.scenarios) == ["small_commitment", "half_volume"]
    assert (c.workload.layers, c.workload.hidden, c.workload.sequence) == (40, 5120, 4096)


def test_facts_of_a_value_are_kept(load: Loads) -> None:
    text = '{ value = 35, unit = "USD/instance-hour", kind = "spot", region = "eu", as_of = 2026-05-01, note = "n" }'

    price = load(spoiled("price = 35", f"price = {text}")).inputs["trn2.price"]

    assert price.value == 35
    assert price.provenance is not None
    assert (price.provenance.kind, price.provenance.region) == ("spot", "eu")
    assert (price.provenance.as_of, price.provenance.note) == (date(2026, 5, 1), "n")


def test_luck_is_marked(load: Loads) -> None:
    study = load(spoiled("sigma = 0.75 }", "sigma = 0.75, luck = true }"))

    assert study.inputs["trn2.engineer_hours"].luck
    assert not study.inputs["trn2.utilization"].luck


BAD = {
    "unknown key": (
        "utilization = 0.4", "utilisation = 0.4", 13, "options.h100.utilisation", "utilization"),
    "unknown section": ("[rates]", "[rate]", 7, "rate", "rates"),
    "key under the wrong section": ("pflop_hours = 1e5", "pflop_hours = 1e5\nhurdle = 0.1", 6, "workload.hurdle", None),
    "percentage": ("utilization = 0.4", "utilization = 41", 13, "options.h100.utilization", "0.41"),
    "percentage in a law": ("mean = 0.38, sd = 0.06", "mean = 38, sd = 6", 18, "options.trn2.utilization.mean", "0.38"),
    "percentage as a judgement": ('dist = "beta", mean = 0.38, sd = 0.06', "p05 = 20, p50 = 38, p95 = 50", 18,
                                  "options.trn2.utilization", ...),
    "text for a number": ("price = 55", 'price = "55"', 11, "options.h100.price", "55"),
    "text for a count": ("price = 55", 'price = 55\ninstances = "8"', 12, "options.h100.instances", None),
    "fraction for a count": ("price = 55", "price = 55\ninstances = 8.0", 12, "options.h100.instances", None),
    "too many instances": ("price = 55", "price = 55\ninstances = 8_000_000", 12, "options.h100.instances", None),
    "true for a number": ("price = 55", "price = true", 11, "options.h100.price", None),
    "nan": ("price = 55", "price = nan", 11, "options.h100.price", None),
    "inf": ("pflop_hours = 1e5", "pflop_hours = inf", 5, "workload.pflop_hours", None),
    "number beyond floats": ("price = 55", "price = 1" + "0" * 400, 11, "options.h100.price", None),
    "nan in a law": ("median = 240", "median = nan", 19, "options.trn2.engineer_hours.median", None),
    "negative price": ("price = 55", "price = -55", 11, "options.h100.price", None),
    "price of 0": ("price = 55", "price = 0", 11, "options.h100.price", None),
    "missing price": ("price = 55\n", "", 10, "options.h100.price", None),
    "negative hours": ('{ dist = "lognormal", median = 240, sigma = 0.75 }', "-3", 19, "options.trn2.engineer_hours",
                       None),
    "discount of 1": ("price = 55", "price = 55\ndiscount = 1.0", 12, "options.h100.discount", None),
    "negative spread": ("sd = 0.06", "sd = -0.06", 18, "options.trn2.utilization.sd", None),
    "impossible beta": ("mean = 0.38, sd = 0.06", "mean = 0.5, sd = 0.6", 18, "options.trn2.utilization.sd", None),
    "unknown distribution": ('"lognormal"', '"lognorml"', 19, "options.trn2.engineer_hours.dist", "lognormal"),
    "quantiles out of order": ('dist = "beta", mean = 0.38, sd = 0.06', "p05 = 0.4, p50 = 0.3, p95 = 0.5", 18,
                               "options.trn2.utilization.p50", None),
    "one quantile": ('dist = "beta", mean = 0.38, sd = 0.06', "p50 = 0.3", 18, "options.trn2.utilization", None),
    "law beyond its input": ('"beta", mean = 0.38, sd = 0.06', '"normal", mean = 0.38, sd = 0.12', 18,
                             "options.trn2.utilization", None),
    "law that crowds at 0": ('"beta", mean = 0.38, sd = 0.06', '"uniform", low = 0, high = 0.8', 18,
                             "options.trn2.utilization", None),
    "wrong unit": ("price = 55", 'price = { value = 55, unit = "EUR/instance-hour" }', 11, "options.h100.price.unit",
                   None),
    "date as text": ("price = 55", 'price = { value = 55, as_of = "2026-05-01" }', 11, "options.h100.price.as_of",
                     None),
    "unknown kind of price": ("price = 55", 'price = { value = 55, kind = "on-demand" }', 11, "options.h100.price.kind",
                              "on_demand"),
    "kind of what is no price": ("utilization = 0.4", 'utilization = { value = 0.4, kind = "spot" }', 13,
                                 "options.h100.utilization.kind", None),
    "unknown basis": ("price = 55", 'price = { value = 55, basis = "guess" }', 11, "options.h100.price.basis", None),
    "mistyped fact": ("price = 55", 'price = { value = 55, sorce = "x" }', 11, "options.h100.price.sorce", "source"),
    "luck of a number": ("price = 55", "price = { value = 55, luck = true }", 11, "options.h100.price.luck", None),
    "unknown prior": ("price = 35", 'price = { prior = "trn2/price/capacity_blok" }', 16, "options.trn2.price.prior",
                      "trn2/price/capacity_block"),
    "absent price": ("price = 35", 'price = { prior = "trn2/price/on_demand" }', 16, "options.trn2.price", None),
    "prior of another unit": ("price = 35", 'price = { prior = "trn2/utilization" }', 16, "options.trn2.price", None),
    "prior with another spread": ("price = 35", 'price = { prior = "trn2/price/spot", sd = 3 }', 16,
                                  "options.trn2.price.sd", None),
    "unknown baseline": ('"h100"', '"h10"', 1, "baseline", "h100"),
    "missing currency": ('currency = "USD"\n', "", 1, "currency", None),
    "missing workload": ("[workload]\npflop_hours = 1e5\n", "", 1, "workload", None),
    "empty workload": ("pflop_hours = 1e5\n", "note = 'x'\n", 4, "workload.pflop_hours", None),
    "two ways for the work": ("pflop_hours = 1e5", "pflop_hours = 1e5\ntokens = 1e12", 6, "workload.tokens", None),
    "two forms of work": ("pflop_hours = 1e5", "pflop_hours = 1e5\nbaseline_hours = 10\nbaseline_utilization = 0.4", 6,
                          "workload.baseline_hours", None),
    "parameters without tokens": ("pflop_hours = 1e5", "parameters = 1e9", 4, "workload.tokens", None),
    "hours without their utilization": ("pflop_hours = 1e5", "baseline_hours = 4000", 4,
                                        "workload.baseline_utilization", None),
    "utilization without hours": ("pflop_hours = 1e5", "baseline_utilization = 0.4", 4, "workload.baseline_hours",
                                  None),
    "shape without parameters": ("pflop_hours = 1e5", "pflop_hours = 1e5\nlayers = 4\nhidden = 8\nsequence = 2", 6,
                                 "workload.layers", None),
    "part of a shape": ("pflop_hours = 1e5", "parameters = 1e9\ntokens = 1e9\nlayers = 4\nhidden = 8", 4,
                        "workload.sequence", None),
    "two ways for the speed": ("utilization = 0.4", "utilization = 0.4\ntokens_per_second = 5e4", 14,
                               "options.h100.tokens_per_second", None),
    "no speed": ("utilization = 0.4\n", "", 10, "options.h100.utilization", None),
    "utilization without a peak": ("peak_pflops = 8\n", "", 10, "options.h100.peak_pflops", None),
    "tokens/s without tokens": ("peak_pflops = 8\nutilization = 0.4", "tokens_per_second = 5e4", 12,
                                "options.h100.tokens_per_second", None),
    "no rate for labour": ("[rates]\nengineer = 150\n", "", 1, "rates.engineer", None),
    "blocked baseline": ("utilization = 0.4", "utilization = 0.4\nblocked = 0.1", 14, "options.h100.blocked", None),
    "name that breaks dotted keys": ("[options.trn2]", '[options."trn2.48x"]', 15, 'options."trn2.48x"', None),
    "commitment without hours": ("price = 35", "price = 35\ncommitment = { resale = 0.4 }", 17,
                                 "options.trn2.commitment.instance_hours", None),
    "resale as a percentage": ("price = 35", "price = 35\ncommitment = { instance_hours = 5, resale = 40 }", 17,
                               "options.trn2.commitment.resale", "0.4"),
    "unknown time of signing": ("price = 35", 'price = 35\ncommitment = { instance_hours = 5, signed = "befor_trial" }',
                                17, "options.trn2.commitment.signed", "before_trial"),
    "cost of two measures": ("price = 35", 'price = 35\nother_costs = [{ label = "x", amount = 3, per_week = 4 }]', 17,
                             "options.trn2.other_costs.0", None),
    "cost without a measure": ("price = 35", 'price = 35\nother_costs = [{ label = "x" }]', 17,
                               "options.trn2.other_costs.0", None),
    "escape in a label": ("price = 35", 'price = 35\nlabel = "\\u001b[31mred"', 17, "options.trn2.label", None),
    "turned reading direction": ("price = 35", 'price = 35\nlabel = "\\u202Ered"', 17, "options.trn2.label", None),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_one_fault_is_told_with_its_place(case: str, faults: Faults) -> None:
    old, new, line, key, nearest = BAD[case]

    found = faults(spoiled(old, new))

    assert [(each.line, each.key) for each in found] == [(line, key)], found
    assert nearest in (..., found[0].nearest)
    assert found[0].found
    assert found[0].expected


PAIR = '[[correlations]]\nbetween = ["{}", "{}"]\nspearman = 0.1\n'

TAILS = {
    "correlation with an unknown input": (PAIR.format("trn2.utilization", "trn2.engineerhours"), 21,
                                          "correlations.0.between.1", "trn2.engineer_hours"),
    "correlation with a number": (PAIR.format("trn2.utilization", "trn2.price"), 21,
                                  "correlations.0.between.1", None),
    "correlation with itself": (PAIR.format("trn2.utilization", "options.trn2.utilization"), 21,
                                "correlations.0.between", None),
    "correlation above 1": ('[[correlations]]\nbetween = ["trn2.utilization", "trn2.engineer_hours"]\nspearman = 1.1',
                            22, "correlations.0.spearman", None),
    "correlation of three": ('[[correlations]]\nbetween = ["a", "b", "c"]\nspearman = 0.1', 21,
                             "correlations.0.between", None),
    "claim on an unknown option": ('[claims]\nx = { option = "trn", saving_share = 0.3 }', 21, "claims.x.option",
                                   "trn2"),
    "claim on the baseline": ('[claims]\nx = { option = "h100", saving_share = 0.3 }', 21, "claims.x.option", None),
    "claim as a percentage": ('[claims]\nx = { option = "trn2", saving_share = 30 }', 21, "claims.x.saving_share",
                              "0.3"),
    "scenario of an unknown key": ('[scenarios.s]\n"trn2.prise" = 3', 21, 'scenarios.s."trn2.prise"', "price"),
    "scenario of an unknown option": ('[scenarios.s]\n"options.trn1.price" = 3', 21, 'scenarios.s."options.trn1.price"',
                                      "trn2"),
    "scenario of an unknown head": ('[scenarios.s]\n"trn1.price" = 3', 21, 'scenarios.s."trn1.price"', "trn2"),
    "scenario without quotes": ("[scenarios.s]\noptions.trn2.price = 3", 21, "scenarios.s.options",
                                "options.trn2.price"),
    "scenario without quotes, short": ("[scenarios.s]\ntrn2.price = 3", 21, "scenarios.s.trn2", "trn2.price"),
    "scenario of the baseline": ('[scenarios.s]\n"baseline" = "trn2"', 21, "scenarios.s.baseline", None),
    "scenario with a wrong value": ('[scenarios.s]\n"trn2.price" = -3', 21, 'scenarios.s."trn2.price"', None),
    "scenario with a wrong law": ('[scenarios.s]\n"trn2.utilization" = { dist = "beta", mean = 0.4, sd = -1 }', 21,
                                  'scenarios.s."trn2.utilization".sd', None),
    "scenario within a number": ('[scenarios.s]\n"h100.price.x" = 3', 21, 'scenarios.s."h100.price.x"', None),
    "two ways in a scenario": ('[scenarios.s]\n"workload.tokens" = 1e12', 21, 'scenarios.s."workload.tokens"', None),
    "libraries outside": ('[priors]\nfiles = ["../x.toml"]', 21, "priors.files.0", None),
    "evidence for an unknown option": ('[[evidence]]\noption = "trn"\nfiles = ["a.log"]', 21, "evidence.0.option",
                                       "trn2"),
    "evidence of both kinds": ('[[evidence]]\noption = "trn2"\nfiles = ["a.log"]\ninput = "trn2.price"', 20,
                               "evidence.0", None),
    "events without exposure": ('[[evidence]]\ninput = "trn2.faults_per_1000h"\nevents = 2', 20,
                                "evidence.0.exposure_hours", None),
    "evidence for an unknown input": ('[[evidence]]\ninput = "trn2.faults_per_100h"\nvalues = [1.0]', 21,
                                      "evidence.0.input", "trn2.faults_per_1000h"),
    "reported by an unknown option": ("[reported.trn]\nprice = 3", 20, "reported.trn", "trn2"),
    "reported under an unknown key": ("[reported.trn2]\nprise = 3", 21, "reported.trn2.prise", "price"),
    "unknown language": ('[memo]\nlang = "de"', 21, "memo.lang", None),
    "date in quotes": ('[reported]\nas_of = "2026-05-01"', 21, "reported.as_of", None),
    "time for a date": ("[reported]\nas_of = 2026-05-01T10:00:00Z", 21, "reported.as_of", None),
    "number for text": ('[claims]\nx = { option = "trn2", saving_share = 0.3, source = 3 }', 21, "claims.x.source",
                        None),
    "missing logo": ('[memo]\nlogo = "logo.svg"', 21, "memo.logo", None),
}  # fmt: skip


@pytest.mark.parametrize("case", TAILS)
def test_one_fault_of_a_further_section_is_told_with_its_place(case: str, faults: Faults) -> None:
    tail, line, key, nearest = TAILS[case]

    found = faults(GOOD + tail + "\n")

    assert [(each.line, each.key, each.nearest) for each in found] == [(line, key, nearest)], found


def test_all_faults_come_at_once_in_order_of_line(faults: Faults) -> None:
    text = GOOD.replace("utilization = 0.4", "utilisation = 41").replace("price = 35", "price = -35")

    found = faults(text + '[scenarios.s]\n"trn2.discount" = 30\n[memo]\ncolour = "red"\n')

    assert [each.line for each in found] == [13, 16, 21, 23]
    assert [each.nearest for each in found] == ["utilization", None, "0.3", None]


def test_a_wrong_value_makes_no_second_fault_where_it_is_named(faults: Faults) -> None:
    tail = PAIR.format("trn2.utilization", "trn2.engineer_hours")

    assert len(faults(spoiled("sd = 0.06", "sd = -1") + tail)) == 1


def test_a_fault_that_a_scenario_makes_elsewhere_stands_at_the_scenario(faults: Faults) -> None:
    text = spoiled("pflop_hours = 1e5", "parameters = 1e9\ntokens = 1e12")
    text = text.replace("peak_pflops = 8\nutilization = 0.4", "tokens_per_second = 5e4")

    (found,) = faults(text + '[scenarios.s]\n"workload" = { pflop_hours = 1e5 }\n')

    assert (found.line, found.key) == (20, "scenarios.s")
    assert "options.h100.tokens_per_second" in found.found


def test_an_infeasible_set_names_a_pair_of_it(faults: Faults) -> None:
    between = (("utilization", "engineer_hours"), ("engineer_hours", "delay_weeks"), ("utilization", "delay_weeks"))
    pairs = "".join(
        f'[[correlations]]\nbetween = ["trn2.{first}", "trn2.{second}"]\nspearman = {rho}\n'
        for (first, second), rho in zip(between, (0.9, 0.9, -0.9), strict=True)
    )

    (found,) = faults(GOOD + 'delay_weeks = { dist = "uniform", low = 1, high = 3 }\n' + pairs)

    assert found.key.startswith("correlations.")
    assert found.line in (21, 24, 27)


def test_a_pair_is_given_once(faults: Faults) -> None:
    names = ("trn2.utilization", "trn2.engineer_hours")

    (found,) = faults(GOOD + PAIR.format(*names) + PAIR.format(*reversed(names)))

    assert (found.line, found.key) == (24, "correlations.1.between")


@pytest.mark.parametrize("table", ["options", "workload", "rates", "scenarios", "claims", "correlations", "priors"])
def test_a_section_of_the_wrong_kind_is_a_fault_and_no_crash(table: str, faults: Faults) -> None:
    found = faults(f"{table} = 3\n")

    assert (1, table) in [(each.line, each.key) for each in found]


def test_what_has_no_effect_is_noted(load: Loads) -> None:
    study = load(spoiled("utilization = 0.4", "utilization = 0.4\nblocked_spent = 0.5"))

    assert [(note.code, note.where) for note in study.notes] == [
        ("no_effect", "h100.blocked_spent"),
        ("delay_is_free", "delay_week_rate"),
    ]


def test_sections_of_others_are_typed(load: Loads) -> None:
    study = load(
        GOOD
        + """
[reported]
tokens_per_second = 48_200
[reported.trn2]
price = 24.69
[[evidence]]
option = "trn2"
files = ["poc/*.log"]
[[evidence]]
input = "options.trn2.faults_per_1000h"
events = 2
exposure_hours = 340
[poc]
option = "trn2"
cost_per_run = 100
[memo]
lang = "zh"
"""
    )

    assert study.reported is not None
    assert study.reported.study.tokens_per_second == 48_200
    assert study.reported.options["trn2"].price == 24.69
    assert study.evidence[0].files == ("poc/*.log",)
    assert study.evidence[1].exposure_hours == 340
    assert study.poc is not None
    assert study.poc.cost_per_run == 100
    assert study.memo is not None
    assert study.memo.lang == "zh"


def test_errors_are_sorted_and_rendered_by_one_function() -> None:
    error = StudyError(
        [
            Fault("study.toml", 31, "options.trn2.utilisation", "no such key", "a key of an option", "utilization"),
            Fault("study.toml", 4, "hurdle", "41", "a share", "0.41"),
        ]
    )

    assert str(error) == (
        "study.toml:4: hurdle\n"
        "    41; expected a share; did you mean 0.41?\n"
        "study.toml:31: options.trn2.utilisation\n"
        '    no such key; expected a key of an option; did you mean "utilization"?\n'
        "2 faults, nothing was run."
    )
