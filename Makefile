# make run    set up a local virtual environment and show what affray does
# make test   set up what tests need and run every check
# make fuzz   look for faults with inputs of every kind, for half an hour (FUZZ_SECONDS=60: a minute)
# make bench  measure against the peers, on a quiet machine; writes benchmarks/results.md
# make docs   write the generated documents anew

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

FUZZ_SECONDS ?= 1800

# Tests start dozens of interpreters; without bytecode each would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test fuzz bench docs format clean

run: $(VENV)/run.done
	@$(BIN)/affray play eclipse-phase jinx-shoots --dice 96,7,7,5,5,1,3,9 --choose flip
	@echo
	@$(BIN)/affray odds eclipse-phase jinx-shoots --of net
	@echo
	@$(BIN)/affray best eclipse-phase jinx-decides --objective hit --settle choose_fire=damage

# Types and imports are checked beside the tests: one core would do nothing meanwhile.
test: $(VENV)/test.done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@echo "$(BIN)/lint-imports and $(BIN)/mypy, beside $(BIN)/pytest -n auto --dist worksteal"
	@$(BIN)/lint-imports > $(VENV)/imports.log 2>&1 & imports=$$!; \
	$(BIN)/mypy > $(VENV)/mypy.log 2>&1 & types=$$!; \
	trap "kill $$imports $$types" INT TERM; \
	$(BIN)/pytest -n auto --dist worksteal; tests=$$?; \
	wait $$imports; imports=$$?; wait $$types; types=$$?; \
	cat $(VENV)/imports.log $(VENV)/mypy.log; exit $$((tests | imports | types))

fuzz: $(VENV)/test.done
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS)

bench: $(VENV)/bench.done
	$(BIN)/python -m benchmarks.run --write benchmarks/results.md

docs: $(VENV)/test.done
	$(BIN)/python -m docs.generate

format: $(VENV)/test.done
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.done: pyproject.toml | $(BIN)/python
	@echo "Setting up $(VENV) ..."
	$(PIP) install --editable .
	@touch $@

$(VENV)/test.done: pyproject.toml | $(BIN)/python
	$(PIP) install --no-compile --editable '.[test]'
	@touch $@ $(VENV)/run.done

$(VENV)/bench.done: pyproject.toml | $(BIN)/python
	$(PIP) install --editable '.[bench]'
	@touch $@ $(VENV)/run.done
