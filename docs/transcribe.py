"""Run the console commands of a page again, in a folder of their own, and write down what they print: `make docs`."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", flags=re.M)
BLOCK = re.compile(r"```console\n(.*?)```", flags=re.S)

HERE = Path(__file__).parent
DATA = Path(os.environ.get("NEWFOUND_DATA") or HERE.parent.parent / "shared" / "data").resolve()


def transcribed(page: str, folder: str) -> str:
    """The page with what its commands print now; a line "..." stands for what a page leaves out after so many lines."""

    def printed(command: re.Match[str]) -> str:
        out = subprocess.run(
            [sys.executable, "-m", "newfound.cli", *command[1].split()[1:]],
            capture_output=True, text=True, check=True, cwd=folder, env=os.environ | {"NEWFOUND_DATA": str(DATA)},
        ).stdout.splitlines()  # fmt: skip
        kept = command[2].splitlines()
        if kept[-1:] == ["..."]:
            out = [*out[: len(kept) - 1], "..."]
        return "\n".join([f"$ {command[1]}", *(line.rstrip() for line in out)]) + "\n"

    return BLOCK.sub(lambda block: f"```console\n{COMMAND.sub(printed, block[1])}```", page)


def main(pages: list[str]) -> None:
    """Write each page anew."""
    for page in map(Path, pages):
        with tempfile.TemporaryDirectory() as folder:
            page.write_text(transcribed(page.read_text(encoding="utf-8"), folder), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:] or [str(HERE / "tutorial.md")])
