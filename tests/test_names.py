"""Terms and names: shares against a slow twin, laws, hostile texts, and names that somebody else gives."""

import json
import re
import unicodedata
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newfound.describe.account import Term
from newfound.describe.choice import share_a_word
from newfound.describe.names import LENGTH, Evidence, clean, name
from newfound.describe.names import given as names_of
from newfound.describe.phrases import count
from newfound.describe.terms import BUDGET, FEWEST, ROWS, Lexicon, evenly
from newfound.describe.words import ARTICLES, FUNCTION, PARTICLES, cleaned, pieces
from newfound.errors import NamingWarning
from newfound.experiments import naming

DOCS = Path(__file__).parents[1] / "docs"

LOST = ["My card is lost", "I lost the card", "lost my bank card", "Lost: a card, in town", "the card I lost"]
FEE = ["Why was I charged a fee?", "charged the fee twice", "a fee was charged", "They charged a fee", "fee charged in town"]
TOP = ["Top up failed", "my top-up failed", "why did the top up fail", "top up by card", "cannot top up"]
TEXTS, LABEL = LOST + FEE + TOP, np.repeat([0, 1, 2], 5)


def rounded(terms):
    return [(term.text, round(term.here, 9), round(term.elsewhere, 9)) for term in terms]


@pytest.fixture(scope="module")
def lexicon():
    return Lexicon.read(TEXTS, LABEL, 3)


def words_of(text):
    """The words of a short text without markup, articles left out; a break where punctuation stands."""
    found = re.findall(r"[a-z']+|[^\w\s'-]", text.lower())
    return [word for word in found if word not in ARTICLES]


def slow_share(texts, phrase):
    wanted = [word for word in phrase.split() if word not in ARTICLES]
    n = len(wanted)
    return np.mean([any(words[i : i + n] == wanted for i in range(len(words))) for words in map(words_of, texts)])


def test_shares_are_those_of_a_slow_twin(lexicon):
    for j in range(3):
        mine, others = ([text for text, c in zip(TEXTS, LABEL, strict=True) if (c == j) == own] for own in (True, False))
        assert lexicon.terms(j)
        for term in lexicon.terms(j):
            assert term.here == pytest.approx(slow_share(mine, term.text))
            assert term.elsewhere == pytest.approx(slow_share(others, term.text))


def test_a_contrast_has_the_shares_of_both_classes(lexicon):
    for term in lexicon.contrast(0, 1):
        assert (term.here, term.elsewhere) == pytest.approx((slow_share(LOST, term.text), slow_share(FEE, term.text)))
        assert term.here > term.elsewhere
    assert {term.text for term in lexicon.contrast(0, 1)}.isdisjoint(term.text for term in lexicon.contrast(1, 0))


def test_a_phrase_stands_for_its_parts(lexicon):
    texts = [term.text for term in lexicon.terms(2)]
    assert texts[0] == "top up"
    assert "top" not in texts
    assert "charged a fee" in [term.text for term in lexicon.terms(1)]


def test_classes_that_are_not_read_whole_count_by_their_size():
    texts = ["lost card"] * 900 + ["big fee"] * 900 + ["lost fee"] * 100
    lexicon = Lexicon.read(texts, np.repeat([0, 1, 2], [900, 900, 100]), 3)
    assert lexicon.seen.tolist() == [ROWS, ROWS, 100]
    elsewhere = {term.text: term.elsewhere for term in lexicon.terms(0)}
    assert elsewhere["lost card"] == 0
    assert {t.text: t.elsewhere for t in lexicon.contrast(1, 2, 9)}["big fee"] == 0
    assert lexicon.candidates(2, 9)[0].term.elsewhere == pytest.approx(0.0)


@pytest.mark.parametrize("seed", range(5))
def test_neither_the_order_of_rows_nor_of_classes_changes_terms(lexicon, seed):
    rng = np.random.default_rng(seed)
    rows, classes = rng.permutation(len(TEXTS)), rng.permutation(3)
    mixed = Lexicon.read([TEXTS[i] for i in rows], classes[LABEL[rows]], 3)
    for j in range(3):
        assert rounded(mixed.terms(int(classes[j]))) == rounded(lexicon.terms(j))


WORDS = ["card", "fee", "the", "a", "lost", "of", "my", "top", "up", "in", "to", "money", "charged"]

words = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


