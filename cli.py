"""The `simulate` command: verbs that parse, call and print; nothing else."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import partial, wraps
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from rich.console import Console

    from simulator.report.memo import Lang
    from simulator.study import Study


class DefaultRun(click.Group):
    """`simulate study.toml` means `simulate run study.toml`; a mistyped verb is named as such."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {name for option in self.get_params(ctx) for name in option.opts}
        if args and args[0] not in own and args[0] not in self.commands:
            self._refuse_mistyped_verb(ctx, args[0])
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def _refuse_mistyped_verb(self, ctx: click.Context, word: str) -> None:
        if set("-./\\") & set(word) or Path(word).exists():
            return
        for verb in get_close_matches(word, self.commands, 1):
            ctx.fail(f"{word!r} is neither a verb nor a file; did you mean {verb!r}?")

    def invoke(self, ctx: click.Context) -> object:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")  # a locale without a character costs that character alone
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("interrupted; nothing was written", err=True)
            ctx.exit(130)  # click's own is 1
        except (ValueError, RuntimeError) as error:
            from simulator.study.faults import StudyError, UnableError

            if not isinstance(error, StudyError | UnableError):
                raise
            click.echo(error, err=True)
            ctx.exit(2)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        return [*super().shell_complete(ctx, incomplete), CompletionItem(incomplete, type="file")]


@click.group(cls=DefaultRun, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="switchodds", prog_name="simulate")
def main() -> None:
    """How likely does moving training to other hardware pay, by how much, and what decides it?

    `simulate STUDY.toml` is `simulate run STUDY.toml`.
    """
    start_fast()


def setting(command: Callable[..., None]) -> Callable[..., None]:
    """`--set KEY=VALUE`, the same for every verb that reads a study."""
    words = "Set a dotted key, such as options.trn2.price=15.09; repeat for several."
    return click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help=words)(command)


