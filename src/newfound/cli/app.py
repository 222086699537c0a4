"""All commands under one name, and what happens when one fails: 2 is the user's, 1 is ours."""

import sys
from typing import Any

import click

from newfound import NewfoundError, __version__
from newfound.cli.bench import bench
from newfound.cli.paper import paper


class Commands(click.Group):
    """Answers what newfound refuses in one sentence."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except NewfoundError as refusal:
            click.echo(f"newfound: {refusal}", err=True)
            sys.exit(2)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="newfound")
def app() -> None:
    """Label every row from a few seeds, and discover the classes that nobody seeded."""


app.add_command(paper)
app.add_command(bench)
