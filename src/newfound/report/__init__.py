"""One self-contained HTML page that says what a fit found: read it, check it against rows, pass it on."""

from newfound.report.given import ABSTAIN, PLAIN, SEED, About, Points
from newfound.report.of_run import of
from newfound.report.page import page

__all__ = ["ABSTAIN", "PLAIN", "SEED", "About", "Points", "of", "page"]
