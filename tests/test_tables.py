"""Tables in and out: what is written reads back, every frame gives the same rows, and every refusal is one sentence."""

import errno
import gzip
import hashlib
import io
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from newfound.errors import (
    DataError,
    GapWarning,
    InputError,
    LabelError,
    MissingExtra,
    NewfoundError,
    OutputError,
    SettingError,
    TwinWarning,
)
from newfound.features.reading import AT_ONCE, read
from newfound.features.tables import ids, labels, table, texts, with_columns
from newfound.features.text import Features, length
from newfound.features.vectors import vectors
from newfound.features.writing import check_free, check_place, write

SUFFIXES = [".csv", ".tsv", ".jsonl", ".parquet", ".csv.gz", ".jsonl.gz", ".ndjson"]
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}

hostile = st.text(st.sampled_from("\"',;|\t\r\n \\{}[]=#-0é\u200f\u2028\x85\x1c\ufeff😀aNn")) | st.text(
    st.characters(codec="utf-8", exclude_characters="\0")
)


@st.composite
def columns(draw):
    names = draw(st.lists(hostile, min_size=1, max_size=4, unique=True))
    rows = draw(st.lists(st.tuples(*[hostile] * len(names)), min_size=1, max_size=6))
    return {name: list(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)}


def refusal(kind, work, *args, **settings):
    """The sentence of a refusal."""
    with pytest.raises(kind) as caught:
        work(*args, **settings)
    assert isinstance(caught.value, NewfoundError)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def sentence_or(work):
    """Work, or be refused in one sentence; anything else is a failure."""
    try:
        return work()
    except NewfoundError as failure:
        return "\n" in str(failure) and pytest.fail(f"not one sentence: {failure}")


@pytest.fixture
def put(tmp_path):
    """Write the bytes of a file, and say where."""

    def put(content, name="tickets.csv"):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / name

    return put


def held(found):
    return {name: found.frame[name].to_list() for name in found.frame.columns}


# What is written reads back


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(cells=columns())
def test_round_trip(tmp_path_factory, suffix, cells):
    path = tmp_path_factory.getbasetemp() / f"round{suffix}"
    write(table(pa.table(cells)), path, force=True)
    assert held(read(path)) == cells


@given(cells=columns())
def test_round_trip_through_a_stream(cells):
    stream = io.BytesIO()
    write(table(pa.table(cells)), stream)
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stream.getvalue()))
    try:
        assert held(read("-")) == cells
    finally:
        sys.stdin = stdin


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@given(cells=columns())
def test_byte_order_marks_are_obeyed(tmp_path_factory, encoding, cells):
    path = tmp_path_factory.getbasetemp() / "marked.csv"
    write(table(pa.table(cells)), path, force=True)
    path.write_bytes(path.read_bytes().decode().encode(encoding))
    assert held(read(path)) == cells


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_types_survive_where_the_format_has_them(tmp_path, suffix):
    cells = {
        "n": [1, None],
        "x": [0.5, 2.0],
        "yes": [True, None],
        "v": [[1.5, 2.0], None],
        "tags": [["a"], []],
        "none": [None, None],
    }
    write(table(pa.table(cells)), tmp_path / f"types{suffix}")
    assert held(read(tmp_path / f"types{suffix}")) == cells


def test_values_become_cells_of_csv():
    stream = io.BytesIO()
    day = pd.Timestamp("2024-01-02")
    write(table(pd.DataFrame({"x": [0.5, np.nan], "yes": [True, False], "v": [[1, 2], None], "day": [day, None]})), stream)
    assert stream.getvalue().decode() == 'x,yes,v,day\n0.5,true,"[1, 2]",2024-01-02 00:00:00\n,false,,\n'


def test_json_has_no_nan(tmp_path):
    write(table(pl.DataFrame({"x": [float("nan"), float("inf"), 1.0], "v": [[1.0, float("nan")]] * 3})), tmp_path / "x.jsonl")
    assert (tmp_path / "x.jsonl").read_text().splitlines()[0] == '{"x": null, "v": [1.0, null]}'


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_columns_of_mixed_objects_become_text(tmp_path, kind, suffix):
    frame = pd.DataFrame({"x": [1, "one", None]}, dtype=object) if kind == "pandas" else FRAMES[kind]({"x": ["1", "one", None]})
    write(table(frame), tmp_path / f"mixed{suffix}")
    assert texts(read(tmp_path / f"mixed{suffix}"), "x") == ["1", "one", ""]


def test_equal_tables_make_equal_gzip(tmp_path):
    for name in ("a.csv.gz", "b.csv.gz"):
        write(table(pa.table({"x": ["1"]})), tmp_path / name)
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()) == b"x\n1\n"


