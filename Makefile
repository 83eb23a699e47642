# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
LOCK := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header --quiet

.PHONY: setup setup-node demo check test fuzz eval bench docs golden lock clean

setup: .venv/.done ## make .venv with .venv/bin/commonplace

.venv/.done: requirements/run.txt requirements/dev.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	touch $@

NODE := tests/e2e/node
setup-node: $(NODE)/node_modules/.done ## the MCP project's own test programs; needs npm

$(NODE)/node_modules/.done: $(NODE)/package-lock.json
	npm install --prefix $(NODE) --no-save --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@

demo: setup ## index the bundled sample, ask through a real MCP client, print the cited answer
	$(BIN)/python -m commonplace.serve.demo

check: setup ## format, lint, types, import order, generated pages
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m commonplace.serve.reference --check docs

# Where npm is missing or cannot install, the tests that need those programs say so and skip.
test: setup ## every test, on all cores
	-@if command -v npm >/dev/null; then $(MAKE) --no-print-directory setup-node; fi
	$(BIN)/python -m pytest -n auto --randomly-seed=1

# A change is judged by itself, not by luck: `test` tries the same examples in the same order
# every time, and this one looks for what nobody thought of.
FUZZ ?= 20
fuzz: setup ## FUZZ times the examples of every property, new ones each time
	@echo "a failure prints its smallest example: add it to the test with @example(...); the same"
	@echo "search again: COMMONPLACE_FUZZ=$(FUZZ) $(BIN)/python -m pytest <test> --hypothesis-seed=<seed it printed>"
	COMMONPLACE_FUZZ=$(FUZZ) $(BIN)/python -m pytest -n auto -m hypothesis tests

golden: setup ## rewrite the golden files from what the parsers give now; read the diff
	COMMONPLACE_GOLDEN=write $(BIN)/python -m pytest tests/golden -q

docs: setup ## rewrite the generated reference pages
	$(BIN)/python -m commonplace.serve.reference docs

eval: setup ## ranking and evidence on every open set; needs COMMONPLACE_EVAL_DATA
	$(BIN)/python -m eval

bench: setup ## speed, size and memory beside chromadb and lancedb
	$(BIN)/python -m bench

lock: ## renew the pinned requirements
	$(LOCK) pyproject.toml -o requirements/run.txt
	$(LOCK) requirements/dev.in -o requirements/dev.txt
	$(LOCK) requirements/bench.in -o requirements/bench.txt

clean:
	rm -rf .venv .demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
