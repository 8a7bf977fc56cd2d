# make run    set up a local virtual environment, show what affray does, and open its page
# make test   set up what tests need and run every check
# make fuzz   look for faults with inputs of every kind, for half an hour (FUZZ_SECONDS=60: a minute)
# make bench  measure against the peers, on a quiet machine; writes benchmarks/results.md
# make bench-play  let computers play, for half an hour; writes benchmarks/play.md
# make bench-prompts  count what people at a terminal are asked; writes benchmarks/prompts.md
# make load   put the service under load for ten minutes; writes into docs/reliability.md
# make faults  kill, starve and cut off servers at random moments, for ten minutes
# make versions  try every Python from 3.11 to 3.14 that is installed
# make docs   write the generated documents anew
# make baselines  note what views look like now, against which tests compare them
# make screens  take the pictures of the page anew; writes docs/screens/

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
QUIETLY := --disable-pip-version-check --quiet
PIP := $(BIN)/python -m pip $(QUIETLY)
# What mypy looks into, beside our own source; the rest of what tests need comes after that.
TYPED := alembic click fastapi httpx2 hypothesis jinja2 mcp mypy numpy \
	platformdirs playwright psutil "psycopg[binary]" pydantic pytest rich ruff schemathesis segno \
	sqlalchemy uvicorn websockets

# On all cores. Assertions stay plain; `test` says why.
IN_PARALLEL := -n auto --dist worksteal --assert=plain

FUZZ_SECONDS ?= 1800
FAULT_SECONDS ?= 600
# Where `make run` serves the page.
PORT ?= 8080

# Tests start dozens of interpreters; without bytecode each would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test postgresql chromium fuzz bench bench-play bench-prompts load faults versions docs screens baselines format clean

run: $(VENV)/run.done
	@$(BIN)/affray play eclipse-phase jinx-shoots --dice 96,7,7,5,5,1,3,9 --choose flip
	@echo
	@$(BIN)/affray odds eclipse-phase jinx-shoots --of net
	@echo
	@$(BIN)/affray best eclipse-phase jinx-decides --objective hit --settle choose_fire=damage
	@echo
	@if [ -t 1 ]; then $(BIN)/affray serve --open --port $(PORT); \
	else $(BIN)/affray serve --once --port 0 --data $(VENV)/data; fi

# Types are checked as soon as that can be done: while the rest is installed, and beside the tests.
# One core would do nothing meanwhile.
# To show the values in a failed assertion, pytest rewrites every test file, once in each process.
# So assertions stay plain at first, and only tests that fail run again with their values shown.
test: $(VENV)/types.done postgresql chromium
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@echo "$(BIN)/mypy and $(BIN)/lint-imports, beside $(BIN)/pytest $(IN_PARALLEL)"
	@$(BIN)/mypy > $(VENV)/mypy.log 2>&1 & types=$$!; \
	trap "kill $$types" INT TERM; \
	$(MAKE) --no-print-directory $(VENV)/test.done || { kill $$types; exit 1; }; \
	$(BIN)/lint-imports > $(VENV)/imports.log 2>&1 & imports=$$!; \
	trap "kill $$imports $$types" INT TERM; \
	$(BIN)/pytest $(IN_PARALLEL); tests=$$?; \
	[ $$tests -ne 1 ] || $(BIN)/pytest --last-failed --last-failed-no-failures none; \
	wait $$imports; imports=$$?; wait $$types; types=$$?; \
	cat $(VENV)/imports.log $(VENV)/mypy.log; exit $$((tests | imports | types))

# The store is tested on a real PostgreSQL; the tests start it themselves, from Debian's package.
postgresql:
	@ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || command -v initdb > /dev/null || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null && set -x && \
		apt-get -qq update && \
		DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends postgresql; \
	} || echo "PostgreSQL is not installed and can't be: its tests are skipped"

# The page is tested in a real browser; elsewhere than on Debian, in the one that Playwright fetches.
chromium:
	@command -v chromium > /dev/null || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null && set -x && \
		apt-get -qq update && \
		DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends chromium \
			fonts-dejavu-core; \
	} || { $(MAKE) --no-print-directory $(VENV)/test.done && $(BIN)/playwright install chromium; } || \
	echo "Chromium is not installed and can't be: tests in a browser are skipped"

fuzz: $(VENV)/test.done
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS)

bench: $(VENV)/bench.done
	$(BIN)/python -m benchmarks.run --write benchmarks/results.md

bench-play: $(VENV)/test.done
	$(BIN)/python -m benchmarks.play

bench-prompts: $(VENV)/test.done
	$(BIN)/python -m benchmarks.prompts

load: $(VENV)/test.done
	$(BIN)/python -m benchmarks.load --seconds 600 --write docs/reliability.md

faults: $(VENV)/test.done postgresql
	@end=$$(($$(date +%s) + $(FAULT_SECONDS))); times=0; \
	while [ $$(date +%s) -lt $$end ]; do \
		$(BIN)/pytest -q tests/api/test_faults.py tests/store/test_killed.py || exit 1; \
		times=$$((times + 1)); \
	done; echo "Everything held $$times times."

versions:
	@for version in 3.11 3.12 3.13 3.14; do \
		python$$version -c '' 2> /dev/null || { echo "Python $$version: not installed"; continue; }; \
		python$$version -m venv $(VENV)/$$version && \
		$(VENV)/$$version/bin/python -m pip install $(QUIETLY) --editable . && \
		$(VENV)/$$version/bin/python -m tests.smoke || exit 1; \
	done

docs: $(VENV)/test.done
	$(BIN)/python -m docs.generate

screens: $(VENV)/test.done chromium
	$(BIN)/python -m docs.screens

baselines: $(VENV)/test.done chromium
	$(BIN)/python -m tests.web.pictures

format: $(VENV)/test.done
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV)

# Today's pip takes two thirds of the time of the one that Python brings along, which takes as long
# again to be unpacked; where there is no pip that could fetch it, that one has to do.
$(BIN)/python:
	$(PYTHON) -m venv --without-pip $(VENV)
	@$(PYTHON) -m pip --python $@ install $(QUIETLY) --no-compile pip 2> /dev/null || \
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.done: pyproject.toml | $(BIN)/python
	@echo "Setting up $(VENV) ..."
	$(PIP) install --editable '.[serve]'
	@touch $@

# Meanwhile the other core compiles our files, which each process would otherwise do for itself.
$(VENV)/types.done: pyproject.toml | $(BIN)/python
	@echo "Setting up $(VENV) ..."
	@$(BIN)/python -m compileall -q src tests docs benchmarks & \
	$(PIP) install --no-compile $(TYPED) && wait
	@touch $@

$(VENV)/test.done: pyproject.toml | $(BIN)/python
	$(PIP) install --no-compile --editable '.[test]'
	@touch $@ $(VENV)/run.done

$(VENV)/bench.done: pyproject.toml | $(BIN)/python
	$(PIP) install --editable '.[bench]'
	@touch $@ $(VENV)/run.done
