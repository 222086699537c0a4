"""`newfound demo`: messages of our own, from the table to the report."""

from importlib.resources import as_file, files
from pathlib import Path

import click

from newfound.cli import options
from newfound.cli.fit import fit


@click.command()
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), default="newfound-demo", show_default=True, help="Folder of the run."
)
@options.force
@click.pass_context
def demo(context: click.Context, out: Path, force: bool) -> None:
    """Fit 621 support messages, of which a few carry one of four topics; twelve topics and some strays are in there.

    Needs no file and no network.

    Example: newfound demo -o newfound-demo/
    """
    with as_file(files("newfound.datasets.support") / "messages.csv") as path:
        click.echo(f"newfound fit {path.name} --text message --label topic --id id -o {out}")
        context.invoke(fit, table=str(path), text=("message",), label="topic", id_="id", out=out, force=force)
