"""`newfound completions`: the shell completes commands and options."""

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from newfound.cli import options
from newfound.errors import InputError
from newfound.features.writing import check_place, replace

HOMES = {
    "bash": "~/.local/share/bash-completion/completions/newfound",
    "zsh": "~/.zfunc/_newfound",
    "fish": "~/.config/fish/completions/newfound.fish",
}
"""Where each shell looks for them."""


@click.command()
@click.argument("shell", type=click.Choice(sorted(HOMES)), required=False)
@click.option("--install", is_flag=True, help="Write the script where the shell looks for it.")
@options.force
@click.pass_context
def completions(context: click.Context, shell: str | None, install: bool, force: bool) -> None:
    """Print what makes SHELL complete newfound's commands and options; without SHELL, that of the shell in use.

    zsh looks into ~/.zfunc where ~/.zshrc says: fpath+=~/.zfunc; autoload -Uz compinit; compinit

    Example: newfound completions bash --install
    """
    shell = shell or Path(os.environ.get("SHELL", "")).name
    make = get_completion_class(shell) if shell in HOMES else None
    if make is None:
        raise InputError(f"completions are for {', '.join(sorted(HOMES))}; name one of them")
    script = make(context.find_root().command, {}, "newfound", "_NEWFOUND_COMPLETE").source()
    if not install:
        click.echo(script)
        return
    place = Path(HOMES[shell]).expanduser()
    if not (place.is_file() and place.read_bytes() == script.encode()):
        place.parent.mkdir(parents=True, exist_ok=True)
        check_place(place, force)
        replace(place, lambda stream: stream.writelines([script.encode()]))
    click.echo(place)