# Reading


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_delimiter_is_what_the_header_has_most(put, sign):
    path = put(
        f'id{sign}"a,;|\t b,;|\t c"{sign}x\n007{sign}2024-01-02{sign}1,5\n'.replace("1,5", "15" if sign == "," else "1,5")
    )
    assert held(read(path)) == {"id": ["007"], "a,;|\t b,;|\t c": ["2024-01-02"], "x": ["15" if sign == "," else "1,5"]}


def test_a_name_of_the_header_may_have_two_lines(put):
    assert held(read(put('"a\nb";c\n1;2\n'))) == {"a\nb": ["1"], "c": ["2"]}


def test_blank_lines_are_skipped_and_lines_counted(put):
    found = read(put('\n \nid,body\n\n1,"two\nlines"\n   \n\n2,x\n'))
    assert held(found) == {"id": ["1", "2"], "body": ["two\nlines", "x"]}
    assert [found.at(row) for row in range(2)] == ["row 1 of tickets.csv (line 5)", "row 2 of tickets.csv (line 9)"]


def test_cells_that_are_empty_are_rows(put):
    assert held(read(put('only\n""\n"  "\n'))) == {"only": ["", "  "]}
    assert held(read(put("a,b\n,\n"))) == {"a": [""], "b": [""]}


def test_lines_may_end_in_any_way(put):
    for end in ("\n", "\r\n", "\r"):
        assert held(read(put(end.join(["a,b", "1,2", "3,4"])))) == {"a": ["1", "3"], "b": ["2", "4"]}


def test_megabyte_cells_are_read(put):
    text = "long " * 300_000
    assert texts(read(put(f'id,body\n1,"{text}"\n')), "body") == [text]


def test_more_rows_than_one_chunk(put):
    rows = range(2 * AT_ONCE + 5)
    assert ids(read(put("id,x\n" + "".join(f"{row},a\n" for row in rows))), "id") == [str(row) for row in rows]
    lines = "".join(f'{{"id": {row}}}\n' for row in rows[:-1]) + '{"late": 0.5}\n'
    found = held(read(put(lines, "tickets.jsonl")))
    assert found["id"] == [*rows[:-1], None]
    assert found["late"] == [None] * (len(rows) - 1) + [0.5]


def test_a_type_that_changes_between_chunks_becomes_text(put):
    lines = '{"id": 7}\n' * AT_ONCE + '{"id": "x"}\n'
    assert set(held(read(put(lines, "tickets.jsonl")))["id"]) == {"7", "x"}


def test_json_of_many_shapes(put):
    path = put(
        '{"id": "007", "n": 12345678901234567890123, "o": {"b": [1, {}]}, "d": "2024-01-02"}\n\n'
        '{"n": 1, "o": null, "v": [1, "a"]}\n',
        "x.ndjson",
    )
    assert held(read(path)) == {
        "id": ["007", None],
        "n": ["12345678901234567890123", "1"],
        "o": ['{"b": [1, {}]}', None],
        "d": ["2024-01-02", None],
        "v": [None, '[1, "a"]'],
    }
    assert read(path).lines.tolist() == [1, 3]


def test_suffixes_in_capitals(put):
    assert len(read(put("a\n1\n", "TICKETS.CSV"))) == 1


