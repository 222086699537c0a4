"""The report: what it says, that it says it of any account, and what it does in a real browser."""

import itertools
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts import LEVELS, account, points
from browser import chromium, faults_of_access, opened  # noqa: F401
from newfound.describe.account import Confusion, Count
from newfound.errors import DataError
from newfound.report import About, Points, charts, embed, icicle, page, palette, strays, words

ABOUT = About(
    "tickets.csv",
    "18 November 2026",
    noun="messages",
    settings=(("Learner", "Newfound()"),),
    version="0.1.0",
    digest="sha256 5f1c",
    labels="labels.parquet",
    command="newfound review run/",
)

HOSTILE = (
    "<script>window.ran = 1</script></script><!-- <img src=x onerror='window.ran=2'> {} {} "
    '{{{{ 7 * 7 }}}} \u202eright to left\u2066 \U0001f469\u200d\U0001f680 \u2028 \x00 \ud800 & "quoted" \' ]]>'
)


def written(told, on_map=None, about=ABOUT):
    return page(told, points(told) if on_map is None else on_map, about)


def words_of(html):
    """What is left of a page without tags, styles and scripts, on one line."""
    return " ".join(re.sub("<[^>]*>", " ", re.sub("(?s)<(style|script|title).*?</\\1>", " ", html)).split())


# ---- What it says --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seeded", "new", "said"),
    [
        (3, 4, "You named 3 classes; 4 more were found."),
        (1, 1, "You named 1 class; 1 more was found."),
        (2, 0, "You named 2 classes; no other was found."),
        (0, 5, "5 classes were found."),
        (0, 1, "1 class was found."),
    ],
)
def test_headline(seeded, new, said):
    assert said in words_of(written(account(seeded, new)))


def test_it_counts_in_good_english():
    told = account(1, 1, empty=1, abstained=1, rows=1)
    said = words_of(written(told, about=replace(ABOUT, noun="queries")))
    assert "1 query. You named 1 class" in said
    assert "1 query fits no class well and is marked as such. 1 query has nothing in it to go by." in said
    assert not re.search(r"(?<!-)\b1 (rows|classes|queries|seeds|clusters|labels)\b", said)


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (Count(7, 5, 9, "seeds"), "7 classes, 5 to 9 likely"),
        (Count(7, 7, 7, "told"), "7 classes, as you said"),
        (Count(8, 5, 9, "stability"), "8 classes were chosen; 7 are left after settling."),
    ],
)
def test_number_of_classes(count, said):
    assert said in words_of(written(account(count=count)))


PARTS = {
    "history": ("From 40 clusters", "Where to stop"),
    "confusion": ("Your labels, put to the test",),
    "self_test": ("3 of 3 hidden classes came back",),
    "uncertain": ("that would teach the most",),
}


@pytest.mark.parametrize(
    "missing", [(), *[(part,) for part in PARTS], tuple(PARTS)], ids=lambda parts: "+".join(parts) or "none"
)
def test_what_is_missing_is_left_out(missing):
    said = words_of(written(account(**{part: () if part == "uncertain" else None for part in missing})))
    for part, parts in PARTS.items():
        for words_there in parts:
            assert (words_there in said) is (part not in missing)
    assert ("How it went" in said) is not ({"history", "confusion"} <= set(missing))


def test_classes_of_which_nothing_is_known():
    bare = account(2, 3)
    plain = [replace(c, terms=(), typical=(), borderline=(), nearest=None, origin=None, why="") for c in bare.classes]
    said = words_of(written(replace(bare, classes=tuple(plain), history=None), points(bare, text=None)))
    assert "Terms" not in said
    assert "Typical" not in said
    assert "Messages that are alike lie together." in said


def test_rows_without_text_go_by_their_number():
    said = words_of(written(account(text=""), points(account(), text=None)))
    assert "row 9 " in said
    assert "beginnings" not in said


def test_no_row_on_the_map():
    html = written(account(), Points([], [], [], [], []))
    assert "canvas id" not in html
    assert "uncertain</dt>" not in html


