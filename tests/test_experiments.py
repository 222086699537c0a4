"""Experiments: records that survive a kill, pages that say what the records say, numbers that come out again."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import dataset
from newfound import metrics
from newfound.components import KMeans
from newfound.criteria import MinMax
from newfound.errors import MissingData
from newfound.experiments import agreement, curves, details, figures, table1, variants
from newfound.experiments.confusions import aligned
from newfound.experiments.records import Records
from newfound.experiments.runs import Record, Run, perform
from newfound.experiments.summary import mark
from newfound.selection import AICc

PAPER = Path(__file__).parents[1] / "docs" / "paper"
PARTITIONS = 10
NAMES = ["20-newsgroups", "reuters-21578", "delicious-sports-stand-in"]


@pytest.fixture(scope="module")
def published():
    return Records(PAPER / "records")


# ---- what is printed


def test_every_page_is_the_one_that_the_records_make(published):
    pages = {
        "table1.md": table1.page(table1.rows(published, NAMES, PARTITIONS), PARTITIONS),
        "details.md": details.page(published, PARTITIONS),
        "figures.md": figures.page(PARTITIONS),
        "README.md": agreement.page(published, PARTITIONS),
    }
    for name, text in pages.items():
        assert (PAPER / name).read_text(encoding="utf-8") == text, f"docs/paper/{name} is not what its records make"


def published_runs(name, share):
    """Some of the runs behind Table 1: every model and column, on one partition each."""
    wanted = [run for run in table1.runs([name], PARTITIONS) if "extra_classes" not in dict(run.settings)]
    step = max(1, round(1 / share))
    return wanted[::step]


@pytest.mark.parametrize(
    ("name", "share"), [("delicious-sports-stand-in", 1), ("20-newsgroups", 0.03), ("reuters-21578", 0.05)]
)
def test_the_same_run_gives_the_same_numbers_again(published, name, share):
    dataset(name)
    for run in published_runs(name, share):
        assert replace(perform(run), seconds=0) == replace(published[run], seconds=0)


def test_the_claims_that_the_reproduction_stands_on(published):
    rows = {row.dataset: row for row in table1.rows(published, NAMES[:2], PARTITIONS) if row.component == "kmeans"}
    assert all(row.marks["minmax"] == "++" for row in rows.values())
    assert 15 <= rows["20-newsgroups"].cells["minmax"].mean("classes") <= 40
    reuters = rows["reuters-21578"].cells
    assert mark(reuters["js"].all(), reuters["minmax"].all()) == "++"


# ---- what the fixed words of the pages say


@pytest.fixture(scope="module")
def table(published):
    return {(row.dataset, row.component): row.cells for row in table1.rows(published, NAMES, PARTITIONS)}


@pytest.fixture(scope="module")
def swept(published):
    return {
        (variant.name, name): variant.cell(name, published, PARTITIONS)
        for sweep in details.SWEEPS.values()
        for variant in sweep
        for name in details.DATA
    }


def against(ours, theirs):
    return mark(ours.all(), theirs.all())


def test_words_on_criteria_and_chance(table, swept):
    news, reuters = (table[name, "kmeans"] for name in NAMES[:2])
    for cells, printed in ((news, 99), (reuters, 100)):
        assert cells["js"].mean("classes") < printed - 20
        assert against(cells["random"], cells["minmax"]) == ""
    assert against(news["js"], news["semisup"]) == "++"
    chance = {name: swept["KM, JS, anywhere at its rate", name] for name in NAMES[:2]}
    assert against(chance["20-newsgroups"], news["js"]) == "-"
    assert against(chance["reuters-21578"], reuters["js"]) == ""
    for name, cells in (("20-newsgroups", news), ("reuters-21578", reuters)):
        assert chance[name].mean("classes") > cells["js"].mean("classes") + 5
        gain, of_where = (a.mean() - b.mean() for a, b in ((chance[name], cells["semisup"]), (cells["js"], chance[name])))
        assert gain > 5 * of_where


def test_words_on_the_oracle(table, published):
    for (name, component), cells in table.items():
        lower, upper = (cells[c].mean("accuracy") for c in ("semisup", "best-m"))
        assert lower > upper + 10 if name == "reuters-21578" else upper > lower
        chosen = [dict(record.run.settings).get("extra_classes", 0) for record in cells["best-m"].records]
        assert sum(m in (20, 40) for m in chosen) >= 8
        if component == "kmeans" and name != "reuters-21578":
            assert cells["minmax"].mean("accuracy") > upper
            assert cells["minmax"].mean("classes") < cells["best-m"].mean("classes")


def test_words_on_certain_posteriors(swept):
    tried = [c for (line, name), c in swept.items() if line.startswith(("NB, JS", "vMF, JS")) and name == "reuters-21578"]
    assert max(cell.mean("classes") for cell in tried) < 13  # 77 and 62 in print


def test_words_on_the_samplers(table, swept, published):
    def sampled(component, pick):
        return [
            [swept[f"{component}, {pick}, concentration {level}", name] for level in ("1e-08", "0.0001")] for name in NAMES[:2]
        ]

    for component, signs in (
        ("KM", [["++", "++"], ["", "++"]]),
        ("NB", [["", ""], ["", ""]]),
        ("vMF", [["--", "--"], ["--", "--"]]),
    ):
        crp, explore = sampled(component, "crp"), sampled(component, "explore-crp")
        assert [[against(a, b) for a, b in zip(*pair, strict=True)] for pair in zip(explore, crp, strict=True)] == signs
    for name, cells in zip(NAMES[:2], sampled("vMF", "crp"), strict=True):
        assert [cell.mean("classes") for cell in cells] == [100, 100]
        assert all(against(cell, table[name, "vmf"][c]) == "++" for cell in cells for c in ("minmax", "js"))
    chart = curves.FIGURE_5[0]
    explore, crp = ([curves.cell(chart, curve, x, published, PARTITIONS) for x in chart.xs] for curve in chart.curves[:2])
    assert [against(a, b) == "++" for a, b in zip(explore, crp, strict=True)] == [x >= 1e-3 for x in chart.xs]


def test_words_on_selection(swept):
    def line(name, dataset):
        return [(r.scores["classes"], r.refused) for r in swept[name, dataset].records]

    refused = []
    for name, seeded in (("20-newsgroups", 6), ("reuters-21578", 10)):
        for criterion in ("KM, MinMax", "KM, JS"):
            aicc = line(f"{criterion}, selection aicc", name)
            assert all(stopped for _, stopped in aicc)
            refused += [(name, criterion, classes - seeded) for classes, _ in aicc]
            assert line(f"{criterion}, selection aicc-undiluted", name) == line(f"{criterion}, selection None", name)
            for other in ("aic", "bic"):
                assert {classes for classes, _ in line(f"{criterion}, selection {other}", name)} == {seeded}
        assert {classes for classes, _ in line("NB, JS, selection bic", name)} == {seeded}
        assert line("vMF, JS, selection bic", name) == line("vMF, JS, selection None", name)
    assert sum(kept == 0 for *_, kept in refused) > len(refused) / 2
    assert all(kept == 0 for name, _, kept in refused if name == "20-newsgroups")
    reuters = [(criterion, kept) for name, criterion, kept in refused if name == "reuters-21578" and kept]
    assert {criterion for criterion, kept in reuters if kept >= 24} == {"KM, JS"}
    others = [line(f"{c}, JS, selection aicc", name) for c in ("NB", "vMF") for name in NAMES[:2]]
    assert sum(stopped for fits in others for _, stopped in fits) == 1


def test_words_on_the_end_of_exploration_in_figure_4(published):
    def opened(chart, x):
        return curves.cell(chart, chart.curves[0], x, published, PARTITIONS).mean("classes")

    by_classes, by_seeds = curves.FIGURE_4
    assert all(opened(by_classes, x) <= x + 1 for x in by_classes.xs)
    assert [opened(by_seeds, x) <= 11 for x in by_seeds.xs] == [x >= 3 for x in by_seeds.xs]
    assert all(opened(curves.FIGURE_3[0], x) > x + 10 for x in curves.FIGURE_3[0].xs)

    def ratio(seeds, width):
        weight = KMeans().smoothing * width
        return round((seeds + weight) / (1 + weight), 1)

    assert (ratio(3, 721), ratio(2, 721), ratio(5, 61188)) == (2.9, 1.9, 1.6)
    assert ratio(2, 721) < MinMax().ratio < ratio(3, 721)


@pytest.mark.parametrize("name", ["README.md", "details.md", "figures.md"])
def test_pages_say_what_on_them_is_fixed(name):
    words = " ".join((PAPER / name).read_text(encoding="utf-8").split())
    assert re.search(r"fixed text, written for records of 10 partitions", words)
    assert name == "details.md" or "vary between runs" in words


# ---- records


def trial(partition=0, **settings):
    settings = Run.set(**{"criterion": "minmax", **settings})
    return Run("delicious-sports-stand-in", settings=settings, seeded=5, share=0.05, partition=partition, confusion=True)


def test_a_record_is_itself_after_a_line_of_json():
    record = perform(trial())
    again = Record.of(record.line())
    assert again == record
    assert again.table == record.table
    assert np.sum(again.table) == 282
    assert "\n" not in record.line()


def test_runs_are_made_once_whoever_asks(tmp_path):
    runs = [trial(0), trial(1), trial(0)]
    assert Records(tmp_path).complete("one", runs, n_jobs=1) == 2
    assert Records(tmp_path).complete("other", [*runs, trial(2)], n_jobs=1) == 1
    assert [len(path.read_text().splitlines()) for path in sorted(tmp_path.glob("*.jsonl"))] == [2, 1]


def test_a_missing_record_and_a_broken_one_are_named(tmp_path):
    with pytest.raises(MissingData, match="holds no record of Run"):
        Records(tmp_path)[trial()]
    (tmp_path / "bad.jsonl").write_text('{"run": 3}\n')
    with pytest.raises(MissingData, match=r"line 1 of .*bad\.jsonl is not a record"):
        Records(tmp_path)


def test_a_killed_sweep_goes_on_where_it_was(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    command = [sys.executable, "-m", "newfound.cli", "paper", "figure", "5", "--partitions", "2", "--jobs", "2", "--out"]
    subprocess.run([*command, str(whole)], check=True, capture_output=True)
    file = killed / "records" / "figure-5.jsonl"
    for least in (3, 12):
        with subprocess.Popen([*command, str(killed)], stdout=subprocess.DEVNULL, start_new_session=True) as sweep:
            while sweep.poll() is None and (not file.exists() or len(file.read_bytes().splitlines()) < least):
                time.sleep(0.01)
            os.killpg(sweep.pid, signal.SIGKILL)
        assert len(file.read_bytes().splitlines()) < 32, "killed too late to show anything"
        with file.open("a") as out:
            out.write('{"run":{"dataset":"delic')  # as if in the middle of a line
    subprocess.run([*command, str(killed)], check=True, capture_output=True)

    def lines(folder):
        records = [Record.of(line) for line in (folder / "records" / "figure-5.jsonl").read_text().splitlines()]
        return [replace(record, seconds=0) for record in records]

    assert lines(killed) == lines(whole)
    assert len(lines(whole)) == 32


# ---- the pieces


def test_marks_are_those_of_a_paired_t_test():
    # gaps 1, 2, 3, 4: mean 2.5, standard error sqrt(5/3)/2 = 0.6455, t = 3.873 on 3 degrees: p between 0.02 and 0.05
    assert mark([1.0, 2, 3, 4], [0.0, 0, 0, 0]) == "++"
    assert mark([0.0, 0, 0, 0], [1.0, 2, 3, 4]) == "--"
    # gaps -1, 2, 3, 4: mean 2, standard error sqrt(14/3)/2 = 1.080, t = 1.852: p above 0.1
    assert mark([-1.0, 2, 3, 4], [0.0, 0, 0, 0]) == ""
    # gaps 0, 2, 3, 4: mean 2.25, standard error 0.854, t = 2.635: p between 0.05 and 0.1
    assert mark([0.0, 2, 3, 4], [0.0, 0, 0, 0]) == "+"


@given(st.integers(1, 6), st.integers(0, 6), st.integers(0, 5), st.randoms(use_true_random=False))
def test_aligned_orders_hold_every_class_once_with_the_seeded_first(n_seeded, n_unseeded, n_introduced, random):
    n = n_seeded + n_unseeded
    table = np.array([[random.randint(0, 9) for _ in range(n_seeded + n_introduced)] for _ in range(n)])
    seeded = np.array(sorted(random.sample(range(n), n_seeded)))
    rows, columns = aligned(table, seeded)
    assert sorted(rows) == list(range(n))
    assert sorted(columns) == list(range(n_seeded + n_introduced))
    assert rows[:n_seeded].tolist() == seeded.tolist()
    assert columns[:n_seeded].tolist() == list(range(n_seeded))


@given(st.lists(st.floats(0.001, 1), min_size=2, max_size=8))
def test_bits_are_nats_over_ln_2(weights):
    p = np.array(weights) / sum(weights)
    k, middle = len(p), (p + 1 / len(p)) / 2
    bits = (np.log2(1 / k / middle).sum() / k + (p * np.log2(p / middle)).sum()) / 2
    if abs(bits - 1 / k) > 1e-6:
        assert bool(variants.JensenShannonBits().fires(p[None])[0]) == (bits < 1 / k)


def test_undiluted_aicc_forgets_the_uniform_prior():
    d, n = 7, 40
    for k in (1, 3, 8):
        v = k * (d - 1) + k - 1
        without = -100.0 + n * np.log(k)
        assert variants.UndilutedAICc(d).score(-100.0, v, n) == pytest.approx(AICc().score(without, v, n))


def test_counted_puts_rows_where_confusion_does():
    truth, found = list("aabbc"), [5, 3, 3, 3, 4]
    table = metrics.counted(truth, found, [3, 4, 5, 6])
    assert table.tolist() == [[1, 0, 1, 0], [2, 0, 0, 0], [0, 1, 0, 0]]


@pytest.mark.parametrize("number", figures.FIGURES)
def test_figures_are_drawn_from_records_alone_and_are_the_same_file_again(published, number, tmp_path):
    if number in (1, 2, 3, 6):
        dataset("20-newsgroups")
    pictures = [tmp_path / name for name in ("one.svg", "two.svg")]
    for picture in pictures:
        figures.figure(number).draw(published, picture, PARTITIONS)
    one, two = (picture.read_bytes() for picture in pictures)
    assert one == two
    assert len(one) > 10_000


def drawn(published, number, tmp_path):
    picture = tmp_path / "figure.svg"
    figures.figure(number).draw(published, picture, PARTITIONS)
    return picture.read_text()


@pytest.mark.parametrize(
    ("number", "name"), [(3, "20-Newsgroups"), (4, "stand-in (generated)"), (5, "stand-in (generated)"), (6, "20-Newsgroups")]
)
def test_curves_say_whose_they_are_and_differ_in_more_than_colour(published, number, name, tmp_path):
    picture = drawn(published, number, tmp_path)
    assert re.search(f"<!--.*{re.escape(name)} -->", picture)  # matplotlib notes there what it draws as outlines
    lines = getattr(curves, f"FIGURE_{number}")[0].curves
    assert len({("" if line.level else line.marker, line.dashes) for line in lines}) == len(lines)
    assert "stroke-dasharray" in picture


def test_orange_lines_part_seeded_classes_only_from_others(published, tmp_path):
    dataset("20-newsgroups")
    # of eight panels, each with classes that nobody seeded, the lower four have introduced ones
    assert drawn(published, 1, tmp_path).count("stroke: #d55e00") == 8 + 4


# ---- the command


def newfound(*arguments, **environment):
    command = [sys.executable, "-m", "newfound.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)


def test_table_1_of_the_stand_in_from_the_command_line(tmp_path):
    done = newfound("paper", "table1", "--data", "delicious-sports-stand-in", "--partitions", 2, "-o", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == [str(tmp_path / "table1.md")]
    text = (tmp_path / "table1.md").read_text()
    assert "Delicious_Sports stand-in (generated) | KM | ours" in text
    assert "The stand-in has the shape of Delicious_Sports" in text
    assert "not available" not in text  # it was not asked for
    assert "can no longer be found" not in text
    assert len(json.loads((tmp_path / "records" / "table1.jsonl").read_text().splitlines()[0])["run"]) == 9


def delicious(folder, triples):
    """A folder that holds the WebSets form: these triples, and six classes of ten entities."""
    home = folder / "delicious_sports"
    home.mkdir(parents=True)
    (home / "triples.tsv").write_bytes(triples)
    (home / "labels.tsv").write_text("".join(f"entity-{i}\tclass-{i % 6}\n" for i in range(60)))
    return folder


def test_delicious_sports_has_rows_where_it_is_and_one_line_where_it_is_not(tmp_path):
    delicious(tmp_path / "with", b"".join(b"entity-%d\tcolumn-%d\n" % (i, i % 6) for i in range(60)))
    command = ("paper", "table1", "--data", "delicious-sports", "--partitions", 2, "--jobs", 1, "-o")
    for name in ("without", "with"):
        here = str(tmp_path / name)
        done = newfound(*command, tmp_path / name, NEWFOUND_DATA=here, XDG_CACHE_HOME=here)
        assert (done.returncode, done.stderr) == (0, "")
    without, found = ((tmp_path / name / "table1.md").read_text() for name in ("without", "with"))
    assert "| Delicious_Sports |  | not available |" in without
    assert "Delicious_Sports can no longer be found" in without
    assert found.count("| Delicious_Sports | KM | ours |") == 1
    assert "not available" not in found
    assert "can no longer be found" not in found
    assert "stand-in" not in without + found


@pytest.mark.parametrize(
    ("triples", "says"),
    [(b"entity-1\n", "line 1 of .* has 1 fields"), (b"entity-1\t\xff\n", "triples.tsv is not text in UTF-8")],
)
def test_a_broken_file_of_delicious_sports_is_not_taken_for_a_missing_one(triples, says, tmp_path):
    home = str(delicious(tmp_path, triples))
    done = newfound("paper", "table1", "--data", "delicious-sports", "-o", tmp_path / "out", NEWFOUND_DATA=home)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search(says, done.stderr)
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("paper", "figure", "7"), "7 is not in the range 1<=x<=6"),
        (("paper", "table1", "--data", "reuters"), "Table 1 has no data set 'reuters'; choose from 20-newsgroups"),
        (("paper", "table1", "--data", "banking77"), "Table 1 has no data set 'banking77'; choose from 20-newsgroups"),
        (("paper", "table1", "--data", "reuters-21578"), "set NEWFOUND_DATA"),
        (("paper", "table1", "--partitions", "1"), "1 is not in the range x>=2"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence_with_exit_code_2(arguments, says, tmp_path):
    done = newfound(*arguments, NEWFOUND_DATA=str(tmp_path), XDG_CACHE_HOME=str(tmp_path))
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("out", ["file", "file/deeper", "/proc", "/dev/null"])
def test_a_folder_that_cannot_be_written_is_said_in_a_sentence(out, tmp_path):
    (tmp_path / "file").write_text("mine")
    done = newfound("paper", "table1", "--data", "delicious-sports-stand-in", "--jobs", 1, "-o", tmp_path / out)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search(r"cannot be written: \w+|is a file", done.stderr)
    assert "Traceback" not in done.stderr
    assert (tmp_path / "file").read_text() == "mine"


def test_no_processes_are_refused_before_anything_is_written(tmp_path):
    done = newfound("paper", "table1", "--data", "delicious-sports-stand-in", "--jobs", 0, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert done.stderr == "newfound: jobs must be a number of processes, or -1 for all cores, not 0\n"
    assert not (tmp_path / "out").exists()


def test_without_its_packages_the_command_says_what_to_install(tmp_path):
    (tmp_path / "click.py").write_text("raise ModuleNotFoundError(\"No module named 'click'\", name='click')\n")
    done = newfound("--help", PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.strip() == "newfound: this needs click: pip install 'newfound[app]'"


@pytest.mark.parametrize(
    "command", [(), ("paper",), ("paper", "table1"), ("paper", "figure"), ("paper", "details"), ("paper", "all")]
)
def test_every_command_explains_itself_with_an_example(command):
    done = newfound(*command, "--help")
    assert done.returncode == 0
    assert command == () or "Example: newfound paper" in done.stdout