def test_another_encoding(put):
    path = put("id,body\n1,café\n".encode("latin-1"))
    assert texts(read(path, encoding="latin-1"), "body") == ["café"]
    assert texts(read(put("id,body\n1,café\n".encode("utf-16-le")), encoding="utf-16-le"), "body") == ["café"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("id;x\n1;2\n", {"id": ["1"], "x": ["2"]}),
        ('\n {"id": 1, "x": "a;b"}\n', {"id": [1], "x": ["a;b"]}),
        ("a\tb\n1\t2", {"a": ["1"], "b": ["2"]}),
    ],
)
def test_standard_input(monkeypatch, content, expected):
    stdin = io.TextIOWrapper(io.BytesIO(content.encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert held(read("-")) == expected
    assert not stdin.closed


def test_a_closed_standard_input_and_output(monkeypatch, one):
    monkeypatch.setattr("sys.stdin", None)
    monkeypatch.setattr("sys.stdout", None)
    assert refusal(InputError, read, "-").startswith("the standard input is closed; name a file")
    assert refusal(OutputError, write, one, "-") == "the standard output is closed; name a file"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_digest_of_what_was_read(tmp_path, suffix, one):
    write(one, tmp_path / f"x{suffix}")
    assert read(tmp_path / f"x{suffix}").sha256 == hashlib.sha256((tmp_path / f"x{suffix}").read_bytes()).hexdigest()


REFUSED = {
    "tickets.csv": {
        "": "tickets.csv is empty; it needs a header and at least one row",
        "\n \n": "tickets.csv is empty; it needs a header and at least one row",
        "id,body\n": "tickets.csv has a header but no rows; there is nothing to label",
        "id,body,topic\n\n1,a,b\n2,a,b,c\n": "line 4 of tickets.csv has 4 fields, but its header has 3; "
        "put cells that hold ',' in quotes",
        'id,body\n1,"a\nb"\n2\n': "line 4 of tickets.csv has 1 field, but its header has 2; put cells that hold ',' in quotes",
        "id,x,id\n1,2,3\n": "2 columns of tickets.csv have the name 'id'; give each column its own name",
        "id,,\n1,2,3\n": "2 columns of tickets.csv have no name; give each column its own name",
        "id,body\n1,a\0b\n": "line 2 of tickets.csv holds a NUL character, which no text does; save it as UTF-8 text, "
        "or pass --encoding utf-16 if that is what it is",
        'id,body\n1,a\n2,"b\n3,c\n': "a quote opened in the row at line 3 of tickets.csv is never closed; "
        "close it, or double it within a cell",
        'id,"body\n1,a\n': "a quote opened in the row at line 1 of tickets.csv is never closed; "
        "close it, or double it within a cell",
        'id,body\n1,"a" b\n': "the row at line 2 of tickets.csv has text after a closing quote; "
        "double the quotes within a cell, and quote it as a whole",
        'id,body\n1,"a\nc" b\n': "the row at lines 2 to 3 of tickets.csv has text after a closing quote; "
        "double the quotes within a cell, and quote it as a whole",
        b"id,body\n1,a\n2,caf\xe9\n": "tickets.csv is not UTF-8: byte 0xe9 in line 3; "
        "save it as UTF-8 or pass --encoding, say latin-1",
        b"\xff\xfei\0d\0\n\x000\0\n\0\x00\xd8": "tickets.csv is not UTF-16-LE: byte 0x00 in line 3; "
        "save it as UTF-8 or pass --encoding, say latin-1",
        b"i\0d\0\n\0": "line 1 of tickets.csv holds a NUL character, which no text does; save it as UTF-8 text, "
        "or pass --encoding utf-16 if that is what it is",
    },
    "tickets.jsonl": {
        "": "tickets.jsonl is empty; it needs a header and at least one row",
        '{"a": 1}\n\n{"a": 1,}\n': "line 3 of tickets.jsonl is not JSON",
        "[1, 2]\n": "line 1 of tickets.jsonl holds [1, 2]; write one object {…} to a line",
        '{"a": 1}\n"text"\n': "line 2 of tickets.jsonl holds 'text'; write one object {…} to a line",
        "[" * 100_000: "line 1 of tickets.jsonl is not JSON",
        '{"a": ' + "1" * 5000 + "}": "line 1 of tickets.jsonl is not JSON",
        '{"a": "\\ud83d"}\n': "line 1 of tickets.jsonl spells half of a character (\\ud8…); write the whole of it",
        "{}\n{}\n": "tickets.jsonl has no columns; there is nothing to label",
    },
    "tickets.csv.gz": {
        "id,body\n1,a\n": "tickets.csv.gz is not a whole gzip file",
        gzip.compress(b"id,body\n1,a\n")[:-9]: "tickets.csv.gz is not a whole gzip file",
        gzip.compress(b"id,body\n1,a\n" * 99)[:20] + b"zzzzzzzzzzzzzzzzz": "tickets.csv.gz is not a whole gzip file",
    },
    "tickets.parquet": {
        "": "tickets.parquet is not a whole parquet file",
        "id,body\n1,a\n": "tickets.parquet is not a whole parquet file",
        b"PAR1" + b"\0" * 40 + b"PAR1": "tickets.parquet is not a whole parquet file",
    },
    "tickets.xlsx": {
        "PK": "tickets.xlsx has no suffix that says what it holds; "
        "use one of .csv, .tsv, .jsonl, .ndjson, .parquet (or .csv.gz)"
    },
    "tickets.parquet.gz": {"": "tickets.parquet.gz has no suffix that says what it holds"},
    "tickets": {"": "tickets has no suffix that says what it holds"},
}


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [(name, content, says) for name, cases in REFUSED.items() for content, says in cases.items()],
)
def test_what_cannot_be_read(put, name, content, sentence):
    said = refusal(InputError, read, put(content, name))
    assert sentence in said


def test_no_file_a_folder_and_an_unknown_encoding(tmp_path, put):
    assert (
        refusal(InputError, read, tmp_path / "no.csv")
        == f"there is no file {tmp_path / 'no.csv'}; check its name and its folder"
    )
    (tmp_path / "folder.csv").mkdir()
    assert refusal(InputError, read, tmp_path / "folder.csv") == f"{tmp_path / 'folder.csv'} is a folder; name one file in it"
    assert refusal(InputError, read, put("") / "x.csv").endswith("cannot be read: Not a directory")
    for name in ("punycode", "idna"):
        assert "; save it as UTF-8" in refusal(InputError, read, put("text,label\n\xff-,b-é\n", f"{name}.csv"), encoding=name)
    for name in ("utf9", "hex"):
        assert refusal(SettingError, read, put("a\n1\n"), encoding=name).startswith(f"no encoding is called {name!r}")


@given(
    content=st.binary(max_size=300),
    suffix=st.sampled_from(SUFFIXES),
    start=st.sampled_from([b"", b'a,b\n1,"', b'{"a": ', b"PAR1"]),
)
def test_any_bytes_give_a_table_or_a_sentence(tmp_path_factory, content, suffix, start):
    path = tmp_path_factory.getbasetemp() / f"fuzz{suffix}"
    path.write_bytes(gzip.compress(start + content) if suffix.endswith("gz") else start + content)
    sentence_or(lambda: len(read(path, encoding="latin-1")))


@given(data=st.data())
def test_a_parquet_file_with_broken_bytes_gives_a_table_or_a_sentence(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "broken.parquet"
    write(table(pa.table({"id": ["a", "b"], "x": [1, 2]})), path, force=True)
    whole = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))] if data.draw(st.booleans()) else whole)
    sentence_or(lambda: [texts(found, found.frame.columns) for found in [read(path)]])


