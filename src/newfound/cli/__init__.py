"""The command line: `newfound`. The commands only translate; what they do is done elsewhere."""

import sys

from newfound.errors import MissingExtra, need

STOPPED = 130
"""What a shell expects of a program that was stopped by Ctrl-C."""


def main() -> None:
    """Run the command line, or say in one line what has to be installed for it."""
    try:
        for module in ("click", "rich", "msgspec", "narwhals", "pyarrow", "jinja2"):
            need(module, "app")
        from newfound.cli.app import app
    except MissingExtra as missing:
        sys.exit(f"newfound: {missing}")
    except KeyboardInterrupt:  # loading takes a second
        if sys.stderr:
            print("newfound: stopped", file=sys.stderr)
        sys.exit(STOPPED)
    app()