@given(st.lists(st.tuples(words, st.integers(-1, 3)), min_size=1, max_size=30))
def test_terms_are_proper_phrases_of_the_class_and_none_repeats_another(rows):
    texts, label = [text for text, _ in rows], np.array([j for _, j in rows])
    lexicon = Lexicon.read(texts, label, 4)
    for j in range(4):
        terms = lexicon.terms(j)
        for term in terms:
            first, *_, last = [*term.text.split(), term.text.split()[-1]]
            assert first not in FUNCTION
            assert last not in FUNCTION - PARTICLES
            mine, others = ([text for text, c in rows if c >= 0 and (c == j) == own] for own in (True, False))
            assert term.here == pytest.approx(slow_share(mine, term.text))
            assert term.elsewhere == pytest.approx(slow_share(others, term.text) if others else 0)
        assert not any(f" {a.text} " in f" {b.text} " for a in terms for b in terms if a is not b)


@settings(max_examples=50)
@given(st.lists(st.text(max_size=80), min_size=1, max_size=12))
def test_whatever_a_text_holds_a_term_is_of_letters(texts):
    lexicon = Lexicon.read(texts * 2, np.tile(np.arange(len(texts)) % 2, 2), 2)
    for term in (*lexicon.terms(0), *lexicon.terms(1)):
        assert not set(term.text) & set("<>\n\t\x00\u202e\u200b")
        assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs") for c in term.text)
        assert any(c.isalpha() for c in term.text)


