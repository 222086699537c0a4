"""The command line: `newfound`. The commands only translate; what they do is done elsewhere."""

import sys

from newfound.errors import MissingExtra, need


def main() -> None:
    """Run the command line, or say in one line what has to be installed for it."""
    try:
        for module in ("click", "rich", "msgspec", "narwhals", "pyarrow", "jinja2"):
            need(module, "app")
    except MissingExtra as missing:
        sys.exit(f"newfound: {missing}")
    from newfound.cli.app import app

    app()
