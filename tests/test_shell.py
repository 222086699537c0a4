"""The command line in a shell: streams that are full, closed or of few characters, pipes with names, and Ctrl-C."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROWS = "".join(
    f"{text},{label}\n"
    for text, label in [("refund für me", "caf\u00e9 \u65e5"), ("refund order", ""), ("log in", "login"), ("login", "")] * 5
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shell")
    (folder / "t.csv").write_text("text,label\n" + ROWS, encoding="utf-8")
    assert shell("NF fit t.csv -o run --no-self-test", folder)[0] == 0
    return folder


def shell(line, folder, **environment):
    """How a command ends, what it prints, and what it says on the side."""
    line = line.replace("NF", f"{sys.executable} -m newfound.cli")
    done = subprocess.run(
        ["bash", "-c", line], cwd=folder, capture_output=True, env=os.environ | environment, timeout=120, check=False
    )
    said = done.stderr.decode()
    assert "Traceback" not in said
    return done.returncode, done.stdout, said


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "command", ["classes run", "classes run --json", "report run", "eval run t.csv", "predict run t.csv", "--help"]
)
def test_a_full_output(folder, command, unbuffered):
    done = shell(f"NF {command} >/dev/full", folder, PYTHONUNBUFFERED=unbuffered)
    assert done[:2] == (2, b"")
    assert re.fullmatch("newfound: the (standard )?output cannot be written: No space left on device\n", done[2])


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_output_does_not_undo_a_fit(folder):
    assert shell("NF fit t.csv -o full --no-self-test >/dev/full", folder)[0] == 2
    assert (folder / "full" / "run.json").exists()


def test_characters_that_the_output_has_not(folder):
    for environment in ({"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""}):
        code, out, said = shell("NF classes run", folder, **environment)
        assert (code, said) == (0, "")
        assert b"caf? ?" in out
    for encoding in ("ascii", "latin-1"):
        code, out, said = shell("NF classes run --json", folder, PYTHONIOENCODING=encoding)
        assert (code, said) == (0, "")
        assert "caf\u00e9 \u65e5" in [one["id"] for one in json.loads(out)["classes"]]


def test_streams_that_are_closed(folder):
    assert shell("NF fit - -o no <&-", folder)[2].startswith("newfound: the standard input is closed; name a file")
    assert shell("NF predict run - <&-", folder)[2].startswith("newfound: the standard input is closed; name a file")
    for command in ("predict run t.csv", "classes run"):
        code, _, said = shell(f"NF {command} >&-", folder)
        assert code == 2
        assert said.startswith("newfound: the ")
        assert said.endswith("output cannot be written: Bad file descriptor\n")
    assert shell("NF predict run t.csv -o out.csv >&-", folder) == (0, b"", "")
    code, out, _ = shell("NF fit t.csv -o silent --no-self-test 2>&-", folder)
    assert (code, out[:8]) == (0, b"20 rows.")
    assert shell("NF fly 2>&-", folder) == (2, b"", "")


def test_a_table_is_read_once_and_known_by_what_was_read(folder):
    digest = hashlib.sha256((folder / "t.csv").read_bytes()).hexdigest()
    os.mkfifo(folder / "pipe.csv")
    assert shell("cat t.csv > pipe.csv & NF fit pipe.csv -o piped --no-self-test", folder)[0] == 0
    assert shell("NF fit - -o standard --no-self-test < t.csv", folder)[0] == 0
    for run in ("run", "piped", "standard"):
        assert json.loads((folder / run / "run.json").read_text())["sha256"] == digest


def test_notes_whatever_the_filters(folder):
    (folder / "twins.csv").write_text("text,label\nrefund,a\nrefund,b\nlog in,a\nlog me in,b\n", encoding="utf-8")
    for filters in ("", "error", "ignore"):
        code, _, said = shell("NF fit twins.csv -o twins --force --no-self-test", folder, PYTHONWARNINGS=filters)
        assert code == 0
        assert said.startswith("newfound: note: rows ")
        assert said.count("\n") == 1


STOP = """
import sys
class Stop:
    def find_spec(self, name, *rest):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Stop())
from newfound.cli import main
sys.argv = ["newfound", "classes", "run"]
main()
"""


@pytest.mark.parametrize("module", ["pyarrow", "newfound.cli.app", "newfound.cli.classes", "sklearn"])
def test_ctrl_c_while_modules_are_loaded(folder, module):
    command = [sys.executable, "-c", STOP.format(module=module)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "newfound: stopped\n")


def test_ctrl_c_while_it_waits_for_a_table(folder):
    command = [sys.executable, "-m", "newfound.cli", "fit", "-", "-o", "never"]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as fit:
        while not list(folder.glob(".never*")) and fit.poll() is None:
            time.sleep(0.05)
        time.sleep(0.2)
        fit.send_signal(signal.SIGINT)
        said = fit.stderr.read()
    assert (fit.returncode, said) == (130, "newfound: stopped; nothing was written\n")
    assert not list(Path(folder).glob(".never*"))
