"""Take the picture of a report that the README shows: `make docs`. Needs Chromium; without one the old picture stays."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
NAMES = ("chromium", "chromium-browser", "google-chrome")
WIDTH, TOP, HEIGHT = 1208, 60, 1330


def main() -> None:
    """Fit the demo, open its report, and take the part with the map."""
    program = next((path for path in map(shutil.which, NAMES) if path), None)
    if program is None:
        print("no Chromium, no picture")
        return
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        subprocess.run([sys.executable, "-m", "newfound.cli", "demo", "-o", f"{folder}/demo"], check=True, capture_output=True)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 1000}, color_scheme="light")
        page.goto(f"file://{folder}/demo/report.html")
        page.wait_for_timeout(500)
        page.screenshot(path=HERE / "report.png", clip={"x": 0, "y": TOP, "width": WIDTH, "height": HEIGHT}, full_page=True)
        browser.close()


if __name__ == "__main__":
    main()
