"""The data sets against the figures of their READMEs, the fetchers against real downloads, partitions and their laws."""

import csv
import io
import json
import tarfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import io as sio

from conftest import DATA, dataset
from newfound import datasets
from newfound.datasets import catalogue, fetch, reuters, support
from newfound.errors import MissingData, SettingError

SHAPES = {
    "20-newsgroups": (18774, 20),
    "20-newsgroups-raw": (18846, 20),
    "reuters-21578": (8293, 65),
    "banking77": (13083, 77),
    "banking77-minilm": (13083, 77),
    "clinc150": (22500, 150),
    "clinc150-oos": (23700, 151),
    "clinc150-minilm": (22500, 150),
    "ag-news": (7600, 4),
    "ag-news-minilm": (7600, 4),
    "delicious-sports-stand-in": (282, 26),
    "support-messages": (621, 13),
}


@pytest.fixture
def afresh():
    """What was read before is forgotten, and so is afterwards what a test reads."""
    catalogue.read.cache_clear()
    yield
    catalogue.read.cache_clear()


@pytest.mark.parametrize("name", SHAPES)
def test_rows_and_classes_are_those_of_the_readme(name):
    data = dataset(name)
    assert (len(data), len(np.unique(data.labels))) == SHAPES[name]
    assert data.X is None or data.X.shape[0] == len(data)
    assert data.texts is None or len(data.texts) == len(data)


def test_every_named_data_set_is_tested():
    assert {*SHAPES, "delicious-sports"} == set(datasets.names())


def test_counts_of_the_paper():
    news, reuters = dataset("20-newsgroups").X, dataset("reuters-21578").X
    assert (news.shape, news.nnz, news.sum(), news.max()) == ((18774, 61188), 2435219, 4562219, 716)
    assert (reuters.shape, reuters.nnz, reuters.sum(), reuters.max()) == ((8293, 18933), 389455, 560940, 47)


def test_topics_of_reuters_are_named_where_their_sizes_leave_no_doubt():
    path = DATA / "reuters21578_cai" / "class_names.json"
    if not path.exists():
        pytest.skip(f"the names worked out for Reuters-21578 are not at {path}")
    found = {int(number): topics for number, topics in json.loads(path.read_text()).items()}
    assert [found[n][0] if len(found[n]) == 1 else f"topic-{n}" for n in range(1, 66)] == reuters.NAMES
    assert sum(name.startswith("topic-") for name in reuters.NAMES) == 16


def test_newsgroups_rebuilt_from_raw_are_the_published_counts():
    sources = catalogue.CATALOGUE["20-newsgroups"].sources
    paths = {DATA / file: read for file, read in sources.items()}
    if not all(path.exists() for path in paths):
        pytest.skip(f"20-Newsgroups is not at {DATA} both as counts and raw; set NEWFOUND_DATA to the folder that holds them")
    counted, rebuilt = (read(path) for path, read in paths.items())
    assert (counted.X != rebuilt.X).nnz == 0
    for column in ("labels", "words", "split", "ids"):
        np.testing.assert_array_equal(getattr(counted, column), getattr(rebuilt, column))


def test_the_stand_in_says_so_and_has_the_shape_of_the_lost_data_set():
    data = datasets.load("delicious-sports-stand-in")
    assert data.stand_in
    assert "stand-in" in data.title
    assert (data.X.shape, len(np.unique(data.labels))) == ((282, 721), 26)
    assert data.X.sum(axis=0).min() > 0
    assert data.X.sum(axis=1).min() > 0


def test_a_data_set_is_read_once_however_it_is_asked_for():
    name = "delicious-sports-stand-in"
    assert datasets.load(name) is datasets.load(name, False) is datasets.load(name=name, download=True)


