# The only entry points, for people and for .ci/run alike. Needs Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run judge test test-all bench lint format typecheck warm clean

run: $(VENV)/.installed  ## set up and open the hall in the browser; ARGS="--port 8000 --lan"
	@$(BIN)/qiyuan serve $(ARGS)

judge: $(VENV)/.installed  ## set up and rule on the bundled disputed game
	@$(BIN)/qiyuan warm xiangqi
	@$(BIN)/qiyuan judge

test: $(VENV)/.dev  ## set up and pass the tests
	@$(BIN)/qiyuan warm
	$(BIN)/python -m pytest -n auto -m "not full"

test-all: $(VENV)/.dev  ## every suite whole (perft to full depth, 100,000 inputs a parser, ...)
	@$(BIN)/qiyuan warm
	$(BIN)/python -m pytest -n auto --timeout 14400

bench: $(VENV)/.installed  ## perft beside fairy-stockfish, when that is installed
	$(BIN)/qiyuan perft bench

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

typecheck: $(VENV)/.dev
	$(BIN)/mypy

warm: $(VENV)/.installed
	$(BIN)/qiyuan warm

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "需要 Python 3.11 或更新：make PYTHON=python3.11 …  (Python 3.11 or newer is needed)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "无法建立虚拟环境；Debian/Ubuntu 请先装 python3-venv  (install python3-venv first)"; exit 1; }

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "正在安装，只有这一次，要几分钟…  (installing, only this once; it takes minutes)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[web,report]"
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@ $(VENV)/.installed