# Columns


@pytest.mark.parametrize("kind", FRAMES)
def test_every_frame_gives_the_same(kind):
    found = table(
        FRAMES[kind](
            {
                "id": [7, 8, 9],
                "title": ["Hi", None, " é "],
                "body": ["one", "two", ""],
                "topic": ["fee", None, " NaN "],
                "number": [3.0, None, -1.0],
                "code": [-1, 0, 12],
                "yes": [True, False, True],
                "place": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
            }
        )
    )
    assert texts(found, ["title", "body"]) == ["Hi\none", "\ntwo", " é \n"]
    assert labels(found, "topic") == ["fee", None, None]
    assert labels(found, "number") == ["3", None, None]
    assert labels(found, "code") == [None, "0", "12"]
    assert labels(found, "yes") == ["true", "false", "true"]
    assert ids(found, "id") == ["7", "8", "9"]
    assert vectors("place", found).tolist() == [[1, 2], [3, 4], [5, 6]]
    assert vectors("place", found).dtype == np.float32
    more = with_columns(found, {"newfound_label": ["a", "b", "c"], "code": np.array([0.5, 1, 0])})
    assert more.frame.columns == ["id", "title", "body", "topic", "number", "yes", "place", "newfound_label", "code"]
    assert type(more.frame.to_native()) is type(found.frame.to_native())
    stream = io.BytesIO()
    write(more, stream)
    assert stream.getvalue().decode().splitlines()[1] == '7,Hi,one,fee,3.0,true,"[1.0, 2.0]",a,0.5'


def test_a_lazy_frame_is_collected():
    assert ids(table(pl.LazyFrame({"id": ["a"]})), "id") == ["a"]


def test_an_index_of_pandas_is_left_alone():
    frame = pd.DataFrame({"id": ["a", "b"], "x": [1, 2]}, index=[5, 5])
    more = with_columns(table(frame), {"label": ["p", "q"]}).frame.to_native()
    assert more["label"].tolist() == ["p", "q"]
    assert more.index.tolist() == [5, 5]
    stream = io.BytesIO()
    write(table(more), stream)
    assert stream.getvalue() == b"id,x,label\na,1,p\nb,2,q\n"
    assert frame.columns.tolist() == ["id", "x"]


def test_all_columns_may_be_replaced():
    found = with_columns(table(pa.table({"label": ["?"]})), {"label": ["a"], "prob": np.array([0.5])})
    assert held(found) == {"label": ["a"], "prob": [0.5]}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["", " ", "\t\n", "nan", "NaN", "None", "-1", " -1 "], [None] * 8),
        (["none", "0", "03", "1.0", "N/A"], ["none", "0", "03", "1.0", "N/A"]),
        ([1, -1, None, True], ["1", None, None, "true"]),
        ([np.float32(2), np.int64(3), np.bool_(False), pd.NA, pd.NaT, float("nan")], ["2", "3", "false", None, None, None]),
        (["a", 3.0, -1.0, b"bytes"], ["a", "3", None, "bytes"]),
    ],
)
def test_labels_and_gaps(values, expected):
    assert labels(table(pd.DataFrame({"y": pd.Series(values, dtype=object)})), "y") == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1.0", "", "-1.0", "2"], ["1", None, None, "2"]),
        (["1.0", "1.5"], ["1.0", "1.5"]),
        (["1.0", "beta"], ["1.0", "beta"]),
        (["-1.0", "beta"], ["-1.0", "beta"]),
        (["03", "07.00"], ["03", "07"]),
    ],
)
def test_whole_numbers_are_written_as_such_where_all_labels_are(values, expected):
    assert labels(table(pa.table({"y": values})), "y") == expected


