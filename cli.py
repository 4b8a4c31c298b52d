"""The `simulate` command: verbs that parse, call and print; nothing else."""

from __future__ import annotations

import json
import sys
from difflib import get_close_matches
from pathlib import Path

import click
from click.shell_completion import CompletionItem


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
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("interrupted; nothing was written", err=True)
            ctx.exit(130)  # click's own is 1
        except ValueError as error:
            from simulator.study import StudyError

            if not isinstance(error, StudyError):
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


@main.command()
@click.argument("study")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Set a dotted key; repeat for several.")
@click.option("--strict", is_flag=True, help="Exit with 1 when there is any finding of severity warning or error.")
@click.option("--json", "as_json", is_flag=True, help="Print the check as JSON.")
def check(study: str, settings: tuple[str, ...], strict: bool, as_json: bool) -> None:
    """Explain a study back and cross-examine its figures; nothing is simulated but its claims."""
    from simulator.audit import check
    from simulator.study import load_study

    checked = check(load_study(study, settings))
    if as_json:
        click.echo(json.dumps(checked.to_json(), indent=2, ensure_ascii=False))
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
        click.echo(json.dumps(to_json(entries), indent=2, ensure_ascii=False, default=str))
        return
    from simulator.report.console import console

    if len(entries) == 1:
        show_entry(entries[0], console())
    else:
        show_list(entries, console())


if __name__ == "__main__":
    sys.exit(main())
