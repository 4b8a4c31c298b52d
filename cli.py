"""The `simulate` command: verbs that parse, call and print; nothing else."""

from __future__ import annotations

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

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        return [*super().shell_complete(ctx, incomplete), CompletionItem(incomplete, type="file")]


@click.group(cls=DefaultRun, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="switchodds", prog_name="simulate")
def main() -> None:
    """How likely does moving training to other hardware pay, by how much, and what decides it?

    `simulate STUDY.toml` is `simulate run STUDY.toml`.
    """


if __name__ == "__main__":
    sys.exit(main())
