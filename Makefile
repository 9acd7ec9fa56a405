# Every target prepares what it needs; `make help` lists them. ARGS="..." is handed on.
PY := .venv/bin/python
ARGS ?=
# One process for each core, at most eight; a file's tests stay together, for what they share is made once.
TESTS := $(PY) -m pytest -n auto --maxprocesses 8 --dist loadfile --no-loadscope-reorder

.PHONY: help setup demo test quick lint bench train package screenshots words lock clean

help:                ## this list
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/^([a-z]+):.*## */    make \1\t/' | expand -t 24

setup:               ## the .venv, pinned packages and the libraries that Qt needs
	@.ci/setup demo

demo:                ## a whole game on a simulated table, watched and refereed in a window
	@.ci/setup demo
	@.ci/demo $(ARGS)

test:                ## everything that must hold: style, types, all tests
	@.ci/setup test
	@$(MAKE) --no-print-directory lint
	@mkdir -p .make; $(TESTS) $(ARGS); status=$$?; echo $$status > .make/pytest.status; exit $$status

quick:               ## the tests without the long proofs
	@.ci/setup demo
	@$(TESTS) -q -m "not slow" $(ARGS)

lint:                ## ruff, mypy --strict, cognitive complexity
	@.ci/setup demo
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m tests.helpers.complexity

bench:               ## the figures: speed and accuracy, printed
	@.ci/setup demo
	@for script in tests/benchmarks/[a-z]*.py; do \
	    echo "== $$script"; $(PY) -m tests.benchmarks.$$(basename $$script .py) || exit 1; done

train:               ## train the recognisers on tables drawn at random (hours); goes on where it was cut off
	@.ci/setup train
	$(PY) -m vision.training --cache .make/training $(ARGS)

package:             ## a wheel and a Debian package in dist/, both installed and started once
	@.ci/setup test
	@.ci/package
	@MOONTABLE_DIST=dist $(PY) -m pytest -q -n0 tests/end2end/test_packages.py $(ARGS)

screenshots:         ## pictures of every window, in docs/pictures
	@.ci/setup demo
	@QT_QPA_PLATFORM=offscreen $(PY) -m tests.helpers.screenshots $(or $(ARGS),docs/pictures)
	@QT_QPA_PLATFORM=offscreen $(PY) -m tests.helpers.game_pictures $(or $(ARGS),docs/pictures)

words:               ## find all texts, update and compile the translations; lists what is missing
	@.ci/setup demo
	@$(PY) -m tests.helpers.catalogues

movie:               ## a moving picture of a watched game, docs/pictures/watched.webp
	@.ci/setup demo
	@QT_QPA_PLATFORM=offscreen $(PY) -m tests.helpers.moving_picture $(or $(ARGS),docs/pictures/watched.webp)

lock:                ## write the versions in .venv to requirements.lock
	@.ci/setup demo
	@head -n 1 requirements.lock > .make/lock
	@$(PY) -m pip freeze --all --exclude-editable | grep -v '^pip==' >> .make/lock && mv .make/lock requirements.lock

clean:               ## remove what was built here, the .venv too
	rm -rf .venv .make build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
