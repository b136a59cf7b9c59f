# make demo: see it work. make test: everything that must hold. Each sets up what it needs in a virtual environment of its own.
PYTHON ?= python3
DEMO := .venv-demo
TEST := .venv-test
TORCH := torch==2.14.1 torchvision==0.29.1
PIP := -m pip install --quiet --disable-pip-version-check

.PHONY: demo test check bench clean typecheck-paths

demo: $(DEMO)/installed
	$(DEMO)/bin/python -m cogsight.shared.demo demo

$(DEMO)/installed: setup.cfg setup.py
	$(PYTHON) -m venv $(DEMO)
	$(DEMO)/bin/python $(PIP) $(TORCH)
	$(DEMO)/bin/python $(PIP) -e '.[lmms-eval]'
	touch $@

# Both frameworks in one environment, for tests only: users should keep them apart (README).
$(TEST)/installed: setup.cfg setup.py
	$(PYTHON) -m venv $(TEST)
	$(TEST)/bin/python $(PIP) $(TORCH)
	$(TEST)/bin/python $(PIP) -e '.[lmms-eval,vlmeval,models,dev]'
	touch $@

# mypy does not see setup.cfg's package_dir, so it gets the import root as links.
typecheck-paths:
	mkdir -p .src/cogsight
	for file in __init__.py __main__.py py.typed; do ln -sfn ../../cogsight/$$file .src/cogsight/$$file; done
	for room in lego_puzzles shared hub_cards; do ln -sfn ../../$$room .src/cogsight/$$room; done

check: $(TEST)/installed typecheck-paths
	$(TEST)/bin/ruff check .
	$(TEST)/bin/ruff format --check .
	$(TEST)/bin/mypy .src/cogsight
	$(TEST)/bin/python -m pytest -q -m "not slow"

test: $(TEST)/installed typecheck-paths
	$(TEST)/bin/ruff check .
	$(TEST)/bin/ruff format --check .
	$(TEST)/bin/mypy .src/cogsight
	$(TEST)/bin/python -m pytest -q

bench: $(TEST)/installed
	for file in bench/bench_*.py; do $(TEST)/bin/python $$file; done

clean:
	rm -rf build dist *.egg-info .src demo $(DEMO) $(TEST)