def test_no_class_at_all():
    nothing = account(0, 1)
    html = written(replace(nothing, classes=(), rows=0, uncertain=(), history=None), Points([], [], [], [], []))
    assert "No class was found." in words_of(html)


def test_a_self_test_of_nothing_is_none():
    told = account()
    assert "No self-test" in words_of(written(replace(told, self_test=replace(told.self_test, classes=()))))


def test_the_page_says_how_to_read_its_map():
    told = account()
    assert "Every class is a disc." in words_of(written(told, replace(points(told), reading="Every class is a disc.")))


def test_many_classes_show_the_pairs_most_confused():
    told = account(30, 5)
    said = words_of(written(told))
    assert "Between these pairs most went astray." in said
    shown = strays.strays(told.confusion)
    assert shown is not None
    assert len(shown.pairs) == strays.PAIRS
    assert shown.back + shown.new < shown.of


def test_pairs_stand_with_the_larger_direction_first():
    n = strays.ONE_BY_ONE + 1
    counts = np.eye(n, n + 1, dtype=int) * 5
    counts[2, 7], counts[7, 2] = 1, 4
    told = strays.strays(Confusion(tuple(map(str, range(n))), tuple(map(tuple, counts.tolist()))))
    assert told is not None
    assert told.pairs == [strays.Pair("7", "2", 4, 9, 1, 6)]


def test_points_that_do_not_fit_are_refused():
    with pytest.raises(DataError, match="lengths"):
        Points([0, 1], [0], [0], [1], [0])
    with pytest.raises(DataError, match="finite"):
        Points([np.nan], [0], [0], [1], [0])
    with pytest.raises(DataError, match="positions"):
        written(account(1, 1), Points([0], [0], [2], [1], [0]))


# ---- Laws of its parts ---------------------------------------------------------------------------


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_in_a_page_is_read_back_and_ends_nothing(value):
    said = embed.safe(value)
    assert json.loads(said) == value
    assert not set("<>&\u2028\u2029") & set(said)


@given(st.text(st.characters(), max_size=2000), st.integers(2, 400))
def test_what_is_cut_can_be_written(text, longest):
    said = words.cut(text, longest)
    assert len(said) <= longest
    said.encode("utf-8")
    assert "\n" not in said


def test_hues_differ_where_classes_touch():
    x, y = (side.ravel() for side in np.meshgrid(np.arange(6.0), np.arange(6.0)))
    which = np.arange(36)
    beside = np.repeat(np.column_stack([x, y]), 30, axis=0) + np.random.default_rng(0).normal(0, 0.3, (1080, 2))
    tiled = Points(beside[:, 0], beside[:, 1], np.repeat(which, 30), np.ones(1080), np.zeros(1080))
    touch = palette.touching(tiled, palette.centres(tiled, 36))
    hues = palette.hues(touch, account(0, 36).classes).reshape(6, 6)
    assert (hues[1:] != hues[:-1]).all()
    assert (hues[:, 1:] != hues[:, :-1]).all()


@pytest.mark.parametrize("n", [1, 2, 7, 30, 31, 80, 300])
def test_dots_stay_in_their_box(n):
    chart = charts.dots(account(n, 1).self_test.classes if n > 1 else account(2, 1).self_test.classes[:1])
    assert all(dot.x - chart.radius > 0 and dot.x + chart.radius < 240 for dot in chart.dots)
    assert all(dot.y - chart.radius > -1 and dot.y + chart.radius < 46 for dot in chart.dots)
    assert len({(dot.x, dot.y) for dot in chart.dots}) == n


@pytest.mark.parametrize("new", [0, 1, 5, 400])
def test_the_strip_is_as_long_as_the_rows_are_many(new):
    told = account(2, new)
    strip = charts.strip(told, [-1, -1] + [0] * new)
    assert strip[0].left == 0
    assert strip[-1].right == pytest.approx(240, abs=1)
    assert all(a.right <= b.left + 0.1 for a, b in itertools.pairwise(strip))


