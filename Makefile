# make run     start the workbench on http://127.0.0.1:8501
# make test    run every test
# make check   format, lint, types, imports
# make format  put files into shape
# make lock    resolve requirements*.txt into the locks again (UPGRADE=1: newest versions)
# make clean   remove the virtual environment and caches
#
# Needs Python 3.11, 3.12 or 3.13 and nothing else. PYTHON= chooses the interpreter that makes the virtual
# environment, VENV= its folder, PORT= the port of the workbench, TESTS= what to test, WORKERS= how many test files
# beside each other (auto: one for each core, four at most; 0: one after the other, in this process).

PORT ?= 8501
VENV ?= .venv
TESTS ?= tests
WORKERS ?= auto
BIN := $(VENV)/bin
UV := $(BIN)/uv

# The first interpreter that is recent enough and can make a virtual environment.
SUPPORTED := import sys, ensurepip, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c '$(SUPPORTED)' >/dev/null 2>&1 && echo $$p && break; done)

# A browser opens by itself only where there is a display.
HEADLESS := $(shell if [ "$$(uname)" = Darwin ] || [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; \
	then echo false; else echo true; fi)

INSTALL := $(UV) pip install --quiet --python $(BIN)/python --require-hashes -r
COMPILE := $(UV) pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links \
	--custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)

.PHONY: run test check format lock clean
.DEFAULT_GOAL := run

run: $(VENV)/.installed
	@exec $(BIN)/streamlit run app.py --server.address 127.0.0.1 --server.port $(PORT) --server.headless $(HEADLESS)

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest $(TESTS) --numprocesses $(WORKERS) --maxprocesses 4 --dist loadfile

check: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict kgcore
	$(BIN)/lint-imports

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix --quiet . || true
	$(BIN)/ruff format .

lock: $(UV)
	$(COMPILE) requirements-uv.txt -o requirements-uv.lock
	$(COMPILE) requirements.txt -o requirements.lock
	$(COMPILE) requirements.txt requirements-dev.txt -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

# Stamps: written after a complete installation, so a lock that changed or an interrupted one installs again.
$(VENV)/.installed: $(UV) requirements.lock
	@echo "Installing into $(VENV) ..."
	@$(INSTALL) requirements.lock
	@touch $@

$(VENV)/.installed-dev: $(UV) requirements-dev.lock
	@echo "Installing into $(VENV), with what the tests need ..."
	@$(INSTALL) requirements-dev.lock
	@touch $@

$(UV): requirements-uv.lock
	@$(BIN)/python -c '$(SUPPORTED)' 2>/dev/null && $(BIN)/python -m pip --version >/dev/null 2>&1 || { \
	  python="$(PYTHON)"; "$${python:-false}" -c '$(SUPPORTED)' 2>/dev/null || { \
	    echo "Needs Python 3.11, 3.12 or 3.13 with venv (Debian, Ubuntu: apt install python3-venv);" \
	      "name one with PYTHON=/path/to/python" >&2; exit 1; }; \
	  "$$python" -m venv --clear $(VENV); }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock
	@touch $@
