"""The command line: every command helps, answers in words and in JSON, and refuses in one sentence."""

import io
import json
import os
import re
import shlex
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import jsonschema
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from accounts import account
from conftest import DATA, dataset
from newfound.cli import reference
from newfound.cli.app import app
from newfound.cli.classes import _called
from newfound.cli.streams import LONG, plain
from newfound.datasets import support
from newfound.errors import ConflictingSeedsWarning

DOCS = Path(__file__).parents[1] / "docs"
MESSAGES = str(Path(support.__file__).parent / "messages.csv")
FIT = ("fit", MESSAGES, "--text", "message", "--label", "topic", "--id", "id")


def run(*arguments, given=None, code=0):
    """What a command prints, and what it says on the side."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments], input=given, catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.stdout, done.stderr


def refused(*arguments, given=None):
    """The one sentence with which a command refuses."""
    out, said = run(*arguments, given=given, code=2)
    assert out == ""
    assert said.startswith("newfound: ")
    assert said.count("\n") == 1
    return said


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli") / "run"
    run(*FIT, "-o", folder)
    return folder


COMMANDS = [name for name, _ in reference._commands(app, "")]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_reads_well_and_has_an_example(name):
    out, _ = run(*name.split(), "--help")
    assert f"Example: newfound {name}" in out
    assert max(map(len, out.splitlines())) <= 100


def test_the_page_of_commands_and_the_schemas_are_made_of_the_commands():
    assert (DOCS / "commands.md").read_text(encoding="utf-8") == reference.commands()
    written = {path.stem: path.read_text(encoding="utf-8") for path in (DOCS / "schemas").glob("*.json")}
    assert written == reference.schemas()


# ---- fit and what comes of it


def test_a_fit_says_what_it_found_and_what_to_do_next(tmp_path):
    out, _ = run(*FIT, "-o", tmp_path / "run")
    assert re.match(r"621 rows\. You named 4 classes; \d+ more were found\.\n", out)
    assert re.search(r"Self-test: \d of 4 classes of yours came back as a class of their own", out)
    assert f"next   newfound classes {tmp_path / 'run'}" in out
    assert (tmp_path / "run" / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("schema", ["fit", "classes", "class", "eval"])
def test_json_is_as_its_schema_says(schema, place, tmp_path):
    commands = {
        "fit": (*FIT, "-o", tmp_path / "run"),
        "classes": ("classes", place),
        "class": ("classes", place, "login"),
        "eval": ("eval", place, MESSAGES, "--label", "truth"),
    }
    printed = json.loads(run(*commands[schema], "--json")[0])
    jsonschema.validate(printed, json.loads((DOCS / "schemas" / f"{schema}.json").read_text()))
    assert printed


def test_a_table_may_come_by_a_pipe_in_any_form(tmp_path):
    text = Path(MESSAGES).read_text(encoding="utf-8")
    run("fit", "-", "--text", "message", "--label", "topic", "-o", tmp_path / "csv", given=text)
    rows = list(__import__("csv").DictReader(io.StringIO(text)))
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    run("fit", "-", "--text", "message", "--label", "topic", "-o", tmp_path / "jsonl", given=lines)
    labels = [pq.read_table(tmp_path / kind / "labels.parquet") for kind in ("csv", "jsonl")]
    assert labels[0].equals(labels[1])


def test_text_and_label_are_columns_of_these_names_where_none_is_named(tmp_path):
    rows = "".join(
        f"{text},{label}\n"
        for text, label in [("refund me", "refund"), ("refund order", ""), ("log in", "login"), ("login", "")] * 5
    )
    out, _ = run("fit", "-", "-o", tmp_path / "run", given="text,label\n" + rows)
    assert out.startswith("20 rows. You named 2 classes")


def test_classes_are_listed_and_shown(place):
    out, _ = run("classes", place)
    assert out.splitlines()[0].split() == ["id", "status", "name", "rows", "for", "example"]
    told = json.loads((place / "classes.json").read_text())
    assert len(out.splitlines()) == len(told["classes"]) + 1
    new = next(one for one in told["classes"] if one["new"])
    by_id, by_name = run("classes", place, new["id"])[0], run("classes", place, new["name"])[0]
    assert by_id == by_name
    assert new["why"] in by_id
    assert all(f"typical     {row['text']}" in by_id for row in new["typical"])


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
def test_new_rows_are_labelled(kind, place, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text("when,message\n2024-01-02,I forgot my password\n007,where is my parcel?\n", encoding="utf-8")
    run("predict", place, new, "-o", tmp_path / f"out.{kind}")
    said = refused("predict", place, new, "-o", tmp_path / f"out.{kind}")
    assert "exists already" in said
    run("predict", place, new, "-o", tmp_path / f"out.{kind}", "--force")
    back, _ = run("predict", place, tmp_path / f"out.{kind}")
    rows = list(__import__("csv").DictReader(io.StringIO(back)))
    assert [row["when"] for row in rows] == ["2024-01-02", "007"]
    assert list(rows[0]) == ["when", "message", "newfound_label", "newfound_prob", "newfound_status"]
    assert all(row["newfound_status"] in ("known", "new", "abstain") and 0 < float(row["newfound_prob"]) <= 1 for row in rows)


def test_a_report_is_made_again(place, tmp_path):
    before = (place / "report.html").read_text(encoding="utf-8")
    (place / "report.html").unlink()
    assert run("report", place)[0].strip() == str(place / "report.html")
    assert (place / "report.html").read_text(encoding="utf-8") == before
    run("report", place, "-o", tmp_path / "page.html")
    assert (tmp_path / "page.html").exists()


def test_the_demo(tmp_path):
    out, _ = run("demo", "-o", tmp_path / "demo")
    assert "newfound fit messages.csv --text message --label topic" in out
    assert "621 rows. You named 4 classes" in out
    assert "exists already" in run("demo", "-o", tmp_path / "demo", code=2)[1]


# ---- refusals


def test_what_is_wrong_is_said_in_one_sentence(place, tmp_path):
    table, out = tmp_path / "t.csv", ("-o", tmp_path / "run")
    table.write_text("body,topic\nrefund me,refund\n", encoding="utf-8")
    assert "no column 'bdoy'; did you mean 'body'?" in refused("fit", table, "--text", "bdoy", *out)
    assert "say with --text which column of t.csv" in refused("fit", table, *out)
    assert "no column 'topics'; did you mean 'topic'?" in refused("fit", table, "--text", "body", "--label", "topics", *out)
    assert "nowhere.csv" in refused("fit", tmp_path / "nowhere.csv", *out)
    assert "there is no run at" in refused("classes", tmp_path / "nowhere")
    assert "did you mean 'login'?" in refused("classes", place, "logn")
    assert "has no column 'message'" in refused("predict", place, table)
    assert "n_classes must be" in refused("fit", table, "--text", "body", "--classes", "7", *out)
    assert "exists already; choose another folder with -o, or replace it with --force" in refused(*FIT, "-o", place)
    assert not (tmp_path / "run").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.csv"]


def test_options_out_of_range_are_refused(place):
    assert refused("fit", MESSAGES, "--alpha", "1") == (
        "newfound: invalid value for '--alpha': 1.0 is not in the range 0<=x<1; newfound fit --help says more\n"
    )
    assert "'--alpha': 'nan' is no number" in refused("fit", MESSAGES, "--alpha", "nan")
    assert "'--alpha': 'nan' is no number" in refused("predict", place, MESSAGES, "--alpha", "nan")
    assert "'--known': 'nan' is no number" in refused("data", "banking77", "--known", "nan")
    assert "'--seed': 99999999999999999999 is not in" in refused("data", "banking77", "--seed", "9" * 20)
    assert "'--jobs'" in refused("fit", MESSAGES, "--jobs", "0")


def test_commands_that_make_no_sense_are_answered_in_one_sentence():
    assert refused("fly") == "newfound: no command is called 'fly'; newfound --help says more\n"
    assert refused("clases") == "newfound: no command is called 'clases'; did you mean classes?\n"
    assert refused("fit") == "newfound: missing argument 'TABLE'; newfound fit --help says more\n"
    assert refused("paper", "x") == "newfound: no such command 'x'; newfound paper --help says more\n"
    assert "'--force'" in refused("fit", MESSAGES, "--forse")
    assert run(code=2)[1].startswith("Usage: newfound ")


def test_sentences_stay_short_and_in_one_line(place, tmp_path):
    for arguments in (
        ("classes", place, "x" * 10_000),
        ("fly" * 9_999,),
        ("fit", "x" * 10_000),
        ("fit", "x.csv", "--seed", "1" * 9_999),
    ):
        assert len(refused(*arguments)) < LONG + 20
    assert len(refused("classes", place, "x" * 10_000)) < 120
    assert "there is no file" in refused("fit", tmp_path / "two\nlines\x1b[2J.csv")


def test_vectors_have_no_features(tmp_path):
    said = refused("fit", MESSAGES, "--vectors", "v.npy", "--features", "tfidf", "-o", tmp_path / "run")
    assert "leave one of them out" in said


def test_an_id_goes_before_a_name():
    told = account(seeded=2, new=2)
    first, *_, last = told.classes
    told = replace(told, classes=(replace(first, name=last.id), *told.classes[1:]))
    assert _called(told, last.id) == last
    assert _called(told, first.id).name == last.id


@pytest.mark.parametrize("width", [20, 50, 80])
def test_ids_are_whole_however_narrow_the_terminal(width, place, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = re.sub(r"\x1b\[[\d;]*m", "", run("classes", place)[0]).splitlines()
    ids = [one["id"] for one in json.loads((place / "classes.json").read_text())["classes"]]
    assert sorted(line.split()[0] for line in out[1:]) == sorted(ids)
    assert max(map(len, out)) <= width
    assert ("for example" in out[0]) == (width == 80)
    assert ("status" in out[0]) == (width > 20)


def test_the_next_command_can_be_pasted(tmp_path):
    out, _ = run(*FIT, "-o", tmp_path / "my run", "--no-self-test")
    line = next(line for line in out.splitlines() if line.startswith("next"))
    assert shlex.split(line)[1:4] == ["newfound", "classes", str(tmp_path / "my run")]


def test_a_report_replaces_only_what_it_may(place, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("mine")
    assert "exists already" in refused("report", place, "-o", page)
    assert page.read_text() == "mine"
    run("report", place, "-o", page, "--force")
    assert page.read_text().startswith("<!doctype html>")
    for name in ("labels.parquet", "new.html", "model/report.html"):
        assert "is within a run" in refused("report", place, "-o", place / name, "--force")
    run("report", place, "-o", place / "report.html")
    assert "there is no folder" in refused("report", place, "-o", tmp_path / "no" / "page.html")


def test_warnings_of_ours_are_notes_and_others_are_nobodys(tmp_path, monkeypatch):
    def make(*arguments, **settings):
        for _ in range(2):
            warnings.warn("seeds\ndiffer", ConflictingSeedsWarning, stacklevel=1)
            warnings.warn("deep within", DeprecationWarning, stacklevel=1)
        raise KeyboardInterrupt

    monkeypatch.setattr("newfound.cli.fit.make", make)
    _, said = run(*FIT, "-o", tmp_path / "run", code=130)
    assert said == "newfound: note: seeds differ\nnewfound: stopped; nothing was written\n"


def test_only_a_fit_under_way_says_that_nothing_was_written(place, tmp_path, monkeypatch):
    def stop(*arguments, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr("newfound.cli.classes.storing.account", stop)
    assert run("classes", place, code=130)[1] == "newfound: stopped\n"
    monkeypatch.setattr("newfound.cli.fit.summarise", stop)
    assert run(*FIT, "-o", tmp_path / "run", "--no-self-test", code=130)[1] == "newfound: stopped\n"
    assert (tmp_path / "run" / "run.json").exists()


def test_a_folder_out_of_reach(place, tmp_path, monkeypatch):
    def refuse(self):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "exists", refuse)
    secret = tmp_path / "secret" / "x.csv"
    assert "x.csv cannot be written: Permission denied" in refused("predict", place, MESSAGES, "-o", secret)
    assert "Permission denied" in refused("report", place, "-o", secret)


def test_what_a_row_says_does_not_steer_the_terminal(tmp_path):
    seed = "a\x1b[2J"
    texts = [f"\x1b[31mred {i % 2} [bold]{'lamp' if i % 2 else 'order'}[/bold] \u202e" for i in range(40)]
    rows = "".join(f"{text},{seed if i < 4 else ''}\n" for i, text in enumerate(texts))
    out, _ = run("fit", "-", "-o", tmp_path / "run", given="text,label\n" + rows)
    out += run("classes", tmp_path / "run")[0] + run("classes", tmp_path / "run", "a\x1b[2J")[0]
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "[bold]" in out
    assert plain("a\x00b\x1b\u202ec") == "a b  c"


# ---- the shell


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_install(shell, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    script, _ = run("completions", shell)
    place = Path(run("completions", shell, "--install")[0].strip())
    assert place.is_relative_to(tmp_path)
    assert place.read_text() == script.rstrip("\n") or place.read_text() == script[:-1]
    assert "_NEWFOUND_COMPLETE" in script


def test_completions_replace_nothing_of_others(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    place = Path(run("completions", "zsh", "--install")[0].strip())
    run("completions", "zsh", "--install")
    place.write_text("mine")
    assert "exists already" in refused("completions", "zsh", "--install")
    assert place.read_text() == "mine"
    run("completions", "zsh", "--install", "--force")
    assert "_NEWFOUND_COMPLETE" in place.read_text()
    monkeypatch.setenv("HOME", os.devnull)
    assert "is out of reach: Not a directory" in refused("completions", "zsh", "--install")


def test_completions_without_a_shell(monkeypatch):
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert "completions are for bash, fish, zsh" in refused("completions")


def test_a_shell_completes_commands_and_options():
    asked = {"_NEWFOUND_COMPLETE": "bash_complete", "COMP_WORDS": "newfound fit --la", "COMP_CWORD": "2"}
    command = [
        sys.executable,
        "-c",
        "import sys; sys.argv[0] = 'newfound'; from newfound.cli.app import app; app(prog_name='newfound')",
    ]
    done = subprocess.run(command, env=os.environ | asked, capture_output=True, text=True, check=False)
    assert "plain,--label" in done.stdout.splitlines()


def test_who_reads_the_output_may_stop_early(place):
    command = f"{sys.executable} -m newfound.cli predict {place} {MESSAGES} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("id,message")
    assert done.stderr == ""


# ---- the tutorial


def shown(page):
    """The commands of a page, and what it says that they print."""
    for block in re.findall(r"```console\n(.*?)```", page, flags=re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed


def test_the_commands_of_the_tutorial_run_and_print_what_it_says(tmp_path, monkeypatch):
    dataset("banking77")
    dataset("20-newsgroups-raw")
    monkeypatch.setenv("NEWFOUND_DATA", str(DATA))
    monkeypatch.chdir(tmp_path)
    said = list(shown((DOCS / "tutorial.md").read_text(encoding="utf-8")))
    assert len(said) > 5
    for command, printed in said:
        name, *arguments = command.split()
        assert name == "newfound"
        out, _ = run(*arguments)
        first = printed.splitlines()[:1]
        # numbers may differ by a hair between machines whose BLAS sums in another order; what is said may not
        assert [re.sub(r"[\d.,]+", "#", line) for line in out.splitlines()[:1]] == [
            re.sub(r"[\d.,]+", "#", line) for line in first
        ]