@pytest.mark.parametrize("gap", ["NULL", "NA", "N/A", "n/a", "null", "none", "<NA>", "NaT", "?"])
def test_a_label_that_may_mean_none_is_a_label_and_a_warning(gap):
    with pytest.warns(
        GapWarning, match=f"^most labels of column 'y' are {re.escape(repr(gap))}; if that means unlabelled, leave"
    ):
        assert labels(table(pa.table({"y": [gap, gap, "a", ""]})), "y") == [gap, gap, "a", None]
    assert labels(table(pa.table({"y": [gap, "a"]})), "y") == [gap, "a"]


def test_labels_of_categories_and_nullable_integers():
    frame = pd.DataFrame({"c": pd.Categorical(["a", None]), "n": pd.array([3, None], dtype="Int64")})
    assert labels(table(frame), "c") == ["a", None]
    assert labels(table(frame), "n") == ["3", None]
    assert labels(table(pl.DataFrame({"c": pl.Series(["a", None], dtype=pl.Categorical)})), "c") == ["a", None]


def test_what_is_no_label():
    said = refusal(LabelError, labels, table(pa.table({"y": [1.0, 0.5]})), "y")
    assert (
        said == "row 2 of the table has 0.5 in column 'y', but labels must be text or whole numbers; "
        "round it, or name another column"
    )
    assert "inf" in refusal(LabelError, labels, table(pa.table({"y": [1.0, float("inf")]})), "y")
    said = refusal(InputError, texts, table(pa.table({"y": [[1, 2]]})), "y")
    assert said == "row 1 of the table has [1, 2] in column 'y', but text was expected; name another column"
    said = refusal(InputError, texts, table(pa.table({"y": [b"\xff"]})), "y")
    assert said == "row 1 of the table has bytes in column 'y' that are no text; save it as text"
    assert "half of a character" in refusal(InputError, texts, table(pd.DataFrame({"y": ["\ud83d"]}, dtype=object)), "y")


def test_ids_that_occur_twice_or_not_at_all(put):
    found = read(put("id,x\n007,a\n008,b\n007,c\n\n007,d\n007,e\n,f\n"))
    assert refusal(InputError, ids, found, "id") == (
        "row 6 of tickets.csv (line 8) has no 'id'; give each row one, or leave the ids out to count the rows"
    )
    found = read(put("id,x\n007,a\n008,b\n007,c\n\n007,d\n007,e\n"))
    assert refusal(InputError, ids, found, "id") == (
        "ids must differ, but '007' occurs 4 times in column 'id' of tickets.csv (rows 1, 3, 4, …); "
        "name another column, or leave the ids out to count the rows"
    )
    assert ids(found) == ["1", "2", "3", "4", "5"]


def test_a_wrong_name_answers_with_the_nearest(put):
    found = read(put("id,body,topic\n1,a,b\n"))
    assert refusal(InputError, texts, found, "bdoy") == (
        "tickets.csv has no column 'bdoy'; did you mean 'body'? Its columns are id, body, topic"
    )
    assert "did you mean 'body'?" in refusal(InputError, labels, found, "BODY ")
    assert refusal(InputError, ids, found, "zzz") == "tickets.csv has no column 'zzz'; its columns are id, body, topic"
    assert refusal(InputError, vectors, "zzz", found) == "tickets.csv has no column 'zzz'; its columns are id, body, topic"
    assert refusal(InputError, texts, found, []) == "the texts need a column; its columns are id, body, topic"
    wide = table(pa.table({f"column {number}": ["x"] for number in range(50)}))
    assert refusal(InputError, texts, wide, "column_7").endswith("? It has 50 columns")
    assert refusal(InputError, texts, wide, "zzz").startswith(
        "the table has no column 'zzz'; its 50 columns begin with column 0,"
    )
    odd = table(pa.table({"a\nb": ["x"], "": ["y"]}))
    assert refusal(InputError, texts, odd, "zzz") == "the table has no column 'zzz'; its columns are 'a\\nb', ''"


def test_names_in_sentences_are_short(put):
    found = read(put(f"id,{'y' * 10_000}\n1,b\n"))
    for work in (lambda: texts(found, "x" * 10_000), lambda: labels(found, "y" * 9_999), lambda: vectors("y" * 10_000, found)):
        assert len(refusal(InputError, work)) < 250


