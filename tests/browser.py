"""A real browser that opens pages from disk, tells of every fault and request, and asks axe what it thinks."""

import shutil
from contextlib import contextmanager

import pytest

ARGUMENTS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def chromium():
    """A running Chromium, or a skipped test that says which programs were looked for."""
    sync_api = pytest.importorskip("playwright.sync_api")
    program = next((path for path in map(shutil.which, NAMES) if path), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is on the path")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield browser
        browser.close()


@contextmanager
def opened(chromium, html, folder, width=1208, **context):
    """The page, open; at the end there must have been no fault, and no request but for the file itself."""
    path = folder / "report.html"
    path.write_text(html, encoding="utf-8")
    faults, requests = [], []
    place = chromium.new_context(viewport={"width": width, "height": 1000}, **context)
    page = place.new_page()
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: faults.append(dialog.message))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    page.set_default_timeout(5000)
    yield page
    place.close()
    assert faults == []
    assert [url for url in requests if url != path.as_uri() and not url.startswith("data:")] == []


def faults_of_access(page):
    """What axe calls serious or critical, and where."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    return [
        (fault["id"], [node["target"] for node in fault["nodes"]])
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]