def start_fast() -> None:
    """Start lean: no threads of BLAS, and no search for garbage in imports.

    Matrices are small here: threads gain next to nothing, and on a machine with other work they wait for each other.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(50_000, 20, 20)


@contextmanager
def losses_told(kept: Path | None) -> Iterator[None]:
    """Say what is left when a run is interrupted or loses its workers."""
    from simulator.engine.workers import WorkersLostError

    left = f"what was done is kept: the same command goes on from {kept}" if kept else "nothing was kept"
    try:
        yield
    except WorkersLostError as error:
        click.echo(f"{error}; {left}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        click.echo(f"interrupted; {left}", err=True)
        sys.exit(130)


def run_batch(
    studies: tuple[str, ...],
    settings: tuple[str, ...],
    grid: tuple[str, ...],
    table: Path,
    how: tuple[int, int],
    workers: int,
    dask: str | None,
    quiet: bool,
) -> None:
    """Run many studies into one table; 2 is the exit code where some could not be run."""
    from simulator.engine.workers import workers as hired
    from simulator.report.batch import Run, tasks, write_table
    from simulator.report.progress import progress

    with losses_told(None), hired(workers, dask) as staff, progress(quiet, "studies") as report:
        done = write_table(table, tasks(studies, settings, grid), Run(*how), staff, report)
    for fault in done.faults:
        click.echo(fault, err=True)
    click.echo(f"{table} is written: {done.studies - len(done.faults)} of {done.studies} studies", err=True)
    if done.faults:
        sys.exit(2)


@main.command()
@click.argument("studies", nargs=-1, required=True, metavar="STUDY...")
@setting
@click.option("--scenario", metavar="NAME", help="Run this scenario of the study as if it were the study.")
@click.option("--draws", type=click.IntRange(1), default=65_536, show_default=True, help="Draws at least.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Fixes every draw.")
@click.option("--tolerance", type=float, metavar="P", help="Double the draws until the error of P(beats) is at most P.")
@click.option("--save", type=click.Path(path_type=Path), metavar="DIR", help="Keep the run in a new folder.")
@click.option("--save-draws", is_flag=True, help="Keep the draws too, as draws.parquet in the folder of --save.")
@click.option("--prior-only", is_flag=True, help="Answer without what a PoC taught; the answer with it stands beside.")
@click.option(
    "--workers", type=click.IntRange(1), default=1, help="Processes that share the work; figures do not change."
)
@click.option(
    "--dask", metavar="ADDRESS", help="Share the work with this Dask cluster; `local` starts one of --workers."
)
@click.option(
    "--resume", type=click.Path(path_type=Path), metavar="DIR", help="Keep a long run's sums; go on from them."
)
@click.option(
    "--grid", multiple=True, metavar="KEY=[...]", help="Run at each value; with several, at all combinations."
)
@click.option(
    "--table", type=click.Path(path_type=Path), metavar="FILE", help="Write many studies' figures as Parquet."
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON, and nothing else.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.option("-v", "--verbose", is_flag=True, help="Say on standard error how the figures were made.")
def run(
    studies: tuple[str, ...],
    settings: tuple[str, ...],
    scenario: str | None,
    draws: int,
    seed: int,
    tolerance: float | None,
    save: Path | None,
    save_draws: bool,
    prior_only: bool,
    workers: int,
    dask: str | None,
    resume: Path | None,
    grid: tuple[str, ...],
    table: Path | None,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Say how likely switching pays, by how much, and how bad the bad cases are.

    Several studies, folders of them or a --grid of settings give one --table.
    """
    if table is not None:
        if save or resume or scenario or tolerance or prior_only or as_json:
            raise click.UsageError("--table goes with --set, --grid, --draws, --seed, --workers and --dask alone")
        run_batch(studies, settings, grid, table, (draws, seed), workers, dask, quiet)
        return
    if len(studies) > 1 or grid or Path(studies[0]).is_dir():
        raise click.UsageError("several studies give one table: say where with --table FILE.parquet")

    from simulator.audit import audited
    from simulator.calibration import beside, with_posterior
    from simulator.engine import run as run_study
    from simulator.engine.workers import workers as hired
    from simulator.report.progress import progress
    from simulator.study import load_study, scenario_of

    if save_draws and save is None:
        raise click.UsageError("--save-draws keeps the draws in the folder of --save DIR, which is not given")
    if tolerance is not None and not 0 < tolerance < 1:
        raise click.BadParameter(f"{tolerance} is not a probability between 0 and 1", param_hint="--tolerance")
    loaded = load_study(studies[0], settings)
    used = with_posterior(loaded)
    asked = scenario_of(loaded if prior_only else used, scenario)
    with losses_told(resume), hired(workers, dask) as staff, progress(quiet) as report:
        result = audited(asked, run_study(asked, draws, seed, tolerance, report, staff, resume))
        if prior_only and used.posterior is not None:
            result = beside(result, run_study(scenario_of(used, scenario), draws, seed, tolerance, report, staff))
    if verbose:
        from simulator.report.making import how_it_was_made

        for line in how_it_was_made(result):
            click.echo(line, err=True)
    if save is not None:
        from simulator.engine.saved import save_run

        save_run(asked, result, save, with_draws=save_draws)
    if as_json:
        print_json(result.to_json())
    else:
        from simulator.report.console import console
        from simulator.report.terminal import show_result

        show_result(asked, result, console())