def test_what_is_no_table():
    assert refusal(InputError, table, [1]) == "a table must be a frame of pandas, polars or pyarrow, but came as list"
    assert refusal(InputError, table, pd.DataFrame([[1, 2]], columns=["a", "a"])) == (
        "the table has two columns of one name; rename one of them"
    )
    assert refusal(InputError, table, pd.DataFrame([[1, 2]])).startswith(
        "columns must have names of text, but the table has 0;"
    )
    assert refusal(InputError, table, pd.DataFrame()) == "the table has no columns; there is nothing to label"
    assert refusal(InputError, table, pl.DataFrame({"a": []})) == "the table has no rows; there is nothing to label"
    assert refusal(DataError, with_columns, table(pa.table({"a": [1]})), {"b": [1, 2]}) == (
        "column 'b' has 2 values, but the table has 1 rows"
    )


# Features


@pytest.mark.parametrize("kind", ["TFIDF", " embed", "Both", "", " ", "tf-idf", "embeddings"])
def test_a_kind_of_features_written_wrong(kind):
    assert refusal(SettingError, Features.fit, ["a b"], kind) == (
        f"no features {kind!r}; choose from auto, tfidf, embed, both, or the name of a sentence-transformers model"
    )


def test_a_folder_may_hold_a_model_of_any_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Embed").mkdir()
    assert [Features.fit(["a"], name).kind for name in ("Embed", "all-MiniLM-L6-v2")] == ["Embed", "all-MiniLM-L6-v2"]


def test_words_of_any_script_are_counted():
    assert length("It's 3.5 m -- e-mail me@x.org!") == 5
    assert length("\u4eca\u65e5\u306f\u3044\u3044\u5929\u6c17") == 3.5
    assert length("\ud658\ubd88 \ud574 \uc8fc\uc138\uc694") == 3
    assert Features.fit(["\u9000" * 400] * 3).kind == "both"


# Vectors


@pytest.fixture
def three(put):
    return read(put('id,v\n1,"[0.5, 1]"\n2,"[2, 3e2]"\n\n3,"[4, -5]"\n'))


def test_vectors_in_cells_and_files(three, tmp_path):
    expected = [[0.5, 1], [2, 300], [4, -5]]
    assert vectors("v", three).tolist() == expected
    np.save(tmp_path / "v.npy", np.array(expected))
    assert vectors(tmp_path / "v.npy", three).tolist() == vectors(str(tmp_path / "v.npy")).tolist() == expected
    sparse.save_npz(tmp_path / "v.npz", sparse.coo_array(np.array([[0, 1], [2, 0], [0, 0]])))
    found = vectors(tmp_path / "v.npz", three)
    assert isinstance(found, sparse.csr_matrix)
    assert found.toarray().tolist() == [[0, 1], [2, 0], [0, 0]]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"v": [np.array([1, 2]), np.array([3, 4])]}),
        pd.DataFrame({"v": [[1, 2], (3, 4.0)]}),
        pl.DataFrame({"v": pl.Series([[1, 2], [3, 4]], dtype=pl.Array(pl.Int64, 2))}),
        pa.table({"v": pa.array([[1, 2], [3, 4]], pa.list_(pa.float16(), 2))}),
        pa.table({"v": pa.chunked_array([[[1, 2]], [[3, 4]]])}),
        pa.table(
            {
                "v": pa.chunked_array(
                    [pa.array([[0, 0], [1, 2]], pa.list_(pa.int8(), 2))[1:], pa.array([[3, 4]], pa.list_(pa.int8(), 2))]
                )
            }
        ),
    ],
)
def test_vectors_of_every_frame(frame):
    assert vectors("v", table(frame)).tolist() == [[1, 2], [3, 4]]


def test_vectors_survive_every_format(tmp_path):
    for suffix in SUFFIXES:
        write(table(pa.table({"v": [[0.1, 2.0], [3.0, 4.5]]})), tmp_path / f"v{suffix}")
        assert vectors("v", read(tmp_path / f"v{suffix}")).tolist() == np.float32([[0.1, 2], [3, 4.5]]).tolist()


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([[1, 2], [3]], "row 2 of the table has a vector of length 1, but row 1 one of length 2; all must be of one length"),
        ([[1, 2], None], "row 2 of the table has a vector of length 0, but row 1 one of length 2; all must be of one length"),
        ([[], [1]], "row 1 of the table has a vector of length 0, which holds nothing; all must be of one length"),
        ([[1.0], [float("inf")]], "row 2 of the table has inf in its vector; use finite numbers, of at most 3e38"),
        ([[1.0], [1e300]], "row 2 of the table has 1e+300 in its vector; use finite numbers, of at most 3e38"),
        ([[1.0], [None]], "row 2 of the table has nan in its vector; use finite numbers, of at most 3e38"),
        ([["a"], ["b"]], "column 'v' of the table holds list<item: string>, but vectors are lists of numbers; name another"),
        ([1, 2], "column 'v' of the table holds int64, but vectors are lists of numbers; name another"),
        (["[1]", "1"], "row 2 of the table has '1' in column 'v', but a vector is written like [0.1, 0.2]"),
        (["[1]", "[true]"], "row 2 of the table has '[true]' in column 'v', but a vector is written like [0.1, 0.2]"),
        (["[1]", None], "row 2 of the table has None in column 'v', but a vector is written like [0.1, 0.2]"),
        (["[1]", "[1" + "0" * 400 + "]"], "but a vector is written like [0.1, 0.2]"),
        (["[1]", "[" * 9999], "but a vector is written like [0.1, 0.2]"),
        (["[1]", "[NaN]"], "row 2 of the table has nan in its vector; use finite numbers, of at most 3e38"),
    ],
)
def test_what_is_no_vector(values, sentence):
    assert sentence in refusal(InputError, vectors, "v", table(pa.table({"v": values})))


