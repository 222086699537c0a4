"""Runs: a fit of a table from its first line to the folder that holds all that came of it."""
