# The lab's house-keeping. Two commands matter: `make lab` and `make test`.
# Only relative paths here, so that a folder with spaces in its name is no trouble; works with GNU make 3.81.
# -E: what a user's PYTHON variables say is for other programs. -X utf8: so is the encoding of the terminal.

.PHONY: help lab test test-versions notebooks check bench conformance fuzz test-startup environment clean

help:
	@echo 'make lab            open the course in JupyterLab; PORT=9000 takes another port than 8888'
	@echo 'make test           everything that CI runs, gate by gate, with one summary: half an hour'
	@echo 'make check          the linter and the type checker'
	@echo 'make notebooks      build every notebook from course/; ONLY=05_write_sharding builds one'
	@echo 'make fuzz           the lab under random programs, each answer foretold: 10,000 steps, or STEPS=100000 SEED=2'
	@echo 'make test-startup   make lab from clean copies: odd path, no network, taken port, read-only, broken .venv'
	@echo 'make test-versions  the tests with the oldest, the locked and the newest packages, on two Pythons: over an hour'
	@echo 'make conformance    the lab against dynalite (needs Node.js with npm), on thousands of generated requests'
	@echo 'make bench          what the lab costs, against its bounds (needs Chromium)'
	@echo 'make environment    only make .venv, or mend it; the commands above do it by themselves'
	@echo 'make clean          remove the environments, the caches and the artefacts (your progress stays)'

lab: environment
	@exec .venv/bin/python -E -X utf8 -m dynamolab lab $(if $(PORT),--port="$$PORT")

test: environment
	@test -w . || { echo 'make test leaves its reports here, and nothing can be written here: copy the course.' >&2; exit 1; }
	@exec .venv/bin/python -E -X utf8 tests/run_all.py

test-versions: environment
	@exec .venv/bin/python -E -X utf8 .ci/versions.py $(ONLY)

notebooks: environment
	@exec .venv/bin/python -E -X utf8 course/build.py $(ONLY)

check: environment
	@exec .venv/bin/python -E -X utf8 tests/run_all.py ruff mypy

bench: environment
	@exec .venv/bin/python -E -X utf8 bench

conformance: environment
	@exec .venv/bin/python -E -X utf8 conformance/compare.py

fuzz: environment
	@exec .venv/bin/python -E -X utf8 tests/fuzzing $(if $(STEPS),--steps="$$STEPS") $(if $(SEED),--seed="$$SEED")

environment:
	@python=$$(sh .ci/python) && exec "$$python" -E -X utf8 .ci/environment.py

test-startup: environment
	@exec .venv/bin/python -E -X utf8 tests/startup

clean:
	rm -rf .venv .versions .lab/config .lab/data .lab/ipython .lab/runtime artifacts build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src course tests -name __pycache__ -type d -prune -exec rm -rf {} +