def test_the_line_of_a_wrong_vector(put):
    found = read(put('id,v\n1,"[0.5, 1]"\n\n2,"[2]"\n'))
    assert refusal(InputError, vectors, "v", found).startswith("row 2 of tickets.csv (line 4) has a vector of length 1,")


def test_files_that_hold_no_vectors(three, tmp_path):
    def says(name, *parts):
        said = refusal(InputError, vectors, tmp_path / name, three)
        assert all(part in said for part in parts), said

    says("no.npy", f"there is no file {tmp_path / 'no.npy'}")
    np.save(tmp_path / "v.npy", np.zeros((2, 2)))
    says("v.npy", "v.npy has 2 rows, but tickets.csv has 3; give each row its vector")
    np.save(tmp_path / "v.npy", np.array([[{}]]), allow_pickle=True)
    says("v.npy", "v.npy is not a matrix as numpy.save(path, matrix) writes it")
    for wrong in (np.zeros(3), np.zeros((3, 0)), np.zeros((3, 2), complex), np.array([["a"]] * 3)):
        np.save(tmp_path / "v.npy", wrong)
        says("v.npy", "but vectors are a matrix of numbers")
    np.save(tmp_path / "v.npy", np.array([[0.0], [1], [np.nan]]))
    says("v.npy", "row 3 of v.npy has nan in its vector")
    for content in (b"", b"\x93NUMPY", b"PK\x03\x04", b"id,body\n"):
        (tmp_path / "v.npy").write_bytes(content)
        says("v.npy", "v.npy is not a matrix")
        (tmp_path / "v.npz").write_bytes(content)
        says("v.npz", "v.npz is not a matrix as scipy.sparse.save_npz(path, counts) writes it")
    np.savez(tmp_path / "v.npz", X=np.zeros((3, 2)))
    says("v.npz", "v.npz is not a matrix")
    with open(tmp_path / "v.npy", "wb") as renamed:
        np.savez(renamed, X=np.zeros((3, 2)))
    says("v.npy", "v.npy holds NpzFile")
    outside = {"indices": [9], "indptr": [0, 1, 1, 1], "data": [1.0], "shape": [3, 2], "format": b"csr"}
    np.savez(tmp_path / "v.npz", **outside)
    says("v.npz", "v.npz is not a matrix")
    np.savez(tmp_path / "v.npz", **{**outside, "data": np.array([{}], dtype=object)})
    says("v.npz", "v.npz is not a matrix")
    sparse.save_npz(tmp_path / "v.npz", sparse.csr_matrix([[0, 1.0], [0, 0], [np.inf, 0]]))
    says("v.npz", "row 3 of v.npz has inf in its vector; use finite numbers")
    assert refusal(InputError, vectors, "v") == "vectors without a table come from a .npy or .npz file, but v is neither"


# Writing


@pytest.fixture
def one():
    return table(pa.table({"id": ["1"]}))


def test_an_existing_file_stays(one, put):
    path = put("mine")
    for work in (lambda: write(one, path), lambda: check_free(path)):
        assert refusal(OutputError, work) == f"{path} exists already; name another file, or pass --force to replace it"
    assert path.read_text() == "mine"
    write(one, path, force=True)
    assert path.read_text() == "id\n1\n"
    assert os.listdir(path.parent) == ["tickets.csv"]


def test_places_that_no_file_can_have(one, tmp_path):
    no = tmp_path / "no" / "x.csv"
    assert refusal(OutputError, write, one, no) == f"there is no folder {no.parent} to write x.csv in; make it first"
    (tmp_path / "x.csv").mkdir()
    assert (
        refusal(OutputError, write, one, tmp_path / "x.csv", force=True)
        == f"{tmp_path / 'x.csv'} is a folder; name a file in it"
    )
    assert "has no suffix that says what it holds" in refusal(InputError, write, one, tmp_path / "x.xlsx")
    assert os.listdir(tmp_path) == ["x.csv"]


