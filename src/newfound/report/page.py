"""The page: everything computed here and in the rooms beside, then handed to the templates."""

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from newfound.describe.account import Account, ClassAccount
from newfound.errors import DataError, need
from newfound.report import charts, embed, palette, words
from newfound.report.given import ABSTAIN, SEED, About, Points
from newfound.report.icicle import icicle
from newfound.report.strays import strays

Array = NDArray[Any]

UNCERTAIN = 0.5
"""A row is called uncertain below this probability."""

PER_PAGE = 200
"""Cards that are shown at a time."""


def page(account: Account, points: Points, about: About) -> str:
    r"""A page of HTML that needs nothing else: no network, no other file. Rows, names and labels appear as text only.

    >>> from newfound.describe.account import Account, ClassAccount, Count
    >>> one = ClassAccount("new-1", "<em>", True, 2, 0, 0, "", (), (), (), None, None)
    >>> account = Account(2, 0, 0, 0, Count(1, 1, 1, "told"), (one,), (), None, None, None)
    >>> html = page(account, Points([0, 1], [0, 1], which=[0, 0], probability=[1, 1], status=[0, 0]), About("x.csv"))
    >>> "<h1>2\xa0rows. 1\xa0class was found.</h1>" in html, "&lt;em&gt;" in html, "<em>" in html
    (True, True, False)
    """
    if len(points) and not 0 <= points.which.min() <= points.which.max() < len(account.classes):
        raise DataError(f"points.which holds positions in the {len(account.classes)} classes of the account, from 0")
    middles = palette.centres(points, len(account.classes))
    hues, order = palette.hues(palette.touching(points, middles), account.classes), palette.likeness(middles)
    parts = {
        "account": account,
        "about": about,
        "headline": words.headline(account, about.noun),
        "seen": _seen(points),
        "charts": _charts(account, points, hues, order),
        "data": _markup(embed.safe(_map(account, points, middles, hues))),
        "per_page": PER_PAGE,
    }
    return str(_templates().get_template("page.html").render(parts | _classes(account, hues, order) | _inline())).lstrip()


class Look(NamedTuple):
    """A class on the page: its number, its account, its colour, its place in the order of likeness."""

    number: int
    one: ClassAccount
    hue: int
    order: int

    @property
    def grown(self) -> int:
        """Its rows that the user did not label."""
        return self.one.size - self.one.seeds

    @property
    def colour(self) -> str:
        """The colour, as the style sheet calls it."""
        return f"var(--h{self.hue})" if self.one.new else "var(--given)"

    @property
    def href(self) -> str:
        """Where its card is."""
        return f"#c{self.number}"


def _classes(account: Account, hues: Array, order: Array) -> dict[str, object]:
    """The classes as the page shows them, the largest first, and by what they are looked up."""
    at = np.argsort(order)
    looks = [Look(j, c, int(hues[j]), int(at[j])) for j, c in enumerate(account.classes)]
    looks.sort(key=lambda look: -look.one.size)
    return {
        "looks": looks,
        "found": [look for look in looks if look.one.new],
        "given": [look for look in looks if not look.one.new],
        "by_id": {look.one.id: look for look in looks},
        "names": {c.id: c.name for c in account.classes},
        "by_number": {look.number: look for look in looks},
        "total": max(sum(c.size for c in account.classes), 1),
    }


def _map(account: Account, points: Points, middles: Array, hues: Array) -> dict[str, object]:
    """What the map's script reads."""
    grid = embed.Grid(points.x, points.y)
    number = {c.id: j for j, c in enumerate(account.classes)}
    places = grid.of(middles).tolist()
    classes = [_on_map(c, hue, place, number) for c, hue, place in zip(account.classes, hues.tolist(), places, strict=True)]
    return {"extent": grid.extent, "classes": classes, "rows": embed.rows(points, grid)}


def _on_map(c: ClassAccount, hue: int, place: list[int], number: dict[str, int]) -> dict[str, object]:
    """A class: its label, colour and place, and what is said of it when it is isolated."""
    return {
        "name": words.cut(c.name, words.NAME),
        "given": not c.new,
        "size": c.size,
        "hue": hue,
        "near": number.get(c.nearest.id) if c.nearest else None,
        "x": place[0],
        "y": place[1],
        "terms": [words.cut(term.text, words.NAME) for term in c.terms[:4]],
    }


class Seen(NamedTuple):
    """What the rows on the map say of all rows."""

    n: int
    uncertain: float
    texts: bool
    seeds: bool
    abstained: bool
    aspect: float
    reading: str


def _seen(points: Points) -> Seen:
    """Counts over the map; it is drawn no taller than wide."""
    wide, tall = (float(np.ptp(side)) if len(points) else 0.0 for side in (points.x, points.y))
    return Seen(
        len(points),
        float((points.probability < UNCERTAIN).mean()) if len(points) else 0.0,
        any(points.text or ()),
        bool((points.status == SEED).any()),
        bool((points.status == ABSTAIN).any()),
        float(np.clip(wide / tall, 1.0, 1.7)) if wide and tall else 1.14,
        points.reading,
    )


def _charts(account: Account, points: Points, hues: Array, order: Array) -> dict[str, object]:
    """The geometry of every chart; None where there is nothing to draw."""
    history = account.history
    return {
        "interval": charts.interval(account.count),
        "strip": charts.strip(account, hues.tolist()),
        "seeds": charts.WIDTH * account.seeds / max(sum(c.size for c in account.classes), 1),
        "dots": charts.dots(account.self_test.classes) if account.self_test and account.self_test.classes else None,
        "histogram": charts.histogram(points.probability) if len(points) else None,
        "sparks": charts.sparks(account),
        "curve": charts.curve(history, account.count),
        "strays": strays(account.confusion),
        "icicle": icicle(account, order.tolist()),
    }


@cache
def _templates() -> Any:
    """The templates, with the words that they use. Whatever they write is made printable, then escaped."""
    jinja2 = need("jinja2", "app")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("newfound.report"), autoescape=True, undefined=jinja2.StrictUndefined,
        finalize=_printable, lstrip_blocks=True,
    )  # fmt: skip
    names = ("cut", "number", "percent", "point", "singular", "count")
    environment.filters |= {name: getattr(words, name) for name in names}
    return environment


def _printable(value: Any) -> Any:
    """Text of strangers without what no page can hold; what is known to be safe, and figures, as they are."""
    return words.printable(value) if type(value) is str else value


@cache
def _inline() -> dict[str, object]:
    """The style sheet and the script, and their digests: the policy of the page allows these and no others."""
    folder = files("newfound.report") / "templates"
    texts = {name: (folder / f"page.{name}").read_text(encoding="utf-8") for name in ("css", "js")}
    digests = {f"{name}_digest": _digest(text) for name, text in texts.items()}
    return {name: _markup(text) for name, text in texts.items()} | digests


def _digest(text: str) -> str:
    """What a content security policy calls a text by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _markup(text: str) -> Any:
    """Text that may stand in a page as it is."""
    return need("jinja2.utils", "app").markupsafe.Markup(text)
