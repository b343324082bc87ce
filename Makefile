# Two commands for a fresh machine: `make demo` and `make test`. Both make their own virtual environment.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
RUN := $(BIN)/python -m
TORCH ?= torch==2.13.0

.PHONY: demo test test-semantic check bench storm docs format clean

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN) pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(RUN) pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(RUN) pip install --quiet --disable-pip-version-check --group dev
	touch $@

$(VENV)/.semantic: $(VENV)/.dev
	$(RUN) pip install --quiet --disable-pip-version-check '$(TORCH)'
	$(RUN) pip install --quiet --disable-pip-version-check --editable '.[semantic]'
	touch $@

demo: $(VENV)/.installed
	$(BIN)/curator demo

test: $(VENV)/.dev
	$(RUN) pytest -n auto -m 'not semantic'

test-semantic: $(VENV)/.semantic
	$(RUN) pytest -m semantic

check: $(VENV)/.dev
	$(RUN) ruff format --check .
	$(RUN) ruff check .
	$(RUN) mypy
	$(BIN)/lint-imports
	$(RUN) pytest -q -n auto -m 'not semantic and not slow and not postgres'

bench: $(VENV)/.dev
	$(RUN) pytest -q -s -p no:xdist tests/bench -o python_files='bench_*.py'

storm: $(VENV)/.dev
	$(RUN) tests.storm

docs: $(VENV)/.dev
	$(RUN) curator.cli.reference > docs/reference/cli.md.new && mv docs/reference/cli.md.new docs/reference/cli.md

format: $(VENV)/.dev
	$(RUN) ruff format .
	$(RUN) ruff check --fix .

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache dist
