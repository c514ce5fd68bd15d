# The lab's house-keeping. Two commands matter: `make lab` and `make test`.
# Only relative paths here, so that a folder with spaces in its name is no trouble; works with GNU make 3.81.

.PHONY: help lab test notebooks check bench conformance environment clean

help:
	@echo 'make lab         open the course in JupyterLab (makes the environment first, once)'
	@echo 'make test        everything that CI runs, cheapest first, with one summary'
	@echo 'make notebooks   build every notebook from course/; ONLY="05_write_sharding" builds one'
	@echo 'make check       the linter and the type checker'
	@echo 'make bench       the costs of the lab, as ratios within one run'
	@echo 'make conformance the lab against dynalite (npm), on thousands of generated requests'
	@echo 'make clean       remove the environment, the caches and the artefacts'

lab: environment
	@exec .venv/bin/python -m dynamolab lab $(if $(PORT),--port $(PORT))

test: environment
	@exec .venv/bin/python tests/run_all.py

notebooks: environment
	@exec .venv/bin/python course/build.py $(ONLY)

check: environment
	@exec .venv/bin/python tests/run_all.py ruff mypy

bench: environment
	@exec .venv/bin/python bench

conformance: environment
	@exec .venv/bin/python conformance/compare.py

environment:
	@python=$$(sh .ci/python) && "$$python" .ci/environment.py

clean:
	rm -rf .venv .lab artifacts build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src course tests -name __pycache__ -type d -prune -exec rm -rf {} +
