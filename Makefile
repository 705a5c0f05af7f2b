# `make run` and `make test` need Python 3.11 and make, nothing else.
# With another interpreter: make run PYTHON=/path/to/python3
BIN := .venv/bin
CODE := memsite memories threads porting evaluation training tests bench manage.py
TEMPLATES := find . -path ./.venv -prune -o -path '*/templates/*.html' -print0 | xargs -0 -r
# Checks load the settings; they must neither touch the data of a site nor need one.
WITHOUT_A_SITE := MEMSITE_SECRET_KEY=only-for-checks MEMSITE_DATA_DIR=.venv/no-data DATABASE_URL=

.DEFAULT_GOAL := help
.PHONY: help run dev setup test lint unit browser kill slow test-programs format messages schema demo lock audit clean

help: ## Say what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: ## Serve the site at http://127.0.0.1:$PORT (8000) until Ctrl-C
	@PYTHON="$(PYTHON)" .ci/setup run
	@exec $(BIN)/python manage.py run

dev: setup ## The same with debug pages and a toolbar, started again whenever a file of the code changes
	@MEMSITE_DEBUG=on MEMSITE_DEBUG_TOOLBAR=on exec $(BIN)/watchfiles --sigint-timeout 20 "$(BIN)/python manage.py run" memsite memories threads porting evaluation templates

setup: ## Make .venv/, or bring it up to date
	@PYTHON="$(PYTHON)" .ci/setup

test: lint unit ## The checks and the tests, but for the two kinds below

unit: setup ## The tests alone
	$(BIN)/python -m pytest -q -n auto -m "not browser and not kill and not slow and not programs"

browser: setup ## The tests that drive a browser (they need Chromium)
	DJANGO_ALLOW_ASYNC_UNSAFE=1 $(BIN)/python -m pytest -q -m browser

kill: setup ## The tests that kill the processes of a running site
	$(BIN)/python -m pytest -q -m kill -n auto --dist loadfile --ignore tests/kill/test_crowded_site.py
	$(BIN)/python -m pytest -q -m kill tests/kill/test_crowded_site.py

slow: setup ## The tests of every pattern over hostile texts
	$(BIN)/python -m pytest -q -n auto -m slow

# Has a folder for each set of programs. With another one: make test-programs TEST_PROGRAMS=/path/to/it
TEST_PROGRAMS ?= .venv/programs

$(TEST_PROGRAMS)/%/installed: tests/programs/%/package.json | setup
	mkdir -p $(@D)
	cp $< $(@D)/package.json
	npm install --prefix $(@D) --no-audit --no-fund
	@touch $@

$(TEST_PROGRAMS)/python/installed: tests/programs/requirements.in | setup
	$(BIN)/python -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# An agent that cannot be installed here is left out, and its test says so.
$(TEST_PROGRAMS)/%/tried: tests/programs/agents/%.in | setup
	$(BIN)/python -m venv $(@D)
	-$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# Its package brings gigabytes of others, of which only the texts of its requests are needed.
$(TEST_PROGRAMS)/open-webui/tried: tests/programs/v1/open-webui.in | setup
	mkdir -p $(@D)
	-$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --dest $(@D) -r $<
	@touch $@

test-programs: $(TEST_PROGRAMS)/python/installed $(TEST_PROGRAMS)/open-webui/tried $(patsubst tests/programs/agents/%.in,$(TEST_PROGRAMS)/%/tried,$(wildcard tests/programs/agents/*.in)) $(patsubst tests/programs/%/package.json,$(TEST_PROGRAMS)/%/installed,$(wildcard tests/programs/*/package.json)) ## Programs of others against a live site (they need npm and, at first, the network)
	TEST_PROGRAMS=$(TEST_PROGRAMS) $(BIN)/python -m pytest -q -m programs tests/programs

lint: setup ## Style, types, layers, templates, spelling, migrations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(WITHOUT_A_SITE) $(BIN)/python -m mypy $(CODE)
	cd clients/python && ../../$(BIN)/python -m mypy
	$(BIN)/python $(BIN)/lint-imports
	$(TEMPLATES) $(BIN)/djade --check --target-version 5.2
	$(BIN)/python -m codespell_lib
	$(WITHOUT_A_SITE) $(BIN)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run

format: setup ## Mend style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(TEMPLATES) $(BIN)/djade --target-version 5.2

messages: setup ## Collect the texts to translate
	$(WITHOUT_A_SITE) $(BIN)/python manage.py makemessages -l zh_Hans --no-location --no-wrap --ignore .venv
	sed -i '/^"POT-Creation-Date/d' locale/zh_Hans/LC_MESSAGES/django.po
	msgfmt -o locale/zh_Hans/LC_MESSAGES/django.mo locale/zh_Hans/LC_MESSAGES/django.po

schema: setup ## Write the script that makes the tables of an empty database, after a change of migrations
	$(BIN)/python -m tests.migrated_schema

demo: ## Add a sample person with a year of threads to the running site (manage.py demo --remove removes them)
	@$(BIN)/python manage.py demo

TOOLS := .venv/tools
LOCK := $(TOOLS)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url

$(TOOLS)/installed: .ci/tools.txt | setup
	$(BIN)/python -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r .ci/tools.txt
	@touch $@

lock: $(TOOLS)/installed ## Pin what the *.in files list, with all that it needs, by hashes
	$(LOCK) requirements.in -o requirements.txt
	$(LOCK) requirements-dev.in -o requirements-dev.txt
	$(LOCK) .ci/tools.in -o .ci/tools.txt

audit: $(TOOLS)/installed ## Look for known vulnerabilities of what is pinned (needs the network)
	$(TOOLS)/bin/pip-audit --require-hashes --disable-pip -r requirements.txt -r requirements-dev.txt

clean: ## Remove the virtual environment and the caches, never the data
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
