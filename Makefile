# Two commands on a bare machine: `make demo`, `make test`. Everything else is listed by `make help`.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: help demo test lint types bench paper docs clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(READY)

demo: $(READY)  ## label a few hundred messages, print the classes found and write a report
	$(BIN)/newfound demo --force

test: $(READY)  ## run all tests, doctests and documented examples
	$(BIN)/python -m pytest -q -n auto

lint: $(READY)  ## check style and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(READY)  ## check types, strictly
	$(BIN)/mypy

bench: $(READY)  ## measure speed and memory against peers; writes docs/{speed,growth,features}.md
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/features.py
	$(BIN)/python benchmarks/page.py

paper: $(READY)  ## run what is missing of the paper's experiments; writes docs/paper
	$(BIN)/newfound paper all --out docs/paper

docs: $(READY)  ## write the pages that are made from records
	$(BIN)/python benchmarks/page.py
	$(BIN)/python -m newfound.cli.reference docs
	$(BIN)/python docs/transcribe.py
	$(BIN)/python docs/picture.py

clean:  ## remove what the other targets made
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