HOSTILE = {
    "empty": "",
    "blank": " \n\t ",
    "no word": "?!? 12 34.5 %%%",
    "emoji": "\U0001f600\U0001f680 \U0001f468\u200d\U0001f469",
    "script": "<script>alert(document.cookie)</script>",
    "open script": "<script>alert(1)",
    "hidden script": "&lt;script&gt;alert(1)&lt;/script&gt;",
    "right to left": "\u202e\u2066\u200f",
    "control": "\x00\x1b[31m\x07",
    "long line": "x" * 1_000_000,
    "long at": "@" * 3000 + "a.b" * 900,
    "brackets": "<a" * 3000,
    "encoded": "M9&5R92!I<R!T:&4@9FEL92!Y;W4@87-K960@9F]R#0H*5&AE(&)O9'D@:7,@:&5R92X",
    "address": "https://evil.example/x?y=z someone@mail.example www.some-host.example news.some-host.org",
    "surrogate": "\ud800\udfff",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_have_no_terms_and_hide_none(text):
    assert Lexicon.read([text] * 4, np.array([0, 0, 1, 1]), 2).terms(0) == ()
    beside = Lexicon.read([text, text, *LOST, *FEE], np.repeat([0, 1], [7, 5]), 2)
    assert beside.terms(0)[0].text in ("lost", "card", "lost card")


def test_texts_of_other_scripts():
    rows = {"密码重置不了": "密码", "我的密码忘了": "密码", "什么时候退款": "退款", "退款还没到": "退款"}
    lexicon = Lexicon.read(list(rows), np.array([0, 0, 1, 1]), 2)
    assert [lexicon.terms(j)[0].text for j in (0, 1)] == ["密码", "退款"]
    assert pieces(cleaned("हिन्दी भाषा, привет\u200b мир")) == ["हिन्दी", "भाषा", ",", "привет", "мир"]
    assert pieces(cleaned("\uff23\uff41\uff52\uff44 ca\u0301rd")) == ["card", "cárd"]


def test_another_language_needs_no_list():
    rng = np.random.default_rng(0)
    topics = [
        ["karte", "verloren"],
        ["passwort", "vergessen"],
        ["rechnung", "fehlt"],
        ["paket", "kaputt"],
        ["konto", "gesperrt"],
    ]
    usual = ["ich", "habe", "die", "und", "der", "ist", "nicht", "das", "mit", "meine"]
    label = np.repeat(np.arange(5), 40)
    texts = [" ".join(rng.permutation([*rng.choice(usual, 5, replace=False), *topics[j]])) for j in label]
    lexicon = Lexicon.read(texts, label, 5)
    for j, topic in enumerate(topics):
        best = [term.text for term in lexicon.terms(j, 2)]
        assert {word for text in best for word in text.split()} == set(topic)


def test_headers_and_signatures_are_not_what_a_class_is_about():
    def mail(body, who):
        return f"From: {who}\nSubject: question\n\n{body}\n--\n{who}, University of Nowhere"

    about = {0: "my bike has a flat tyre", 1: "the goalie saved the game"}
    texts = [
        mail(f"{about[j]} on day {i}", ("Jo Smith", "Al Jones")[j] if i < 4 else f"Person{i}")
        for j in (0, 1)
        for i in range(12)
    ]
    terms = {term.text for j in (0, 1) for term in Lexicon.read(texts, np.repeat([0, 1], 12), 2).terms(j)}
    assert not {text for text in terms if re.search("smith|jones|university|nowhere|subject|question|from", text)}
    assert {"goalie", "bike"} <= {word for text in terms for word in text.split()}


def test_what_is_read_is_bounded():
    label = np.repeat(np.arange(100), 400)
    assert len(evenly(label, 100, lambda row: 10)) == 100 * ROWS
    some = evenly(label, 100, lambda row: 10**6)
    assert FEWEST * 100 <= len(some) <= BUDGET / 2000 + 100
    assert np.array_equal(np.bincount(label[some]), np.full(100, len(some) // 100))
    assert len(evenly(np.full(5, -1), 3, len)) == 0


def test_classes_without_rows_and_rows_without_a_class():
    lexicon = Lexicon.read([*TEXTS, "lost lost", "fee"], np.r_[LABEL, -1, -1], 5)
    assert lexicon.terms(4) == ()
    assert lexicon.contrast(4, 0) == ()
    assert lexicon.contrast(0, 4)
    assert lexicon.terms(0) == Lexicon.read(TEXTS, LABEL, 3).terms(0)
    assert Lexicon.read([], np.empty(0, int), 2).terms(0) == ()
    assert Lexicon.read(["one lost card"], np.array([0]), 1).terms(0)


def test_a_phrase_is_written_as_it_mostly_is():
    phrases = count(["open an account", "open an account", "open the account", "open account"])
    assert "open an account" in phrases.texts
    assert phrases.holds[:, phrases.texts.index("open an account")].sum() == 4


def evidence(number, *texts):
    return Evidence(f"new-{number}", tuple(Term(text, 0.5, 0.0) for text in texts))


def test_names_are_short_and_differ_from_each_other_and_from_labels():
    classes = [evidence(i, "lost card", "stolen") for i in range(1, 9)] + [evidence(9), evidence(10, "refund")]
    found = names_of(classes, labels=["Refunds", "stolen_lost cards"])
    assert len({re.sub(r"\W", "", text.casefold()) for text in found}) == len(found)
    assert found[0] == "lost card"
    assert found[-2:] == ["new-9", "refund (new-10)"]
    assert names_of(classes, ["Refunds", "stolen_lost cards"]) == found


def test_the_second_term_adds_to_the_first():
    assert name(evidence(1, "apple pay", "apple watch", "american express")) == "apple pay, american express"
    assert name(Evidence("new-1", (Term("change my pin", 0.8, 0), Term("cash machines", 0.1, 0)))) == "change my pin"
    assert share_a_word(("lost", "card"), ("cards",))


def test_a_namer_sees_what_there_is_and_its_answer_is_cleaned():
    seen = []

    def namer(one):
        seen.append(one)
        return f' "Lost\n\tthings\u202e\x1b{"!" * (len(seen) > 1)}" '

    classes = [evidence(1, "lost card")._replace(nearest="new-2", typical=("My card is lost",)), evidence(2, "fee")]
    assert names_of(classes, ["refund"], namer) == ["Lost things", "Lost things! (new-2)"]
    assert seen[0].nearest == "fee"
    assert seen[0].typical == ("My card is lost",)
    assert set(seen[1].taken) == {"refund", "Lost things"}
    assert len(clean("many words " * 100)) <= LENGTH


def broken(one):
    raise ConnectionError("no\nnetwork")


@pytest.mark.parametrize("namer", [broken, lambda one: "", lambda one: " \n\u200b", lambda one: None, lambda one: 7])
def test_a_namer_that_fails_costs_a_warning_and_no_name(namer):
    with pytest.warns(NamingWarning, match="for class new-1; it is named 'lost card' by its terms"):
        assert names_of([evidence(1, "lost card")], (), namer) == ["lost card"]


@given(st.lists(st.text(max_size=90), min_size=1, max_size=6), st.lists(st.text(max_size=10), max_size=3))
def test_whatever_a_namer_says_names_are_lines_of_their_own(answers, labels):
    answer = iter(answers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NamingWarning)
        found = names_of([evidence(i) for i in range(len(answers))], labels, lambda one: next(answer))
    assert len(set(found) | set(labels)) == len(found) + len(set(labels))
    for text in found:
        assert text.strip()
        assert not any(unicodedata.category(c).startswith("C") for c in text)
        assert len(text) <= LENGTH + 20


def test_the_page_on_names_is_written_from_its_record():
    records = json.loads((DOCS / "quality" / "names.json").read_text(encoding="utf-8"))
    assert (DOCS / "names.md").read_text(encoding="utf-8") == naming.page(records)


def test_an_id_is_the_name_of_no_other_class():
    classes = [Evidence("new-1", (Term("a", 1, 0),)), Evidence("new-2", (Term("b", 1, 0),))]
    assert names_of(classes, namer=lambda one: "new-2") == ["new-2 (new-1)", "new-2"]