def test_the_icicle_keeps_between_its_sides_and_says_what_it_leaves_out():
    told = account(100, 100)
    told = replace(told, history=replace(told.history, levels=tuple(25 * n for n in LEVELS)))
    drawn = icicle.icicle(told, range(200))
    assert drawn is not None
    assert drawn.left_out == 200 - icicle.COLUMNS
    numbers = [float(at) for column in drawn.columns for at in re.findall(r"M([\d.]+)", column.path)]
    assert min(numbers) >= icicle.LEFT
    assert max(numbers) <= icicle.RIGHT


# ---- In a browser --------------------------------------------------------------------------------


def at(sheet, on_map, i):
    """Where a row is drawn, from the corner of the canvas."""
    box = sheet.locator("#map").bounding_box()
    grid = embed.Grid(on_map.x, on_map.y)
    wide, tall = grid.extent
    scale = min((box["width"] - 28) / wide, (box["height"] - 28) / tall)
    across, down = grid.of(np.array([on_map.x[i], on_map.y[i]]))
    return {"x": (box["width"] - scale * wide) / 2 + scale * across, "y": (box["height"] - scale * tall) / 2 + scale * down}


def test_hover_isolate_and_escape(chromium, tmp_path):  # noqa: F811
    told = account()
    on_map = points(told)
    with opened(chromium, written(told, on_map), tmp_path) as sheet:
        for i in (0, 1):
            sheet.locator("#map").hover(position=at(sheet, on_map, i))
            assert f"row {i} of class {i}" in sheet.locator("#tip").inner_text()
        sheet.locator("#map").click(position=at(sheet, on_map, 1))
        assert sheet.locator(".index [aria-pressed=true]").get_attribute("data-c") == "1"
        assert "name of given 1" in sheet.locator("#peek").inner_text()
        sheet.locator("#map").hover(position=at(sheet, on_map, 0))
        assert sheet.locator("#tip").is_hidden()  # its class is not the isolated one
        sheet.keyboard.press("Escape")
        assert sheet.locator(".index [aria-pressed=true]").count() == 0
        assert sheet.locator("#peek").is_hidden()


def test_the_index_is_the_keyboards_map(chromium, tmp_path):  # noqa: F811
    with opened(chromium, written(account()), tmp_path) as sheet:
        sheet.locator("#find").fill("new-2")
        assert sheet.locator(".index li:visible").all_inner_texts() == ["name of new-2\n88"]
        sheet.keyboard.press("Tab")
        sheet.keyboard.press("Enter")
        assert sheet.locator("#peek b").inner_text() == "name of new-2"
        assert sheet.locator(".ice .on").count() >= 1
        sheet.locator("#find").fill("nothing like it")
        assert sheet.locator("#none").is_visible()
        sheet.locator("[value=sure]").focus()
        sheet.keyboard.press("Space")
        assert sheet.locator("[value=sure]").is_checked()


def test_cards_are_shown_sorted_and_paged(chromium, tmp_path):  # noqa: F811
    with opened(chromium, written(account(30, 190), points(account(30, 190), 2000)), tmp_path) as sheet:
        shown = sheet.locator(".card:visible")
        assert shown.count() == 200
        sheet.locator("#more").click()
        assert shown.count() == 220
        sheet.locator("#show").select_option("given")
        assert shown.count() == 30
        sheet.locator("#sort").select_option("size")
        sizes = [int(n) for n in shown.evaluate_all("cards => cards.map(c => c.dataset.size)")]
        assert sizes == sorted(sizes, reverse=True)
        sheet.locator("#show").select_option("all")
        sheet.locator("#sort").select_option("stab")
        stable = [float(n) for n in shown.evaluate_all("cards => cards.map(c => c.dataset.stab)")]
        assert stable == sorted(stable)
        last = sheet.locator(".card:not(:visible)").last.get_attribute("id")
        sheet.evaluate(f"location.hash = '{last}'")
        sheet.locator(f"#{last}").wait_for(state="visible")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1208, 390])
