"""Runs: a fit of a table from its first line to the folder that holds all that came of it."""

from newfound.runs.evaluating import Scores, evaluate
from newfound.runs.making import make
from newfound.runs.run import Columns, Run, Settings
from newfound.runs.storing import load, save

__all__ = ["Columns", "Run", "Scores", "Settings", "evaluate", "load", "make", "save"]