def test_places_out_of_reach(tmp_path, monkeypatch):
    assert "is a device or a pipe; name a file" in refusal(OutputError, check_place, Path(os.devnull), True)
    assert "File name too long" in refusal(OutputError, check_free, tmp_path / ("x" * 999 + ".csv"))
    monkeypatch.setattr("newfound.features.writing.os.access", lambda *asked: False)
    said = refusal(OutputError, check_free, tmp_path / "x.csv")
    assert said == f"{tmp_path / 'x.csv'} cannot be written: Permission denied; nothing was changed"


def test_a_folder_that_is_read_only(one, tmp_path, monkeypatch):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    if os.geteuid() == 0:  # nothing is locked for root

        def refuse(*args, **settings):
            raise PermissionError(errno.EACCES, "Permission denied")

        monkeypatch.setattr("newfound.features.writing.open", refuse, raising=False)
    assert refusal(OutputError, write, one, folder / "x.csv") == (
        f"{folder / 'x.csv'} cannot be written: Permission denied; nothing was changed"
    )
    assert os.listdir(folder) == []


@pytest.fixture
def small_disk():
    """A machine on which no file can pass 64 KiB."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_full_disk_leaves_what_was_there(tmp_path, small_disk, suffix):
    path = tmp_path / f"x{suffix}"
    path.write_text("mine")
    noise = np.random.default_rng(0).integers(0, 2**62, 50_000).astype(str)
    said = refusal(OutputError, write, table(pa.table({"id": noise})), path, force=True)
    assert said.startswith(f"{path} cannot be written: ")
    assert said.endswith("File too large; nothing was changed")
    assert path.read_text() == "mine"
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_stream(one):
    with open("/dev/full", "wb", buffering=0) as full:
        assert refusal(OutputError, write, one, full) == "the stream cannot be written: No space left on device"


def test_a_kill_leaves_nothing(one, tmp_path, monkeypatch):
    def interrupted(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr("newfound.features.writing.os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(one, tmp_path / "x.csv")
    assert os.listdir(tmp_path) == []


def test_a_reader_that_has_read_enough(one):
    class Closed(io.RawIOBase):
        def write(self, chunk):
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        write(one, Closed())


def test_standard_output(one, capsysbinary):
    write(one, "-")
    assert capsysbinary.readouterr().out == b"id\n1\n"


def test_cells_that_no_text_file_holds(tmp_path):
    found = table(pa.table({"x": ["a\0b"]}))
    said = refusal(OutputError, write, found, tmp_path / "x.csv")
    assert said == "the cell 'a\\x00b' holds a NUL character, which text files cannot; write parquet instead"
    assert os.listdir(tmp_path) == []
    for suffix in (".jsonl", ".parquet"):
        write(found, tmp_path / f"x{suffix}")
        assert held(read(tmp_path / f"x{suffix}")) == {"x": ["a\0b"]}
    for suffix in (".csv", ".jsonl"):
        said = refusal(OutputError, write, table(pa.table({"x": [b"\xff"]})), tmp_path / f"y{suffix}")
        assert said.startswith("the table holds bytes that are no text, or half of a character")
        half = table(pd.DataFrame({"x": ["\ud83d", 1]}, dtype=object))
        assert "half of a character" in refusal(OutputError, write, half, tmp_path / f"y{suffix}")


def test_the_file_has_the_usual_rights(one, tmp_path):
    write(one, tmp_path / "x.csv")
    (tmp_path / "y.csv").touch()
    assert (tmp_path / "x.csv").stat().st_mode == (tmp_path / "y.csv").stat().st_mode


def test_parquet_of_strangers(tmp_path):
    pq.write_table(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]), tmp_path / "x.parquet")
    assert refusal(InputError, read, tmp_path / "x.parquet") == "x.parquet has two columns of one name; rename one of them"
    folder = tmp_path / "year=2024"
    folder.mkdir()
    pq.write_table(pa.table({"a": ["x"]}), folder / "x.parquet")
    assert held(read(folder / "x.parquet")) == {"a": ["x"]}


def test_packages_of_the_app_are_needed_late(one, monkeypatch):
    code = "import sys; sys.modules['pyarrow'] = None; import newfound.features.writing, newfound.features.vectors"
    subprocess.run([sys.executable, "-c", code], check=True)
    monkeypatch.setitem(sys.modules, "narwhals", None)
    assert refusal(MissingExtra, table, one.frame.to_native()) == "this needs narwhals: pip install 'newfound[app]'"


def test_labels_that_differ_only_in_case_are_worth_a_warning():
    with pytest.warns(TwinWarning, match="^labels 'VPN' and 'vpn' of column 'y' differ only in case; they are two classes"):
        assert labels(table(pa.table({"y": ["VPN", "vpn", " vpn ", None]})), "y") == ["VPN", "vpn", "vpn", None]