def test_axe_finds_nothing_serious(chromium, tmp_path, scheme, width):  # noqa: F811
    with opened(chromium, written(account()), tmp_path, width, color_scheme=scheme) as sheet:
        sheet.locator(".index button").first.click()
        assert faults_of_access(sheet) == []
        assert sheet.evaluate("document.documentElement.scrollWidth") == width


def test_hostile_texts_are_text(chromium, tmp_path):  # noqa: F811
    told = account(text=HOSTILE)
    about = replace(ABOUT, title=HOSTILE, settings=((HOSTILE, HOSTILE),), digest=HOSTILE, command=HOSTILE, labels=HOSTILE)
    on_map = points(told, text=HOSTILE)
    with opened(chromium, written(told, on_map, about), tmp_path) as sheet:
        sheet.locator("#map").hover(position=at(sheet, on_map, 1))
        assert sheet.locator("#tip bdi").first.inner_text().startswith("<script>window.ran = 1</script></script><!-- <img")
        sheet.locator(".index button").first.click()
        assert "{{ 7 * 7 }}" in sheet.locator(".card .rows bdi").first.inner_text()
        assert sheet.evaluate("[window.ran, document.scripts.length, document.images.length]") == [None, 2, 0]


def test_the_policy_lets_nothing_else_run(chromium, tmp_path):  # noqa: F811
    html = written(account()).replace("</main>", "<script>window.ran = 1</script><style>h1 { color: red }</style></main>")
    (tmp_path / "report.html").write_text(html, encoding="utf-8")
    sheet = chromium.new_page()
    sheet.goto((tmp_path / "report.html").as_uri())
    assert sheet.evaluate("[window.ran, getComputedStyle(document.querySelector('h1')).color == 'rgb(255, 0, 0)']") == [
        None,
        False,
    ]
    sheet.close()


def test_long_lines_are_cut(chromium, tmp_path):  # noqa: F811
    told = account(text="{} {} " + "x" * 1_000_000)
    html = written(told, points(told, 40, text="{} {} " + "y" * 1_000_000))
    assert len(html) < 300_000
    with opened(chromium, html, tmp_path, 390) as sheet:
        assert sheet.evaluate("document.documentElement.scrollWidth") == 390


def test_a_hundred_thousand_rows(chromium, tmp_path):  # noqa: F811
    told = account(20, 40)
    on_map = points(told, 100_000)
    html = written(told, on_map)
    assert len(html) < 12_000_000
    with opened(chromium, html, tmp_path) as sheet:
        sheet.locator("#map").hover(position=at(sheet, on_map, 1))
        assert "row 1 of class 1" in sheet.locator("#tip").inner_text()
        sheet.locator(".index button").nth(5).hover()
        sheet.locator("[value=sure]").check()


def test_it_prints(chromium, tmp_path):  # noqa: F811
    with opened(chromium, written(account()), tmp_path, color_scheme="dark") as sheet:
        assert sheet.pdf().startswith(b"%PDF")
        sheet.emulate_media(media="print")
        assert sheet.locator(".index").is_hidden()
        assert sheet.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize(
    "told", [account(0, 3), account(1, 0), account(4, 0), account(0, 1)], ids=["no seeds", "one", "none new", "one new"]
)
def test_small_and_lopsided_pages_work(chromium, tmp_path, told):  # noqa: F811
    with opened(chromium, written(replace(told, confusion=None), points(told, 12, None)), tmp_path) as sheet:
        sheet.locator(".index button").first.click()
        assert sheet.locator("#peek").is_visible()


def test_a_page_without_a_map_works(chromium, tmp_path):  # noqa: F811
    with opened(chromium, written(account(), Points([], [], [], [], [])), tmp_path) as sheet:
        sheet.locator("#show").select_option("found")
        assert sheet.locator(".card:visible").count() == 4
