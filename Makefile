# Two commands matter: `make run` and `make test`. Both set up everything they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check
.DEFAULT_GOAL := help
.PHONY: help run test lint format bench reliability lock clean

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# A stamp per lock file: a second call does nothing but compare two dates.
$(VENV)/run.stamp: requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Tidemark: installing its parts into $(VENV) (about a minute, once)" >&2
	@$(PIP) install -q --require-hashes -r requirements.lock
	@$(PIP) install -q --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev.stamp: requirements-dev.lock $(VENV)/run.stamp
	@$(PIP) install -q --require-hashes -r requirements-dev.lock
	@touch $@

run: $(VENV)/run.stamp ## talk to Tidemark: on Telegram when a token is set, else here in the terminal
	@$(BIN)/tidemark run

lint: $(VENV)/dev.stamp ## linters, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint ## everything CI checks: lint plus the tests
	$(BIN)/python -m pytest

format: $(VENV)/dev.stamp ## tidy the code
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format .

bench: $(VENV)/dev.stamp ## speed and size, printed
	$(BIN)/python -m tests.bench.turn

reliability: $(VENV)/dev.stamp ## 50 kills of a running process
	$(BIN)/python -m tests.reliability --kills 50

lock: ## renew both lock files (needs uv)
	uv pip compile --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 pyproject.toml requirements-build.in -o requirements.lock
	uv pip compile --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 pyproject.toml requirements-build.in --group dev -o requirements-dev.lock

clean: ## remove the environment
	rm -rf $(VENV)
