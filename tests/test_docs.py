"""What the documents say is what the code does; their examples are run as doctests."""

import json
import runpy
from pathlib import Path

import newfound as nf

ROOT = Path(__file__).parents[1]


def test_pages_are_written_from_their_records():
    pages = runpy.run_path(str(ROOT / "benchmarks" / "page.py"))["PAGES"]
    for name, page in pages.items():
        record = json.loads((ROOT / "benchmarks" / f"{name}.json").read_text())
        assert (ROOT / "docs" / f"{name}.md").read_text() == page(record)


def test_every_public_name_is_in_the_guide():
    guide = (ROOT / "docs" / "guide.md").read_text()
    for name in set(nf.__all__) - {"__version__"}:
        assert name in guide, f"{name} is public but the guide does not mention it"


def test_every_decision_is_listed():
    listed = (ROOT / "docs" / "decisions" / "README.md").read_text()
    for page in (ROOT / "docs" / "decisions").glob("*.md"):
        assert page.name == "README.md" or page.name in listed
