# make demo: see it work. make test: everything that must hold. Each sets up what it needs in a virtual environment of its own.
PYTHON ?= python3
DEMO := .venv-demo
TEST := .venv-test
TORCH := torch==2.14.1 torchvision==0.29.1
PIP := -m pip install --quiet --disable-pip-version-check

.PHONY: demo test check lint bench clean typecheck-paths

# The data are generated on the first run and kept in demo/cache; the second run takes seconds.
demo: export COGSIGHT_CACHE = $(CURDIR)/demo/cache
demo: export HF_HUB_OFFLINE = 1
demo: $(DEMO)/installed
	rm -rf demo/run demo/scores
	$(DEMO)/bin/lmms-eval --model cogsight_baseline --model_args policy=random --tasks lego_puzzles_procedural \
	    --batch_size 1 --log_samples --output_path demo/run
	$(DEMO)/bin/cogsight score demo/run --out demo/scores

$(DEMO)/installed: setup.cfg setup.py
	$(PYTHON) -m venv $(DEMO)
	$(DEMO)/bin/python $(PIP) $(TORCH)
	$(DEMO)/bin/python $(PIP) -e '.[lmms-eval]'
	touch $@

# Both frameworks in one environment, for tests only: users should keep them apart (README).
$(TEST)/installed: setup.cfg setup.py
	$(PYTHON) -m venv $(TEST)
	$(TEST)/bin/python $(PIP) $(TORCH)
	$(TEST)/bin/python $(PIP) -e '.[lmms-eval,vlmeval,models,sdxl,dev]'
	touch $@

# mypy does not see setup.cfg's package_dir, so it gets the import root as links.
typecheck-paths:
	mkdir -p .src/cogsight
	for file in __init__.py __main__.py py.typed; do ln -sfn ../../cogsight/$$file .src/cogsight/$$file; done
	for room in lego_puzzles mme_cc shared spatialviz voila hub_cards; do ln -sfn ../../$$room .src/cogsight/$$room; done

lint: $(TEST)/installed typecheck-paths
	$(TEST)/bin/ruff check .
	$(TEST)/bin/ruff format --check .
	$(TEST)/bin/mypy .src/cogsight

check: lint
	$(TEST)/bin/python -m pytest -q -m "not slow"

test: lint
	$(TEST)/bin/python -m pytest -q

bench: $(TEST)/installed
	for file in bench/bench_*.py; do $(TEST)/bin/python $$file; done

clean:
	rm -rf build dist *.egg-info .src demo $(DEMO) $(TEST)
