# Two commands do everything: `make run` (the app) and `make test`. Both need Python 3.11+, make and the package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Tests that `make test` leaves out and `make test-all` runs, too: of the measuring commands, which nothing imports; over the
# servers that a group's library may lie on, which each process starts; and in a browser, which needs Chromium and takes as
# long as all others together.
APART := tests/research tests/servers tests/browser

.PHONY: run test test-all lint format bench evaluate screenshots clean

run: $(VENV)/.app
	$(BIN)/priorscope samples --import-only || $(BIN)/priorscope import assets/examples
	PRIORSCOPE_READ_AT_START=1 MALLOC_ARENA_MAX=1 $(BIN)/streamlit run streamlit_app.py

# Each process compiles our modules again where bytecode may not be kept.
test test-all: export PYTHONDONTWRITEBYTECODE =
# The processes fill the cores: a second thread in each would only wait for the others.
test test-all: export OMP_NUM_THREADS = 1
test test-all: export OPENBLAS_NUM_THREADS = 1
test: $(VENV)/.test
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile $(APART:%=--ignore=%)

test-all: test
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile $(APART)

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tests.house.budgets

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.app
	$(BIN)/python -m engine.research bench search --queries 200 --commands --save engine/research/reports/search.json

evaluate: $(VENV)/.test
	$(BIN)/python -m engine.research quick --save engine/research/reports/quick.json

screenshots: $(VENV)/.test
	$(BIN)/python -m tests.browser.screenshots

$(VENV)/.python:
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Priorscope needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.app: $(VENV)/.python pyproject.toml constraints.txt
	$(PIP) --editable .
	touch $@

$(VENV)/.test: $(VENV)/.python pyproject.toml constraints.txt
	$(PIP) --editable '.[test]'
	touch $@ $(VENV)/.app

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