@main.command()
@click.argument("study")
@setting
@click.option("--scenario", metavar="NAME", help="Write about this scenario of the study as if it were the study.")
@click.option("--format", "form", type=click.Choice(["html", "md", "pdf"]), default="html", show_default=True)
@click.option("--lang", type=click.Choice(["en", "zh"]), help="Its language; else that of [memo], else English.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="For printing.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Where to write it.")
@click.option("--charts", type=click.Path(path_type=Path), metavar="DIR", help="Write each chart as SVG and PNG too.")
@click.option("--draws", type=click.IntRange(1), default=65_536, show_default=True, help="Draws at least.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Fixes every draw.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def memo(
    study: str,
    settings: tuple[str, ...],
    scenario: str | None,
    form: str,
    lang: Lang | None,
    paper: str,
    out: Path | None,
    charts: Path | None,
    draws: int,
    seed: int,
    quiet: bool,
) -> None:
    """Write the risk memo: one file for the person who pays, with charts, sliders, sources and how to make it again.

    It is written to STUDY.memo.html (or .md, .pdf) in the current folder; a former one is replaced.
    """
    from simulator.report.memo import make_memo
    from simulator.report.progress import progress
    from simulator.study import load_study

    read = load_study(study, settings)
    with progress(quiet) as report:
        written = make_memo(
            read, form, lang, paper, out, charts, scenario=scenario, draws=draws, seed=seed, progress=report
        )
    click.echo(f"{written[0]} is written", err=True)
    if charts is not None:
        click.echo(f"{charts}: {len(written) - 1} files of charts are written", err=True)


class Analysis(NamedTuple):
    """What is asked of every verb that analyses the draws of one study."""

    study: str
    settings: tuple[str, ...]
    scenario: str | None
    draws: int
    seed: int
    prior_only: bool
    as_json: bool
    quiet: bool

    def read(self) -> Study:
        """The study, with what a PoC taught of it; what became of that is told on standard error."""
        from simulator.calibration import with_posterior
        from simulator.study import load_study, scenario_of

        loaded = load_study(self.study, self.settings)
        used = loaded if self.prior_only else with_posterior(loaded)
        asked = scenario_of(used, self.scenario)
        tell_posterior(used)
        return asked

    def tell(self, found: Any, show: Callable[[Any, Console], None]) -> None:
        """Print what was found, as JSON or as it is shown on a terminal."""
        if self.as_json:
            print_json(found.to_json())
            return
        from simulator.report.console import console

        show(found, console())


def analysis(draws: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The argument and the options of an `Analysis`, which the command gets as its first argument."""
    options = (
        click.argument("study"),
        setting,
        click.option("--scenario", metavar="NAME", help="Take this scenario of the study as if it were the study."),
        click.option(
            "--draws", type=click.IntRange(1, 2**20), default=draws, show_default=True, help="Draws at least."
        ),
        click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Fixes every draw."),
        click.option("--prior-only", is_flag=True, help="Answer without what a PoC taught."),
        click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON, and nothing else."),
        click.option("-q", "--quiet", is_flag=True, help="Show no progress."),
    )

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def asked(**given: Any) -> None:
            common = {name: given.pop(name) for name in Analysis._fields}
            command(Analysis(**common), **given)

        for option in reversed(options):
            asked = option(asked)
        return asked

    return decorated


def tell_posterior(study: Study, of: str = "") -> None:
    """Say on standard error what became of a study's posterior."""
    for note in study.notes:
        if note.code.startswith("posterior_"):
            click.echo(of + note.message, err=True)


def candidate(command: Callable[..., None]) -> Callable[..., None]:
    """`--option NAME`: the candidate that is told of."""
    words = "The candidate; by default the one with the highest expected net benefit."
    return click.option("--option", metavar="NAME", help=words)(command)


def print_json(document: object) -> None:
    """Print a JSON document; what would steer a terminal is escaped in it."""
    from simulator.study.faults import printable

    click.echo(printable(json.dumps(document, indent=2, ensure_ascii=False, default=str), keep="\n"))


@main.command()
@analysis(draws=16_384)
@candidate
def drivers(ask: Analysis, option: str | None) -> None:
    """Say which inputs decide the choice, what each does to the answer, and what knowing it is worth."""
    from simulator.decision.drivers import drivers as decide
    from simulator.report.drivers import show_drivers
    from simulator.report.progress import progress

    study = ask.read()
    with progress(ask.quiet, "weighing inputs") as report:
        found = decide(study, ask.draws, ask.seed, option, report)
    ask.tell(found, show_drivers)


@main.command()
@analysis(draws=16_384)
@candidate
@click.option("--input", "inputs", multiple=True, metavar="NAME", help="This input in full, or `volume`; repeatable.")
@click.option("--with", "beside", metavar="NAME", help="A second input: the curve of the two at which it just pays.")
def breakeven(ask: Analysis, option: str | None, inputs: tuple[str, ...], beside: str | None) -> None:
    """Say at which value of an input, or volume of work, the answer flips, and how far that is from today's."""
    from simulator.decision.breakeven import breakeven as flips
    from simulator.report.breakeven import show_breakeven
    from simulator.report.progress import progress

    if beside is not None and len(inputs) != 1:
        raise click.UsageError("--with NAME goes with one --input NAME")
    if beside is not None and inputs == (beside,):
        raise click.UsageError(f"--with {beside} is the --input itself; name another one")
    study = ask.read()
    with progress(ask.quiet, "looking for flips") as report:
        found = flips(study, ask.draws, ask.seed, option, inputs, beside, report)
    ask.tell(found, partial(show_breakeven, detailed=bool(inputs)))


@main.command()
@analysis(draws=16_384)
@click.option("--input", "inputs", multiple=True, metavar="NAME", help="Value measuring this input; repeatable.")
@click.option("--size", "sizes", multiple=True, type=click.IntRange(1), help="Observations; repeat for several.")
def voi(ask: Analysis, inputs: tuple[str, ...], sizes: tuple[int, ...]) -> None:
    """Say what it is worth to know an input before deciding, or to measure it so many times."""
    from simulator.decision.value import SIZES, value_of_information
    from simulator.report.progress import progress
    from simulator.report.voi import show_value

    study = ask.read()
    with progress(ask.quiet, "valuing information") as report:
        found = value_of_information(study, ask.draws, ask.seed, inputs, sizes or SIZES, report)
    ask.tell(found, show_value)


@main.command()
@analysis(draws=16_384)
@candidate
def poc(ask: Analysis, option: str | None) -> None:
    """Say whether a PoC is worth its money and weeks, how many runs of what, and what it has to show."""
    from simulator.decision.poc import poc_plan
    from simulator.report.poc import show_poc
    from simulator.report.progress import progress

    study = ask.read()
    with progress(ask.quiet, "planning the PoC") as report:
        found = poc_plan(study, ask.draws, ask.seed, option, report)
    ask.tell(found, show_poc)


@main.command()
@analysis(draws=32_768)
@click.option(
    "--loss", type=click.FloatRange(0), metavar="X", help="P(loss > X); by default a tenth of staying's cost."
)
@click.option(
    "--risk-tolerance",
    "tolerance",
    type=click.FloatRange(0, min_open=True),
    metavar="T",
    help="Certainty equivalents at this tolerance: the stake at which you just accept to win T or lose T/2.",
)
def risk(ask: Analysis, loss: float | None, tolerance: float | None) -> None:
    """Say how bad it can get, what there is to regret, and whether caution changes the choice."""
    from simulator.decision.exposure import risk_report
    from simulator.report.progress import progress
    from simulator.report.risk import show_risk

    study = ask.read()
    with progress(ask.quiet, "weighing risks") as report:
        found = risk_report(study, ask.draws, ask.seed, loss, tolerance, report)
    ask.tell(found, show_risk)


@main.command()
@click.argument("path", type=click.Path(path_type=Path), default="study.toml")
@click.option(
    "--kind", default="minimal", show_default=True, metavar="KIND", help="minimal, hardware-switch or price-bases."
)
@click.option("--list", "listing", is_flag=True, help="Say what the kinds are.")
def init(path: Path, kind: str, listing: bool) -> None:
    """Write a commented starter to a new file; never over one that is there."""
    from simulator.study.starters import templates, write_starter

    if listing:
        for name, about in templates().items():
            click.echo(f"{name:16s} {about}")
        return
    written = write_starter(kind, path)
    click.echo(f"{written} is written; edit it, then: simulate check {written}, simulate {written}", err=True)


@main.command()
def schema() -> None:
    """Print the JSON Schema of a study, with which editors complete and check it."""
    from simulator.study.jsonschema import json_schema

    print_json(json_schema())


@main.command()
@click.argument("study")
@setting
@click.option("--strict", is_flag=True, help="Exit with 1 when there is any finding of severity warning or error.")
@click.option("--json", "as_json", is_flag=True, help="Print the check as JSON.")
def check(study: str, settings: tuple[str, ...], strict: bool, as_json: bool) -> None:
    """Explain a study back and cross-examine its figures; nothing is simulated but its claims."""
    from simulator.audit import check
    from simulator.study import load_study

    checked = check(load_study(study, settings))
    if as_json:
        print_json(checked.to_json())
    else:
        from simulator.report.check import show_check
        from simulator.report.console import console

        show_check(checked, console())
    if strict and checked.grave:
        sys.exit(1)


@main.command()
@click.argument("words", nargs=-1, metavar="[NAME | WORD...]")
@click.option("--file", "files", multiple=True, metavar="FILE", help="A library file of one's own, before the shipped.")
@click.option("--json", "as_json", is_flag=True, help="Print the entries as JSON.")
def priors(words: tuple[str, ...], files: tuple[str, ...], as_json: bool) -> None:
    """List the prior library, search it, or show one entry with its quantiles and source."""
    from simulator.report.priors import find, show_entry, show_list, to_json
    from simulator.study.library import own_library, read_own

    library, _ = own_library(read_own([Path(each) for each in files]))
    entries = find(library, words)
    if as_json:
        print_json(to_json(entries))
        return
    from simulator.report.console import console

    if len(entries) == 1:
        show_entry(entries[0], console())
    else:
        show_list(entries, console())


@main.command()
@click.argument("a")
@click.argument("b")
@click.option("--draws", type=click.IntRange(1), default=16_384, show_default=True, help="Draws at least.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Fixes every draw.")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
@click.option("--memo", "as_memo", is_flag=True, help="Write a page of what changed since the last memo.")
@click.option("--format", "form", type=click.Choice(["html", "md", "pdf"]), help="Of the page; else html.")
@click.option("--lang", type=click.Choice(["en", "zh"]), help="Of the page; else that of [memo] in B, else English.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), help="Of the page, for printing; else a4.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Where to write it.")
def compare(
    a: str,
    b: str,
    draws: int,
    seed: int,
    as_json: bool,
    as_memo: bool,
    form: str | None,
    lang: Lang | None,
    paper: str | None,
    out: Path | None,
) -> None:
    """Compare two studies, or saved runs: what changed, and which change moved the answer most.

    With --memo it is written as a page to B.compare.html (or .md, .pdf) in the current folder; a former one is
    replaced.
    """
    if as_memo:
        if as_json:
            raise click.UsageError("--json and --memo exclude each other")
        from simulator.report.memo.compare import make_comparison

        path = make_comparison(a, b, form or "html", lang, out, paper=paper or "a4", draws=draws, seed=seed)
        click.echo(f"{path} is written", err=True)
        return
    if form or lang or paper or out:
        raise click.UsageError("--format, --lang, --paper and --out are for the page that --memo writes")
    from simulator.calibration import with_posterior
    from simulator.decision.compare import compare, side

    old, new = with_posterior(side(a)), with_posterior(side(b))
    tell_posterior(old, f"{a}: ")
    tell_posterior(new, f"{b}: ")
    compared = compare(old, new, draws, seed)
    if as_json:
        print_json(compared.to_json())
        return
    from simulator.report.compare import show_comparison
    from simulator.report.console import console

    show_comparison(compared, console())


@main.command()
@click.option("--failed", "failed_only", is_flag=True, help="Print the checks that fail, and no others.")
@click.option("--json", "as_json", is_flag=True, help="Print the document switchodds/verify/1.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def verify(failed_only: bool, as_json: bool, quiet: bool) -> None:
    """Hold this installation against problems with known answers; exit with 1 when a figure is not right."""
    from simulator.report.progress import progress
    from simulator.verification import verify

    with progress(quiet, "verifying") as report:
        found = verify(report)
    if as_json:
        print_json(found.to_json())
    else:
        from simulator.report.console import console
        from simulator.report.verify import show_verification

        show_verification(found, console(), failed_only=failed_only)
    if found.failed:
        sys.exit(1)


@main.command()
@click.argument("study")
@setting
@click.option(
    "--only", metavar="INPUT", help="Fit this input, and those learned together with it; keep the other fits."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the sampler.")
@click.option("--anew", is_flag=True, help="Fit everything again, also what the posterior file has already.")
@click.option(
    "--charts", type=click.Path(path_type=Path), metavar="DIR", help="Write prior and posterior of each as SVG."
)
@click.option("--json", "as_json", is_flag=True, help="Print the calibration as JSON, and nothing else.")
@click.option("-q", "--quiet", is_flag=True, help="Do not say what is being done.")
def calibrate(
    study: str, settings: tuple[str, ...], only: str | None, seed: int, anew: bool, charts: Path | None,
    as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Learn a study's inputs from the [[evidence]] of a PoC, and keep the posterior beside the study.

    A run of the study answers with it from then on. Exits with 1 when a fit does not pass its diagnostics.
    """
    from simulator.calibration.calibrate import calibrate
    from simulator.report.progress import progress
    from simulator.study import load_study

    loaded = load_study(study, settings)
    try:
        quiet = quiet or not sys.stderr.isatty()
        with progress(quiet, "sampling") as bar:
            report = (lambda _: None) if quiet else partial(click.echo, err=True)
            made = calibrate(loaded, only, seed, anew, report, bar)
    except KeyboardInterrupt:
        click.echo("interrupted; the fits that were done are kept, and are not made again", err=True)
        sys.exit(130)
    if charts is not None:
        from simulator.report.calibration import write_charts

        for path in write_charts(made, charts):
            click.echo(f"{path} is written", err=True)
    if as_json:
        print_json(made.to_json())
    else:
        from simulator.report.calibration import show_calibration
        from simulator.report.console import console

        show_calibration(made, console())
    if not made.ok:
        sys.exit(1)


@main.command()
@click.argument("patterns", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="Print the document switchodds/evidence/1.")
@click.option("--rejected", is_flag=True, help="Show each rejected line.")
@click.option("--reader", metavar="NAME", help="Read as this format, instead of recognising it.")
@click.option("--instances", type=click.IntRange(1), help="Instances that ran the job.")
@click.option("--devices-per-instance", type=click.IntRange(1), help="Accelerators in each, as the framework counts.")
@click.option("--tokens-per-step", type=click.FloatRange(0, min_open=True), help="Tokens of one optimizer step.")
@click.option("--sequence", type=click.IntRange(1), help="Tokens of one sample.")
@click.option("--parameters", type=click.FloatRange(0, min_open=True), help="Parameters active for a token.")
@click.option("--layers", type=click.IntRange(1), help="Layers of the model.")
@click.option("--hidden", type=click.IntRange(1), help="Hidden size of the model.")
@click.option("--peak-pflops", type=click.FloatRange(0, min_open=True), help="Dense peak of an instance, PFLOP/s.")
@click.option("--column", metavar="[QUANTITY=]NAME", help="Column of a plain CSV.")
@click.option("--time-zone", metavar="ZONE", help="Zone of times that carry none, e.g. Europe/Berlin.")
@click.option("--filter", "filter_", metavar="CONDITION", help="Rows that count, e.g. project = Trainium.")
@click.option("--share-done", type=click.FloatRange(0, 1, min_open=True), help="Share of the port that is done.")
@click.option("--period-seconds", type=click.FloatRange(0, min_open=True), help="Seconds between telemetry records.")
@click.option("--hours-per-day", type=click.FloatRange(0, min_open=True), help="Hours of a `1d` in a worklog.")
def evidence(
    patterns: tuple[str, ...],
    as_json: bool,
    rejected: bool,
    peak_pflops: float | None,
    filter_: str | None,
    **told: Any,
) -> None:
    """Show what files of evidence hold: bills, logs, telemetry, schedulers' accounts, timesheets."""
    from simulator.evidence import EvidenceError, Options, document, expand, read
    from simulator.evidence.derive import model_inputs
    from simulator.study.faults import printable

    options = Options(filter=filter_, **told)
    readings, faults = [], []
    for pattern in patterns:
        try:
            paths = expand([pattern])
        except EvidenceError as error:
            faults.append(error)
            continue
        for path in paths:
            try:
                readings.append(read(path, options))
            except EvidenceError as error:
                faults.append(error)
    if as_json:
        print_json(document(readings))
    elif readings:
        from simulator.report.console import console
        from simulator.report.evidence import show_evidence

        show_evidence(readings, model_inputs(readings, options, peak_pflops), console(), rejected)
    for fault in faults:
        click.echo(printable(str(fault)), err=True)
    if faults:
        sys.exit(2)


if __name__ == "__main__":
    sys.exit(main())