def test_what_is_not_here_is_named_with_the_places_looked_at(afresh, monkeypatch, tmp_path):
    monkeypatch.setenv("NEWFOUND_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(MissingData, match=r"banking77\.jsonl\.gz.*NEWFOUND_DATA.*download=True"):
        datasets.load("banking77")
    with pytest.raises(MissingData, match=r"not available anywhere.*triples\.tsv"):
        datasets.load("delicious-sports")
    with pytest.raises(MissingData, match="no data set 'bankin'"):
        datasets.load("bankin")


def test_delicious_sports_is_read_where_a_user_has_it(afresh, monkeypatch, tmp_path):
    folder = tmp_path / "delicious_sports"
    folder.mkdir()
    (folder / "triples.tsv").write_text("ajax\tcol-2\najax\tcol-1\t3\nlakers\tcol-1\nnobody\tcol-9\n")
    (folder / "labels.tsv").write_text("ajax\tsoccer\nlakers\tbasketball\n")
    monkeypatch.setenv("NEWFOUND_DATA", str(tmp_path))
    data = datasets.load("delicious-sports")
    assert data.X.toarray().tolist() == [[3, 1], [1, 0]]
    assert data.labels.tolist() == ["soccer", "basketball"]
    assert not data.stand_in


@pytest.mark.parametrize(
    ("triples", "labels", "says"),
    [
        ("ajax\n", "ajax\tsoccer\n", "line 1 of .* has 1 fields"),
        ("ajax\tcol\tmany\n", "ajax\tsoccer\n", "'many', which is not a number"),
        ("ajax\tcol\n", "other\tsoccer\n", "no triple of an entity"),
        ("ajax\tcol\n", None, "side by side"),
    ],
)
def test_broken_triples_are_refused(tmp_path, triples, labels, says):
    (tmp_path / "triples.tsv").write_text(triples)
    if labels is not None:
        (tmp_path / "labels.tsv").write_text(labels)
    with pytest.raises(MissingData, match=says):
        datasets.read_triples(tmp_path / "triples.tsv")


# ---- fetching, from a server of our own that holds the data as their public homes do


def newsgroups_home(folder):
    with tarfile.open(folder / "20news-bydate.tar.gz", "w:gz", compresslevel=1) as archive:
        raw = dataset("20-newsgroups-raw")
        for text, name, split in zip(raw.texts, raw.ids, raw.split, strict=True):
            member = tarfile.TarInfo(f"20news-bydate-{split}/{name}")
            member.size = len(text.encode("latin-1"))
            archive.addfile(member, io.BytesIO(text.encode("latin-1")))


def banking_home(folder):
    data = dataset("banking77")
    for split in ("train", "test"):
        with (folder / f"{split}.csv").open("w", newline="", encoding="utf-8") as out:
            csv.writer(out).writerows(
                [
                    ("text", "category"),
                    *((t, c) for t, c, s in zip(data.texts, data.labels, data.split, strict=True) if s == split),
                ]
            )


def clinc_home(folder):
    data, parts = dataset("clinc150-oos"), {}
    for text, label, split in zip(data.texts, data.labels.tolist(), data.split.tolist(), strict=True):
        part = ("oos_" if label == "oos" else "") + split.replace("dev", "val")
        parts.setdefault(part, []).append([text, label])
    (folder / "data_full.json").write_text(json.dumps(parts))


def ag_news_home(folder):
    topics = ["World", "Sports", "Business", "Sci/Tech"]
    data = dataset("ag-news")
    with (folder / "test.csv").open("w", newline="", encoding="utf-8") as out:
        for text, label in zip(data.texts, data.labels.tolist(), strict=True):
            csv.writer(out).writerow([topics.index(label) + 1, *text.split(" ", 1)])


def reuters_home(folder):
    data, numbers = dataset("reuters-21578"), np.load(DATA / "reuters21578_cai" / "labels.npy")
    places = {f"{split}Idx": np.flatnonzero(data.split == split)[:, None] + 1.0 for split in ("train", "test")}
    sio.savemat(folder / "Reuters21578.mat", {"fea": data.X.astype(float), "gnd": numbers[:, None].astype(float), **places})


HOMES = {
    "20-newsgroups": newsgroups_home,
    "banking77": banking_home,
    "clinc150-oos": clinc_home,
    "ag-news": ag_news_home,
    "reuters-21578": reuters_home,
}


@pytest.fixture
def served(afresh, tmp_path):
    """A folder, and the address under which it is served on loopback."""
    folder = tmp_path / "home"
    folder.mkdir()
    handler = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def point_home(monkeypatch, tmp_path, name, address):
    home = catalogue.CATALOGUE[name].home
    at = fetch.HOMES[home]
    urls = tuple(f"{address}/{url.rsplit('/', 1)[1]}" for url in at.urls)
    monkeypatch.setitem(fetch.HOMES, home, fetch.Home(urls, at.write, at.sha256))
    monkeypatch.setenv("NEWFOUND_DATA", str(tmp_path / "nowhere"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    catalogue.read.cache_clear()


@pytest.mark.parametrize("name", HOMES)
def test_what_is_fetched_is_what_lies_in_the_folder(name, served, monkeypatch, tmp_path):
    ours = dataset(name)
    HOMES[name](served[0])
    point_home(monkeypatch, tmp_path, name, served[1])
    theirs = datasets.load(name, download=True)
    assert theirs is not ours
    np.testing.assert_array_equal(theirs.split, ours.split)
    assert theirs.texts == ours.texts
    assert ours.X is None or (theirs.X != ours.X).nnz == 0
    np.testing.assert_array_equal(theirs.labels, ours.labels)
    for seed in range(3):
        one, other = (datasets.partition(data.labels, 4, share=0.05, seed=seed) for data in (theirs, ours))
        np.testing.assert_array_equal(one.seeded, other.seeded)
        np.testing.assert_array_equal(one.y, other.y)


def test_another_data_set_than_expected_is_refused_and_leaves_nothing(served, monkeypatch, tmp_path):
    for split in ("train", "test"):
        (served[0] / f"{split}.csv").write_text("text,category\nhello,greeting\n")
    point_home(monkeypatch, tmp_path, "banking77", served[1])
    with pytest.raises(MissingData, match="is not banking77: its rows have SHA-256"):
        datasets.load("banking77", download=True)
    assert not any((tmp_path / "cache" / "newfound" / "data").iterdir())


@pytest.mark.parametrize("content", [None, "not a table of texts"])
def test_a_home_that_fails_is_named(served, monkeypatch, tmp_path, content):
    if content is not None:
        for split in ("train", "test"):
            (served[0] / f"{split}.csv").write_text(content + "\nx\n")
    point_home(monkeypatch, tmp_path, "banking77", served[1])
    with pytest.raises(MissingData, match=f"{served[1]}/train.csv"):
        datasets.load("banking77", download=True)


# ---- partitions

TRUTHS = st.lists(st.integers(0, 5), min_size=1, max_size=60).map(np.array)


@given(TRUTHS, st.integers(0, 6), st.integers(1, 9), st.integers(0, 99))
def test_partitions_seed_the_classes_drawn_with_their_own_labels(truth, seeded, per_class, seed):
    seeded = min(seeded, len(np.unique(truth)))
    part = datasets.partition(truth, seeded, per_class=per_class, seed=seed)
    labelled = ~part.unlabelled
    assert (part.y[labelled] == truth[labelled]).all()
    assert len(part.seeded) == seeded
    for c in np.unique(truth):
        expected = min(per_class, (truth == c).sum()) if c in part.seeded else 0
        assert (part.y == c).sum() == expected


@given(TRUTHS, st.floats(0.01, 1), st.integers(0, 99))
def test_a_share_seeds_at_least_one_row_of_each_class(truth, share, seed):
    classes, sizes = np.unique(truth, return_counts=True)
    part = datasets.partition(truth, len(classes), share=share, seed=seed)
    counts = [(part.y == c).sum() for c in classes]
    assert counts == [max(1, round(share * size)) for size in sizes]


@given(TRUTHS, st.integers(0, 99))
def test_larger_partitions_hold_the_smaller_ones(truth, seed):
    n = len(np.unique(truth))
    small = datasets.partition(truth, n // 2, per_class=1, seed=seed)
    for large in (
        datasets.partition(truth, n, per_class=1, seed=seed),
        datasets.partition(truth, n // 2, per_class=3, seed=seed),
    ):
        assert set(np.flatnonzero(~small.unlabelled)) <= set(np.flatnonzero(~large.unlabelled))


def test_partitions_are_the_same_for_the_same_seed_and_differ_otherwise():
    truth = np.repeat(np.arange(20), 30)
    one, same, other = (datasets.partition(truth, 0.5, share=0.1, seed=s) for s in (3, 3, 4))
    assert (one.y == same.y).all()
    assert (one.y != other.y).any()
    assert len(one.seeded) == 10


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"seeded": 4, "share": 0.5}, "at most the number of classes, 3"),
        ({"seeded": 2}, "give either share"),
        ({"seeded": 2, "share": 0.5, "per_class": 1}, "give either share"),
        ({"seeded": 2, "share": 1.5}, "share must lie above 0"),
        ({"seeded": 2, "per_class": 0}, "per_class be 1 or more"),
    ],
)
def test_partitions_that_cannot_be_made_are_refused(settings, says):
    with pytest.raises(SettingError, match=says):
        datasets.partition(np.array([1, 2, 3, 3]), **settings)


def test_the_support_messages_are_twelve_topics_four_of_them_seeded():
    data, seeds = datasets.load("support-messages"), support.seeds()
    topics, sizes = np.unique(data.labels[data.labels != "none"], return_counts=True)
    assert len(topics) == 12
    assert sizes.min() >= 25
    assert len(set(data.texts)) == len(data) == 621
    np.testing.assert_array_equal(seeds[seeds != ""], data.labels[seeds != ""])
    assert np.unique(seeds[seeds != ""], return_counts=True)[1].tolist() == [12] * 4
