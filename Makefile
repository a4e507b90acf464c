# Everything a person or a machine runs here. Needs Python 3.11+ and make, nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: setup run test check bench clean
setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed; set PYTHON=python3.x")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --requirement requirements-dev.txt --editable .
	touch $@

run: $(STAMP)
	$(BIN)/temporal-recall serve --sample

test: $(STAMP)
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

$(VENV)/.bench: requirements-bench.txt $(STAMP)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --requirement requirements-bench.txt
	touch $@

bench: $(VENV)/.bench
	$(BIN)/python tests/bench.py $(ARGS)

clean:
	rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache
